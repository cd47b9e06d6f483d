import { escapeInvisible } from '../../engine/index.ts';

/** HTML that is safe to send to a browser. Only `html` and `trusted` create it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = Html | string | number | readonly HtmlValue[];

/**
 * Builds HTML from a template literal. Each value is escaped unless it is `Html` itself; lists are joined. A value is
 * safe as the content of an element and inside a quoted attribute, but not in a `style` or `script` element or an
 * unquoted attribute.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const text = strings.map((part, index) => (index === 0 ? part : write(values[index - 1]!) + part));
  return new Html(text.join(''));
}

/** Marks a text of this service as HTML: a style sheet, or the output of a library that escapes. */
export function trusted(text: string): Html {
  return new Html(text);
}

/**
 * An untrusted text. Control, bidirectional and invisible characters are shown as escapes, and the text cannot change
 * the direction of the text around it.
 */
export function untrusted(text: string): Html {
  return html`<bdi>${escapeInvisible(text)}</bdi>`;
}

function write(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  return typeof value === 'number' ? String(value) : value.map(write).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
