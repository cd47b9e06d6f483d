/** Renders messages as plain text for emails. Addresses in names are broken up, because mail programs link them. */
import { escapeInvisible } from '../../../engine/index.ts';
import type { Message, MessageSection } from './types.ts';

const LONGEST_SUBJECT = 150;
const LONGEST_LINE = 500;
const MOST_LINES = 200;
const BREAK = '\u200b';

export interface EmailText {
  subject: string;
  text: string;
}

export function renderEmail({ title, facts, sections, link, footer }: Message): EmailText {
  const lines = sections.flatMap(renderSection);
  const hidden = lines.length - MOST_LINES;
  const paragraphs = [
    facts.map(({ label, value }) => `${label}: ${show(value)}`).join('\n'),
    lines.slice(0, MOST_LINES).join('\n'),
    hidden > 0 ? `${hidden} lines are not shown.` : '',
    link === null ? '' : `${link.label}: ${link.url}`,
    `-- \n${show(footer)}`,
  ];
  return {
    subject: show(title, LONGEST_SUBJECT),
    text: `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`,
  };
}

function renderSection({ heading, lines }: MessageSection): string[] {
  return [
    ...(heading === null ? [] : ['', `${show(heading)}:`]),
    ...lines.map(({ name, text }) => (name === '' ? show(text) : `- ${show(name)} ${show(text)}`)),
  ];
}

function show(text: string, longest = LONGEST_LINE): string {
  const characters = [...escapeInvisible(text)];
  const shown = characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
  return shown.replace(/@|:\/\/|www\./gi, (mark) => `${mark}${BREAK}`);
}
