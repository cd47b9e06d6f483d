/**
 * Renders messages as Block Kit, within the limits of Slack and inert: names never become mentions, links or markup.
 *
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
import {
  inert,
  type Markdown,
  markdown,
  type PlainText,
  plainLabel,
  plainText,
  showCode,
} from '../../lib/slack-text.ts';
import type { Message, MessageButton, MessageLine, MessageSection } from './types.ts';

/** Slack allows 50, and counts the header, the facts, the button and the footer, too. */
const MOST_SECTIONS = 40;
const LONGEST_HEADER = 150;
const LONGEST_FACT = 300;
const LONGEST_SECTION = 2_900;
const LONGEST_NAME = 200;
const LONGEST_LINE = 600;
/** Slack rejects messages of about 13,200 characters (`msg_blocks_too_long`). */
const LONGEST_MESSAGE = 11_000;

/** A message for `chat.postMessage`. */
export interface SlackMessage {
  /** Shown where blocks are not. */
  text: string;
  blocks: SlackBlock[];
}

export type SlackBlock =
  | { type: 'header'; text: PlainText }
  | { type: 'section'; text: Markdown }
  | { type: 'section'; fields: Markdown[] }
  | { type: 'actions'; elements: SlackButton[] }
  | { type: 'context'; elements: Markdown[] };

type SlackButton = { type: 'button'; text: PlainText } & (
  | { action_id: 'open_report'; url: string }
  | Pick<MessageButton, 'action_id' | 'value'>
);

export function renderSlack(
  { title, summary, facts, sections, link, footer }: Message,
  buttons: readonly MessageButton[] = [],
): SlackMessage {
  const fields = facts.map(({ label, value }) => markdown(`*${label}*\n${inert(value, LONGEST_FACT)}`));
  const elements = [...(link === null ? [] : [openButton(link)]), ...buttons.map(actionButton)];
  return {
    text: inert(summary, LONGEST_SECTION),
    blocks: [
      { type: 'header', text: plainLabel(title, LONGEST_HEADER) },
      ...(fields.length === 0 ? [] : [{ type: 'section' as const, fields }]),
      ...packSections(sections),
      ...(elements.length === 0 ? [] : [{ type: 'actions' as const, elements }]),
      { type: 'context', elements: [markdown(inert(footer, LONGEST_FACT))] },
    ],
  };
}

/** A line in the thread of a message. */
export function renderSlackLine(text: string): SlackMessage {
  const shown = inert(text, LONGEST_LINE);
  return { text: shown, blocks: [{ type: 'section', text: markdown(shown) }] };
}

/** Each section gets an equal share of the room. Lines that do not fit are counted, and so are sections. */
function packSections(sections: readonly MessageSection[]): SlackBlock[] {
  const shown = sections.slice(0, MOST_SECTIONS);
  const room = Math.min(LONGEST_SECTION, Math.floor(LONGEST_MESSAGE / Math.max(1, shown.length)));
  const blocks = shown.map((section): SlackBlock => ({ type: 'section', text: markdown(packLines(section, room)) }));
  const hidden = sections.length - shown.length;
  if (hidden > 0) blocks.push({ type: 'section', text: markdown(`and ${hidden} more accounts`) });
  return blocks;
}

function packLines({ heading, lines }: MessageSection, room: number): string {
  const packed = heading === null ? [] : [`*${inert(heading, LONGEST_NAME)}*`];
  let used = packed.join('').length;
  for (const [place, line] of lines.entries()) {
    const text = renderLine(line);
    const rest = `_${lines.length - place} not shown_`;
    used += text.length + 1;
    if (used + rest.length > room && place < lines.length) {
      packed.push(rest);
      break;
    }
    packed.push(text);
  }
  return packed.join('\n') || '-';
}

function renderLine({ name, text }: MessageLine): string {
  const said = inert(text, LONGEST_LINE);
  return name === '' ? said : `• ${showCode(name, LONGEST_NAME)} ${said}`;
}

function openButton({ label, url }: { label: string; url: string }): SlackButton {
  return { type: 'button', action_id: 'open_report', text: plainText(label), url };
}

function actionButton({ action_id, label, value }: MessageButton): SlackButton {
  return { type: 'button', action_id, text: plainText(label), value };
}
