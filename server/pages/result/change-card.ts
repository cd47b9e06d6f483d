import {
  type AttributeDiff,
  type Cause,
  type Change,
  plural,
  type RiskLevel,
  type Row,
} from '../../../engine/index.ts';
import { foreign, type Html, html } from '../../lib/html.ts';
import { attributeSides } from './value.ts';

/** More than this of one change is for programs. */
const MOST_ATTRIBUTES = 50;
const MOST_ATTRIBUTE_BYTES = 60_000;
const MOST_NAME = 500;

const LEVEL_SIGNS: Record<RiskLevel, string> = { critical: '◆', high: '▲', medium: '●', low: '○', none: '✓' };
const ACTION_SIGNS: Record<string, string> = {
  delete: '−',
  replace: '±',
  update: '~',
  create: '+',
  forget: '·',
  import: '←',
  move: '→',
};

/** A level as a sign and a word: its color is only a help. */
export function levelBadge(level: RiskLevel): Html {
  const words = level === 'none' ? 'no risk' : `${level} risk`;
  return html`<span class="level ${level}"><span aria-hidden="true">${LEVEL_SIGNS[level]}</span> ${words}</span>`;
}

/**
 * One change as the comment on a pull request tells it, with its attributes folded below.
 *
 * @param change the change behind the row
 */
export function changeCard({ action, address, level, undoes, causes, reasons }: Row, change: Change | undefined): Html {
  const sign = html`<span aria-hidden="true">${ACTION_SIGNS[action] ?? '?'}</span>`;
  const why = [
    ...(undoes === null ? [] : [html`<p><strong>${sayCause(undoes, ': ')}</strong></p>`]),
    ...(causes.length === 0 ? [] : [html`<p>${join(causes.map((cause) => sayCause(cause, ' ')))}</p>`]),
    ...(reasons.length === 0 ? [] : [html`<ul>${reasons.map((reason) => html`<li>${foreign(reason)}</li>`)}</ul>`]),
  ];
  return html`
      <article class="change">
        <h3>${nameCode(address)}</h3>
        <p>${sign} ${action} · ${levelBadge(level)}</p>
        ${why}${change === undefined ? '' : attributeTable(change)}
      </article>`;
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
  return html`<tr><th scope="row">${path}${forces}</th><td>${before}</td><td>${after}</td></tr>`;
}

/** A name of the plan, without its middle where it is too long: both ends of an address say what it is. */
export function nameCode(name: string): Html {
  const half = MOST_NAME / 2;
  return html`<code>${foreign(name.length <= MOST_NAME ? name : `${name.slice(0, half)}…${name.slice(-half)}`)}</code>`;
}

function sayCause({ text, names }: Cause, colon: string): Html {
  if (names.length === 0) return html`${foreign(text)}`;
  return html`${foreign(text)}${colon}${join(names.map(nameCode), ', ')}`;
}

function join(parts: readonly Html[], between = '; '): readonly Html[] {
  return parts.map((part, index) => (index === 0 ? part : html`${between}${part}`));
}
