/**
 * Renders messages as issues of GitHub and GitLab. Names become neither mentions, references, links nor commands, and
 * the first line of a text, which is not shown, identifies it.
 */
import { codeSpan, escapeInvisible, inertProse } from '../../../engine/index.ts';
import type { Message, MessageLine, MessageSection } from './types.ts';

/** GitHub and GitLab allow 255 characters. */
const LONGEST_TITLE = 200;
const LONGEST_NAME = 300;
const LONGEST_LINE = 1_000;
/** GitHub allows 65,536 characters. */
const MOST_BYTES = 60_000;
/** Zero-width space. */
const BREAK = '\u200b';
const FOOTER =
  'This issue shows the drift that the schedule finds. It is closed when the drift is gone, and opened again when there ' +
  'is drift again.';

/** The first line of the issue of a schedule. */
export function issueMark(schedule_id: string): string {
  return `<!-- dpa:schedule ${schedule_id} -->`;
}

/** The first line of a comment. */
export function commentMark(delivery_id: string): string {
  return `<!-- dpa:delivery ${delivery_id} -->`;
}

export function renderIssue(
  { facts, sections, link }: Pick<Message, 'facts' | 'sections' | 'link'>,
  schedule: { id: string; name: string },
): { title: string; body: string } {
  const head = [issueMark(schedule.id), facts.map(({ label, value }) => `**${label}**: ${show(value)}`).join(' · ')];
  const foot = [link === null ? '' : `[${link.label}](${link.url})`, `<sub>${FOOTER}</sub>`];
  return { title: `Drift: ${showTitle(schedule.name)}`, body: join([...head, ...renderSections(sections), ...foot]) };
}

/** A comment that notifies people. */
export function renderIssueComment(text: string, delivery_id: string): string {
  return join([commentMark(delivery_id), show(text)]);
}

/** A message of its own as a comment. */
export function renderIssueNotice({ title, sections }: Message, delivery_id: string): string {
  return join([commentMark(delivery_id), `**${show(title)}**`, ...renderSections(sections)]);
}

/** The first lines that fit; the others are counted. */
function renderSections(sections: readonly MessageSection[]): string[] {
  const blocks: string[] = [];
  let used = 0;
  let hidden = 0;
  for (const { heading, lines } of sections) {
    const shown: string[] = [];
    for (const line of lines.map(renderLine)) {
      used += Buffer.byteLength(line) + 1;
      if (used < MOST_BYTES) shown.push(line);
      else hidden += 1;
    }
    if (shown.length === 0) continue;
    used += Buffer.byteLength(heading ?? '') + LONGEST_NAME;
    blocks.push(heading === null ? '' : `#### ${codeSpan(cut(heading, LONGEST_NAME))}`, shown.join('\n'));
  }
  return hidden === 0 ? blocks : [...blocks, `${hidden} lines are not shown.`];
}

function renderLine({ name, text }: MessageLine): string {
  return name === '' ? `- ${show(text)}` : `- ${codeSpan(cut(name, LONGEST_NAME))} ${show(text)}`;
}

function show(text: string): string {
  return inertProse(cut(text, LONGEST_LINE));
}

/** A title is not Markdown, but GitLab notifies people whom it mentions, and both link references. */
function showTitle(name: string): string {
  const broken = escapeInvisible(name)
    .replace(/[@#!%~$^&[*`]|GH-/gi, (mark) => `${mark}${BREAK}`)
    .replace(/:\/\//g, `:${BREAK}//`)
    .replace(/www\./gi, (www) => `${www.slice(0, -1)}${BREAK}.`);
  return cut(broken, LONGEST_TITLE);
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

function join(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}
