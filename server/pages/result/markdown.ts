import { micromark } from 'micromark';
import { escapeInvisible } from '../../../engine/index.ts';
import { type Html, trusted } from '../../lib/html.ts';

/** Prevents Git hosts from turning a text into a mention or a link; not needed here. */
const BREAK = '\u200b';

/** The engine writes paragraphs, lists, bold and code. All other Markdown is shown literally. */
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

/** A Markdown text of the engine, such as a narrative. Raw HTML, links and images in it stay text. */
export function markdownHtml(markdown: string): Html {
  const lines = markdown.split('\n').map((line) => escapeInvisible(line.replaceAll(BREAK, '')));
  return trusted(micromark(lines.join('\n'), { extensions: [{ disable: { null: DISABLED } }] }));
}
