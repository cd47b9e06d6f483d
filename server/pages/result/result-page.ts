import {
  type Change,
  CONCERNS_NOTE,
  CONCERNS_TITLE,
  countTypes,
  createView,
  describeLevel,
  formatMoreReversals,
  type PlanAnalysis,
  plural,
  type Row,
  type View,
  WITHHELD,
} from '../../../engine/index.ts';
import { renderDocument } from '../../contract/html-page.ts';
import { type Html, html, untrusted } from '../../lib/html.ts';
import { changeCard, concernItem, levelBadge, nameCode } from './change-card.ts';
import { markdownHtml } from './markdown.ts';
import { originList, type RunFacts } from './run.ts';
import { outputSides } from './value.ts';

/** A phone renders a page of this size in about a second. */
const MOST_BYTES = 1_000_000;
const MOST_OUTPUTS = 50;
const MOST_NOISE = 200;
const MOST_UNDOINGS = 20;
const MOST_LIVE = 20;
const MOST_TYPES = 5;
const MOST_GAPS = 50;

/**
 * The page of one result: the facts of the pull request comment, in the same order and words, with the values of
 * attributes as the API shows them.
 *
 * @param analysis finished and redacted
 * @returns a whole document, of at most about a megabyte: further changes are counted
 */
export function resultDocument(analysis: PlanAnalysis, run: RunFacts): string {
  const view = createView(analysis);
  const words = describeLevel({ ...view, waiting: 0 });
  const cards = createCards();
  const planned = new Map(analysis.changes.map((change) => [change.id, change]));
  const drifted = new Map(analysis.resource_drift.map((change) => [change.id, change]));
  const main = html`
      <h1>Plan result: ${words}</h1>
      ${verdict(view, analysis)}
      ${warnings(view)}
      ${originList(run)}
      ${notEvaluated(view)}
      <h2>Summary</h2>
      ${markdownHtml(analysis.narrative)}
      ${concernSection(view)}
      ${cards.section('Needs review', view.review, planned)}
      ${cards.section('Other changes', view.others, planned)}
      ${outputs(analysis)}
      ${view.drift.sentence === '' ? '' : html`<h2>Drift</h2><p>${view.drift.sentence}.</p>`}
      ${cards.section('Drifted resources', view.drift.rows, drifted)}
      ${noise(view)}
      ${cutNote(cards.cut(), view)}
      ${support(analysis, run)}`;
  return renderDocument(`Plan result: ${words}`, main);
}

function verdict(
  { level, blocked, total, destructive, constructive, noise }: View,
  { plan_noise }: PlanAnalysis,
): Html {
  const counts = [...destructive, ...constructive].join(', ');
  const changes = total === 0 ? 'No changes to resources.' : `${plural(total, 'change')}: ${counts}.`;
  const { novel, suppressed } = plan_noise;
  return html`<div class="verdict ${level}">
        <p>${levelBadge(level)}${blocked ? html` · <strong>Blocked by a rule of the organization</strong>` : ''}</p>
        <p>${changes}</p>
        <p>Known noise: ${noise.count}. Novel: ${novel}. Suppressed: ${suppressed}.</p>
      </div>`;
}

/** Warnings, manual changes that the plan reverts, and what scans found about its resources. */
function warnings({ warnings: texts, reversals: undoings, live }: View): readonly Html[] {
  const shown_undoings = undoings.slice(0, MOST_UNDOINGS).map(({ sentence, address, paths, more }) => {
    const named = paths.map((path, index) => html`${index === 0 ? '' : ', '}${nameCode(path)}`);
    const all = html` (${named}${more > 0 ? ` and ${more} more` : ''})`;
    return html`<strong>${sentence}:</strong> ${nameCode(address)}${named.length === 0 ? '' : all}`;
  });
  if (undoings.length > MOST_UNDOINGS)
    shown_undoings.push(html`${formatMoreReversals(undoings.length - MOST_UNDOINGS)}`);
  const shown_live = live
    .slice(0, MOST_LIVE)
    .map(({ clause, address }) => html`<strong>In the cloud:</strong> ${nameCode(address)} ${untrusted(clause)}`);
  if (live.length > MOST_LIVE)
    shown_live.push(html`${live.length - MOST_LIVE} more findings of scans are with the changes.`);
  const items = [...texts.map((text) => html`<strong>${untrusted(text)}</strong>`), ...shown_undoings, ...shown_live];
  return items.map((item) => html`<p class="warning">${item}</p>`);
}

function notEvaluated({ gaps: { listed, total, values_withheld } }: View): Html {
  const named = listed.slice(0, MOST_GAPS).map(({ name, paths, more, why }) => {
    const parts = paths.map((path, index) => html`${index === 0 ? '' : ', '}${nameCode(path)}`);
    return html`<li>${nameCode(name)}: ${parts}${more > 0 ? ` and ${more} more` : ''} ${why}</li>`;
  });
  const left = total - named.length;
  const items = [
    ...named,
    ...(left > 0 ? [html`<li>and ${left} more</li>`] : []),
    ...(values_withheld ? [html`<li>${WITHHELD}</li>`] : []),
  ];
  return items.length === 0 ? html`` : html`<h2>Not evaluated</h2><ul>${items}</ul>`;
}

