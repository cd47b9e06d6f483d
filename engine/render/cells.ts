import type { Cause } from './causes.ts';
import type { Undoing } from './drift.ts';
import { codeCell, codeSpan, prose, visible } from './inert.ts';
import { type Row, typesOf } from './view.ts';

export const TABLE_HEAD = '| | Resource | Risk | Why |\n|---|---|---|---|';

const MAX_NAME = 300;
const MAX_TYPE = 60;
const MAX_TYPES = 3;
/** What must not be read over in a column of updates. */
const LOUD = new Set(['delete', 'replace']);

/** One change as a row of a table under `TABLE_HEAD`. */
export function tableRow({ action, address, level, undoes, causes, reasons }: Row): string {
  const why = [sayUndoes(undoes), causes.map(sayCause).join('; '), ...reasons.map(sentence)];
  const text = why.filter((part) => part !== '').join('<br>');
  const shown = LOUD.has(action) ? `**${action}**` : action;
  return `| ${shown} | ${cell(address)} | ${level} | ${text} |`;
}

/** What a plan undoes, as a sentence of Markdown. */
export function undoingLine({ sentence: says, address, paths, more }: Undoing): string {
  const named = paths.map(name).join(', ');
  const all = more > 0 ? `${named} and ${more} more` : named;
  return `**${says}:** ${name(address)}${named === '' ? '' : ` (${all})`}.`;
}

/** A name of the plan, for a line of Markdown. */
export function name(text: string): string {
  return codeSpan(cut(text));
}

/** A name of the plan, for a cell of a table. */
export function cell(text: string): string {
  return codeCell(cut(text));
}

/** Raw text as inert Markdown, not too long. */
export function sentence(text: string): string {
  return prose(cut(text));
}

/** At most `most` names, then how many there are besides. */
export function names(all: readonly string[], count = all.length, most = 5): string {
  const shown = all.slice(0, most);
  const more = count - shown.length;
  return shown.map(name).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The same for a cell of a table. */
export function cells(all: readonly string[], count: number, most: number): string {
  const more = count - Math.min(most, all.length);
  return all.slice(0, most).map(cell).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** `600 aws_instance, 250 aws_subnet`, the most frequent first. */
export function listTypes(rows: readonly { type: string }[]): string {
  const types = typesOf(rows);
  const shown = types.slice(0, MAX_TYPES).map(([type, count]) => `${count} ${codeSpan(cut(type, MAX_TYPE))}`);
  return shown.join(', ') + (types.length > MAX_TYPES ? ', …' : '');
}

/** The middle left out of what is too long: both ends of an address say what it is. */
function cut(text: string, length = MAX_NAME): string {
  const shown = visible(text);
  if (shown.length <= length) return shown;
  const half = Math.floor((length - 1) / 2);
  return visible(`${shown.slice(0, half)}…${shown.slice(-half)}`);
}

function sayUndoes(undoes: Cause | null): string {
  if (undoes === null) return '';
  const shown = undoes.names.map(cell);
  return `**${undoes.text}**${shown.length > 0 ? `: ${shown.join(', ')}` : ''}`;
}

function sayCause({ text, names: named }: Cause): string {
  const shown = named.map(cell);
  return [prose(text), ...(shown.length > 0 ? [shown.join(', ')] : [])].join(' ');
}
