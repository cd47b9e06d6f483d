import {
  type AttributeDiff,
  type Cause,
  type Change,
  type Evidence,
  type InsideDiff,
  LEVEL_MARKS,
  plural,
  type RiskLevel,
  type Row,
  type ShownConcern,
  type ShownReason,
  type ShownValue,
} from '../../../engine/index.ts';
import { type Html, html, untrusted } from '../../lib/html.ts';
import { attributeSides, insideSide } from './value.ts';

/** Maximum number of attributes of one change on the page. */
const MOST_ATTRIBUTES = 50;
const MOST_ATTRIBUTE_BYTES = 60_000;
const MOST_NAME = 500;

const ACTION_SIGNS: Record<string, string> = {
  delete: '−',
  replace: '±',
  update: '~',
  create: '+',
  forget: '·',
  import: '←',
  move: '→',
};

/** A level as a symbol and a word; the color is only an addition. */
export function levelBadge(level: RiskLevel): Html {
  const words = level === 'none' ? 'no risk' : `${level} risk`;
  const { symbol } = LEVEL_MARKS[level];
  return html`<span class="level ${level}"><span aria-hidden="true">${symbol}</span> ${words}</span>`;
}

/**
 * One change as in the pull request comment, with its attributes folded below.
 *
 * @param change the change of the row
 */
export function changeCard(
  { action, address, level, reasons, causes, reversal: undoes }: Row,
  change: Change | undefined,
): Html {
  const sign = html`<span aria-hidden="true">${ACTION_SIGNS[action] ?? '?'}</span>`;
  const why = [
    ...(reasons.length === 0 ? [] : [html`<ul>${reasons.map(reasonItem)}</ul>`]),
    ...(causes.length === 0 ? [] : [html`<p>${join(causes.map((cause) => formatCause(cause, ' ')))}</p>`]),
    ...(undoes === null ? [] : [html`<p><strong>${formatCause(undoes, ': ')}</strong></p>`]),
  ];
  return html`
      <article class="change">
        <h3>${nameCode(address)}</h3>
        <p>${sign} ${action} · ${levelBadge(level)}</p>
        ${why}${change === undefined ? '' : attributeTable(change)}
      </article>`;
}

/** A reason, and below it the deciding values. */
function reasonItem({ text, evidence }: ShownReason): Html {
  const lines = (evidence?.differences ?? []).map((difference) => html`<br>${formatDifference(difference)}`);
  const more = evidence?.more ?? 0;
  return html`<li>${untrusted(text)}${lines}${more > 0 ? html`<br>and ${more} more` : ''}</li>`;
}

/** A concern of a language model, with the value that it cites. */
export function concernItem({ level, category, address, text, difference }: ShownConcern): Html {
  const head = html`<strong>${category}, ${level}:</strong> ${nameCode(address)}`;
  return html`<li><span aria-hidden="true">${LEVEL_MARKS[level].symbol}</span> ${head}<br>${untrusted(text)}<br>${formatDifference(difference)}</li>`;
}

function formatDifference({ path, within, before, after }: Evidence['differences'][number]): Html {
  const place = within === null || within === '' ? nameCode(path) : html`${nameCode(path)} › ${nameCode(within)}`;
  return html`${place}: ${formatValue(before)} → ${formatValue(after)}`;
}

function formatValue({ code, note: words }: ShownValue): Html {
  if (code === null) return html`<span class="soft">${words}</span>`;
  return html`${nameCode(code)}${words === '' ? '' : html` <span class="soft">${words}</span>`}`;
}

function attributeTable({ attributes, attributes_total }: Change): Html {
  if (attributes.length === 0) return html``;
  const total = Math.max(attributes_total, attributes.length);
  const rows: Html[] = [];
  let left = MOST_ATTRIBUTE_BYTES;
  for (const diff of attributes.slice(0, MOST_ATTRIBUTES)) {
    const row = attributeRow(diff);
    left -= Buffer.byteLength(row.text);
    if (left < 0) break;
    rows.push(row);
  }
  const more = total - rows.length;
  return html`<details><summary>${plural(total, 'changed attribute')}</summary>
          <table><thead><tr><th scope="col">Attribute</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
          <tbody>${rows}</tbody></table>
          ${more > 0 ? html`<p>${more} more not shown here.</p>` : ''}</details>`;
}

function attributeRow(diff: AttributeDiff): Html {
  const { before, after } = attributeSides(diff);
  const path = diff.path === '' ? html`<span class="soft">whole value</span>` : nameCode(diff.path);
  const forces = diff.forces_replacement ? html` <strong>forces replacement</strong>` : '';
  const inside = (diff.inside ?? []).map((one) => insideRow(diff.path, one));
  return html`<tr><th scope="row">${path}${forces}</th><td>${before}</td><td>${after}</td></tr>${inside}`;
}

/** What differs inside the document of an attribute. */
function insideRow(attribute: string, { path, before, after }: InsideDiff): Html {
  const place = path === '' ? nameCode(attribute) : html`${nameCode(attribute)} › ${nameCode(path)}`;
  return html`<tr><th scope="row">${place}</th><td>${insideSide(before)}</td><td>${insideSide(after)}</td></tr>`;
}

/** A name from the plan, with its middle removed if it is too long: both ends of an address identify it. */
export function nameCode(name: string): Html {
  const half = MOST_NAME / 2;
  return html`<code>${untrusted(name.length <= MOST_NAME ? name : `${name.slice(0, half)}…${name.slice(-half)}`)}</code>`;
}

function formatCause({ text, names }: Cause, colon: string): Html {
  if (names.length === 0) return html`${untrusted(text)}`;
  return html`${untrusted(text)}${colon}${join(names.map(nameCode), ', ')}`;
}

function join(parts: readonly Html[], between = '; '): readonly Html[] {
  return parts.map((part, index) => (index === 0 ? part : html`${between}${part}`));
}
