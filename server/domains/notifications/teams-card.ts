/**
 * Renders messages as Adaptive Cards for a webhook of Microsoft Teams Workflows. All text is in text runs, which have no
 * Markdown, so that names become neither links nor mentions.
 *
 * @see https://adaptivecards.io/explorer/TextRun.html
 */
import { escapeInvisible } from '../../../engine/index.ts';
import type { Message, MessageSection } from './types.ts';

/** Teams rejects messages of more than 28 KB. */
const MOST_BYTES = 24_000;
const LONGEST_TEXT = 500;

interface TextRun {
  type: 'TextRun';
  text: string;
  weight?: 'Bolder';
  fontType?: 'Monospace';
}

interface TextBlock {
  type: 'RichTextBlock';
  inlines: TextRun[];
}

export interface TeamsMessage {
  type: 'message';
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive';
      contentUrl: null;
      content: {
        $schema: string;
        type: 'AdaptiveCard';
        version: '1.5';
        fallbackText: string;
        body: TextBlock[];
        actions: { type: 'Action.OpenUrl'; title: string; url: string }[];
      };
    },
  ];
}

export function renderTeams({ title, summary, facts, sections, link, footer }: Message): TeamsMessage {
  const head = [
    block({ type: 'TextRun', text: show(title), weight: 'Bolder' }),
    ...facts.map(({ label, value }) => block(bold(`${label}: `), { type: 'TextRun', text: show(value) })),
  ];
  const last = block({ type: 'TextRun', text: show(footer) });
  const room = MOST_BYTES - measure([...head, last]);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard' as const,
    version: '1.5' as const,
    fallbackText: show(summary),
    body: [...head, ...fitBlocks(sections.flatMap(renderSection), room), last],
    actions: link === null ? [] : [{ type: 'Action.OpenUrl' as const, title: link.label, url: link.url }],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

/** The first blocks that fit; the others are counted. */
function fitBlocks(blocks: readonly TextBlock[], room: number): TextBlock[] {
  let used = 0;
  const end = blocks.findIndex((one) => {
    used += measure([one]);
    return used > room;
  });
  if (end < 0) return [...blocks];
  return [...blocks.slice(0, end), block({ type: 'TextRun', text: `${blocks.length - end} lines are not shown` })];
}

function renderSection({ heading, lines }: MessageSection): TextBlock[] {
  return [
    ...(heading === null ? [] : [block(bold(show(heading)))]),
    ...lines.map(({ name, text }) => {
      const said: TextRun = { type: 'TextRun', text: show(name === '' ? text : ` ${text}`) };
      return name === '' ? block(said) : block({ type: 'TextRun', text: show(name), fontType: 'Monospace' }, said);
    }),
  ];
}

function block(...inlines: TextRun[]): TextBlock {
  return { type: 'RichTextBlock', inlines };
}

function bold(text: string): TextRun {
  return { type: 'TextRun', text, weight: 'Bolder' };
}

function show(text: string): string {
  const characters = [...escapeInvisible(text)];
  return characters.length <= LONGEST_TEXT ? characters.join('') : `${characters.slice(0, LONGEST_TEXT - 1).join('')}…`;
}

function measure(blocks: readonly TextBlock[]): number {
  return Buffer.byteLength(JSON.stringify(blocks));
}
