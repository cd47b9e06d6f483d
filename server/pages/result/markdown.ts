import { micromark } from 'micromark';
import { escapeInvisible } from '../../../engine/index.ts';
import { type Html, trusted } from '../../lib/html.ts';

/** Keeps hosts of repositories from making a mention or a link of a text; here nothing does. */
const BREAK = '\u200b';

/** The engine writes paragraphs, lists, bold and code. Everything else of Markdown is shown as the characters it is. */
const DISABLED = [
  'autolink',
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'definition',
  'headingAtx',
  'htmlFlow',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
  'setextUnderline',
  'thematicBreak',
];

/** A text that the engine wrote as Markdown, such as a narrative. Raw HTML, links and images in it stay text. */
export function markdownHtml(markdown: string): Html {
  const lines = markdown.split('\n').map((line) => escapeInvisible(line.replaceAll(BREAK, '')));
  return trusted(micromark(lines.join('\n'), { extensions: [{ disable: { null: DISABLED } }] }));
}