function concernSection({ concerns }: View): Html {
  if (concerns.length === 0) return html``;
  return html`<h2>${CONCERNS_TITLE} (${concerns.length})</h2><p>${CONCERNS_NOTE}</p><ul>${concerns.map(concernItem)}</ul>`;
}

/** Cards in the order of weight, until the page is full. */
function createCards() {
  let left = MOST_BYTES;
  const cut: Row[] = [];

  function section(title: string, rows: readonly Row[], changes: ReadonlyMap<string, Change>): Html {
    if (rows.length === 0) return html``;
    const cards = rows.flatMap((row) => {
      const card = left <= 0 ? null : changeCard(row, changes.get(row.id));
      left -= card === null ? 0 : Buffer.byteLength(card.text);
      if (card !== null && left > 0) return [card];
      cut.push(row);
      return [];
    });
    return html`<h2>${title} (${rows.length})</h2>${cards.length < rows.length ? html`<p>The first ${cards.length} are shown.</p>` : ''}${cards}`;
  }

  return { section, cut: (): readonly Row[] => cut };
}

function outputs({ output_changes }: PlanAnalysis): Html {
  const changed = output_changes.filter(({ action }) => action !== 'no-op');
  if (changed.length === 0) return html``;
  const rows = changed.slice(0, MOST_OUTPUTS).map((output) => {
    const { before, after } = outputSides(output);
    return html`<tr><th scope="row">${nameCode(output.name)}</th><td>${before}</td><td>${after}</td></tr>`;
  });
  const more = changed.length - rows.length;
  return html`<h2>Outputs (${changed.length})</h2>
      <table><thead><tr><th scope="col">Output</th><th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>${rows}</tbody></table>
      ${more > 0 ? html`<p>${more} more not shown here.</p>` : ''}`;
}

function noise({ noise: { count, suppressed, names, proofs }, total }: View): Html {
  if (count === 0) return html``;
  const shown = names.slice(0, MOST_NOISE).map((name) => {
    const proof = proofs.get(name);
    return html`<li>${nameCode(name)}${proof === undefined ? '' : ` (${proof})`}</li>`;
  });
  const more = count - shown.length;
  const hidden = suppressed > 0 ? `, ${suppressed} of them suppressed by the organization` : '';
  return html`<h2>Ignored as noise (${count})</h2>
      <p>${count} of ${plural(total, 'change')}${hidden}.</p>
      <details><summary>Which changes</summary><ul>${shown}</ul>${more > 0 ? html`<p>${more} more not shown here.</p>` : ''}</details>`;
}

function cutNote(cut: readonly Row[], { destroyed_unlisted, unlisted }: View): Html {
  const types = countTypes(cut);
  const named = types
    .slice(0, MOST_TYPES)
    .map(([type, count], index) => html`${index === 0 ? '' : ', '}${count} ${untrusted(type)}`);
  const rest = types.slice(MOST_TYPES).reduce((sum, [, count]) => sum + count, 0);
  const others = rest > 0 ? `, ${rest} of other types` : '';
  const parts = [
    ...(cut.length === 0 ? [] : [html`${plural(cut.length, 'more change')}: ${named}${others}`]),
    ...(destroyed_unlisted === 0
      ? []
      : [html`${destroyed_unlisted} more destroyed or replaced changes that the result does not list`]),
    ...(unlisted === 0 ? [] : [html`${plural(unlisted, 'more change')} of lower risk that the result does not list`]),
  ];
  return parts.length === 0
    ? html``
    : html`<h2>Not shown here</h2><ul>${parts.map((part) => html`<li>${part}</li>`)}</ul>`;
}

/** Details for support requests. */
function support({ risk, summary, narrative_status }: PlanAnalysis, { id, org_id }: RunFacts): Html {
  const writer = narrative_status === 'ready' ? 'a language model, verified against the plan' : 'rules';
  return html`<h2>About this result</h2>
      <dl>
        <dt>Result</dt><dd><code>${id}</code></dd>
        <dt>Organization</dt><dd><code>${org_id}</code></dd>
        <dt>Engine</dt><dd>${untrusted(risk.engine_version)}</dd>
        <dt>Risk policy</dt><dd>version ${risk.policy_version}</dd>
        <dt>Terraform or OpenTofu</dt><dd>${untrusted(summary.terraform_version ?? 'unknown version')}</dd>
        <dt>Levels decided by</dt><dd>rules</dd>
        <dt>Summary written by</dt><dd>${writer}</dd>
        <dt>As JSON</dt><dd><code>GET /api/v2/orgs/${org_id}/scans/${id}</code></dd>
      </dl>`;
}
