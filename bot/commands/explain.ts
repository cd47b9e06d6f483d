import {
  type AttributeDiff,
  type Cause,
  type Change,
  CONCERNS_NOTE,
  CONCERNS_TITLE,
  type Concern,
  collectCauses,
  describeConcerns,
  describeReversalCause,
  evidenceLine,
  findEvidence,
  formatConcern,
  inertCell,
  inertName,
  inertNames,
  inertSentence,
  pathRank,
  type Reason,
} from '../../engine/index.ts';
import { collectChanges, type PlanChange } from './fingerprints.ts';
import { buildList, buildTable, type Part, writeBody } from './markdown.ts';
import { rankNearest } from './nearest.ts';
import { ACCEPTANCE_LABELS } from './suppress.ts';
import type { CommandPlan } from './types.ts';

const MAX_OFFERED = 5;
const MAX_SHOWN = 10;
const MAX_REASONS = 10;
const MAX_ATTRIBUTES = 25;
const MAX_FINGERPRINTS = 3;
const NOISE_LABELS = { known_benign: 'known', likely_benign: 'most likely', novel: 'no' };

/**
 * Explains the change with this address in each plan that has it. Matches the exact address, else the only address that ends
 * with the text, else the only one that contains it.
 */
export function explain(address: string, plans: readonly CommandPlan[]): string {
  const all = collectChanges(plans);
  const addresses = new Set(all.map(({ change }) => change.address));
  const matches = matchAddress(address, addresses);
  if (matches.length !== 1)
    return writeBody([...suggestAddresses(address, matches, addresses), ...describeGaps(plans)]);
  const found = all.filter(({ change }) => change.address === matches[0]);
  return writeBody([
    ...found.slice(0, MAX_SHOWN).flatMap((one) => describeChange(one, plans)),
    ...(found.length > MAX_SHOWN ? [`… and ${found.length - MAX_SHOWN} more plans with this address.`] : []),
    'Only values that affect a level are shown.',
  ]);
}

function matchAddress(query: string, addresses: ReadonlySet<string>): string[] {
  if (addresses.has(query)) return [query];
  const ending = [...addresses].filter((address) => address.endsWith(query));
  if (ending.length > 0) return ending;
  return [...addresses].filter((address) => address.includes(query));
}

function suggestAddresses(
  query: string,
  matches: readonly string[],
  addresses: ReadonlySet<string>,
): (Part | string)[] {
  if (matches.length > 0) {
    return [buildList(`${matches.length} changes match ${inertName(query)}:`, matches.map(inertName), 'changes')];
  }
  const close = rankNearest(query, addresses, MAX_OFFERED).map(inertName);
  const none = `${inertName(query)} is not among the listed changes of this pull request.`;
  return close.length === 0 ? [none] : [none, buildList('Similar addresses:', close, 'changes')];
}

/** Lists plans in which a missing change could be. */
function describeGaps(plans: readonly CommandPlan[]): string[] {
  const waiting = plans.filter(({ analysis }) => analysis === null).map(({ key }) => key);
  const cut = plans.filter(({ analysis }) => analysis?.changes_truncated === true).map(({ key }) => key);
  return [
    waiting.length > 0 ? `There is no result yet for ${inertNames(waiting)}.` : '',
    cut.length > 0 ? `These results are truncated and omit changes of lower risk: ${inertNames(cut)}.` : '',
  ];
}

function describeChange({ key, change }: PlanChange, plans: readonly CommandPlan[]): (Part | string)[] {
  const { action, address, risk, deposed } = change;
  const where = [
    plans.length > 1 ? `in ${inertName(key)}` : '',
    deposed === null ? '' : `deposed ${inertName(deposed)}`,
  ];
  const place = [inertName(address), ...where.filter((text) => text !== '')].join(' ');
  const head = `${place}: **${action}**, level **${risk.level}**${describeRaise(change)}`;
  const reasons = risk.reasons.map((reason) => reasonLine(reason, change));
  return [
    ...factsPart(`${head}.`, [...collectFacts(change)]),
    ...(reasons.length === 0 ? [] : [buildList('Why this level:', cut(reasons, MAX_REASONS, 'reasons'), 'reasons')]),
    ...listConcerns(change, plans.find((plan) => plan.key === key)?.analysis?.concerns ?? []),
    ...buildAttributeTable(change),
  ];
}

/** Concerns cite current objects, not deposed ones with the same address. */
function listConcerns({ address, deposed }: Change, concerns: readonly Concern[]): Part[] {
  const own = concerns.filter((concern) => deposed === null && concern.address === address);
  if (own.length === 0) return [];
  const lines = describeConcerns({ concerns: own }).map(formatConcern);
  return [buildList(`${CONCERNS_TITLE}. ${CONCERNS_NOTE}`, lines, 'concerns')];
}

function factsPart(head: string, facts: readonly string[]): (Part | string)[] {
  return [facts.length === 0 ? head : buildList(head, facts, 'facts')];
}

function describeRaise({ risk }: Change): string {
  return risk.raised_by === null ? '' : `, raised by a language model from **${risk.deterministic_level}**`;
}

function reasonLine(reason: Reason, change: Change): string {
  const { rule_id, level, effect, path, message } = reason;
  const evidence = findEvidence(reason, change);
  const values = evidence === null ? '' : ` (${evidenceLine(evidence)})`;
  const place = path === null || path === '' ? '' : ` at ${inertName(path)}`;
  const says = effect === 'cap' ? `at most **${level}**` : effect === 'block' ? 'blocks' : `**${level}**`;
  return `${says} by ${inertName(rule_id)}${place}: ${inertSentence(message)}${values}`;
}

function* collectFacts(change: Change): Generator<string> {
  const undoes = describeReversalCause(change);
  if (undoes !== null) yield `This apply ${formatCause(undoes)}.`;
  for (const cause of collectCauses(change))
    yield `${formatCause(cause)}.`.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  // Only an update can be noise.
  if (change.action === 'update') yield noiseLine(change);
}

function formatCause({ text, names }: Cause): string {
  const says = inertSentence(text);
  return names.length === 0 ? says : `${says} ${inertNames(names)}`;
}

function noiseLine({ noise }: Change): string {
  const { classification, suppression_id, matched_custom_rule_id, matched_rule_id, overridden, fingerprints } = noise;
  const rule = matched_custom_rule_id ?? matched_rule_id;
  const by = suppression_id !== null ? ', suppressed' : rule === null ? '' : `, by ${inertName(rule)}`;
  const still = overridden ? `; it ${ACCEPTANCE_LABELS.guarded}` : '';
  const listed_fingerprints =
    fingerprints.length === 0
      ? ''
      : `; fingerprints ${inertNames(fingerprints, fingerprints.length, MAX_FINGERPRINTS)}`;
  return `Noise: ${NOISE_LABELS[classification]}${by}${still}${listed_fingerprints}.`;
}

/** Sorts attributes that are not noise first, then by relevance to security, with tags last. */
function buildAttributeTable({ attributes, attributes_total }: Change): Part[] {
  if (attributes.length === 0) return [];
  const ranked = [...attributes].sort(
    (a, b) => Number(a.noise !== 'novel') - Number(b.noise !== 'novel') || pathRank(a) - pathRank(b),
  );
  const rows = ranked.slice(0, MAX_ATTRIBUTES).map(attributeRow);
  const more = attributes_total - rows.length;
  if (more > 0) rows.push([`… and ${more} more`, '', '', '']);
  return [buildTable(['Attribute', 'Change', 'Protection', 'Noise'], rows, 'attributes')];
}

function attributeRow(diff: AttributeDiff): string[] {
  const { path, op, direction, noise } = diff;
  const marks = [
    diff.after_unknown ? 'known after apply' : op,
    diff.forces_replacement ? '**forces replacement**' : '',
    diff.before_sensitive || diff.after_sensitive ? 'sensitive' : '',
  ];
  const labels = marks.filter((text) => text !== '').join(', ');
  return [inertCell(path), labels, direction === 'neutral' ? '' : `**${direction}**`, NOISE_LABELS[noise]];
}

function cut(lines: readonly string[], most: number, kind: string): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `… and ${more} more ${kind}`] : [...lines];
}
