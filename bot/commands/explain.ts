import {
  type AttributeDiff,
  type Cause,
  type Change,
  causesOf,
  evidenceLine,
  evidenceOf,
  inertCell,
  inertName,
  inertNames,
  inertSentence,
  pathRank,
  type Reason,
  undoingCauseOf,
} from '../../engine/index.ts';
import { listOf, type Part, tableOf, writeBody } from './markdown.ts';
import { nearest } from './nearest.ts';
import { changesOf, type Found } from './prints.ts';
import type { CommandPlan } from './types.ts';

const MAX_OFFERED = 5;
const MAX_SHOWN = 10;
const MAX_REASONS = 10;
const MAX_ATTRIBUTES = 25;
const MAX_PRINTS = 3;
const NOISE_WORDS = { known_benign: 'known', likely_benign: 'most likely', novel: 'no' };

/**
 * All that is known of the change with this address, of each plan that has it: its exact address, else the only one that ends
 * with, else that holds the text.
 */
export function explain(address: string, plans: readonly CommandPlan[]): string {
  const all = changesOf(plans);
  const addresses = new Set(all.map(({ change }) => change.address));
  const meant = meantBy(address, addresses);
  if (meant.length !== 1) return writeBody([...offer(address, meant, addresses), ...gaps(plans)]);
  const found = all.filter(({ change }) => change.address === meant[0]);
  return writeBody([
    ...found.slice(0, MAX_SHOWN).flatMap((one) => partsOf(one, plans.length > 1)),
    ...(found.length > MAX_SHOWN ? [`… and ${found.length - MAX_SHOWN} more plans with this address.`] : []),
    'Only values that decide a level are shown.',
  ]);
}

function meantBy(asked: string, addresses: ReadonlySet<string>): string[] {
  if (addresses.has(asked)) return [asked];
  const ending = [...addresses].filter((address) => address.endsWith(asked));
  if (ending.length > 0) return ending;
  return [...addresses].filter((address) => address.includes(asked));
}

function offer(asked: string, several: readonly string[], addresses: ReadonlySet<string>): (Part | string)[] {
  if (several.length > 0) {
    return [listOf(`${several.length} changes fit ${inertName(asked)}:`, several.map(inertName), 'changes')];
  }
  const close = nearest(asked, addresses, MAX_OFFERED).map(inertName);
  const none = `${inertName(asked)} is not among the listed changes of this pull request.`;
  return close.length === 0 ? [none] : [none, listOf('Close to it:', close, 'changes')];
}

/** Where a change may be that was not found. */
function gaps(plans: readonly CommandPlan[]): string[] {
  const waiting = plans.filter(({ analysis }) => analysis === null).map(({ key }) => key);
  const cut = plans.filter(({ analysis }) => analysis?.changes_truncated === true).map(({ key }) => key);
  return [
    waiting.length > 0 ? `There is no result yet of ${inertNames(waiting)}.` : '',
    cut.length > 0 ? `Cut to size, without changes of lower risk: ${inertNames(cut)}.` : '',
  ];
}

function partsOf({ key, change }: Found, named: boolean): (Part | string)[] {
  const { action, address, risk, deposed } = change;
  const where = [named ? `in ${inertName(key)}` : '', deposed === null ? '' : `deposed ${inertName(deposed)}`];
  const place = [inertName(address), ...where.filter((text) => text !== '')].join(' ');
  const head = `${place}: **${action}**, level **${risk.level}**${raised(change)}`;
  const reasons = risk.reasons.map((reason) => reasonLine(reason, change));
  return [
    ...factsPart(`${head}.`, [...factsOf(change)]),
    ...(reasons.length === 0 ? [] : [listOf('Why this level:', cut(reasons, MAX_REASONS, 'reasons'), 'reasons')]),
    ...attributesOf(change),
  ];
}

function factsPart(head: string, facts: readonly string[]): (Part | string)[] {
  return [facts.length === 0 ? head : listOf(head, facts, 'facts')];
}

function raised({ risk }: Change): string {
  return risk.raised_by === null ? '' : `, raised by a language model from **${risk.deterministic_level}**`;
}

function reasonLine(reason: Reason, change: Change): string {
  const { rule_id, level, effect, path, message } = reason;
  const evidence = evidenceOf(reason, change);
  const values = evidence === null ? '' : ` (${evidenceLine(evidence)})`;
  const place = path === null || path === '' ? '' : ` at ${inertName(path)}`;
  const says = effect === 'cap' ? `at most **${level}**` : effect === 'block' ? 'blocks' : `**${level}**`;
  return `${says} by ${inertName(rule_id)}${place}: ${inertSentence(message)}${values}`;
}

function* factsOf(change: Change): Generator<string> {
  const undoes = undoingCauseOf(change);
  if (undoes !== null) yield `This apply ${sayCause(undoes)}.`;
  for (const cause of causesOf(change)) yield `${sayCause(cause)}.`.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  // Nothing but an update is ever noise.
  if (change.action === 'update') yield noiseLine(change);
}

function sayCause({ text, names }: Cause): string {
  const says = inertSentence(text);
  return names.length === 0 ? says : `${says} ${inertNames(names)}`;
}

function noiseLine({ noise }: Change): string {
  const { classification, suppression_id, matched_custom_rule_id, matched_rule_id, overridden, fingerprints } = noise;
  const rule = matched_custom_rule_id ?? matched_rule_id;
  const by = suppression_id !== null ? ', suppressed' : rule === null ? '' : `, by ${inertName(rule)}`;
  const still = overridden ? '; it counts in full all the same, because it destroys or weakens something' : '';
  const prints =
    fingerprints.length === 0 ? '' : `; fingerprints ${inertNames(fingerprints, fingerprints.length, MAX_PRINTS)}`;
  return `Noise: ${NOISE_WORDS[classification]}${by}${still}${prints}.`;
}

/** What is no noise first; of that what bears on security first, and tags last. */
function attributesOf({ attributes, attributes_total }: Change): Part[] {
  if (attributes.length === 0) return [];
  const ranked = [...attributes].sort(
    (a, b) => Number(a.noise !== 'novel') - Number(b.noise !== 'novel') || pathRank(a) - pathRank(b),
  );
  const rows = ranked.slice(0, MAX_ATTRIBUTES).map(attributeRow);
  const more = attributes_total - rows.length;
  if (more > 0) rows.push([`… and ${more} more`, '', '', '']);
  return [tableOf(['Attribute', 'Change', 'Protection', 'Noise'], rows, 'attributes')];
}

function attributeRow(diff: AttributeDiff): string[] {
  const { path, op, direction, noise } = diff;
  const marks = [
    diff.after_unknown ? 'known after apply' : op,
    diff.forces_replacement ? '**forces replacement**' : '',
    diff.before_sensitive || diff.after_sensitive ? 'sensitive' : '',
  ];
  const said = marks.filter((text) => text !== '').join(', ');
  return [inertCell(path), said, direction === 'neutral' ? '' : `**${direction}**`, NOISE_WORDS[noise]];
}

function cut(lines: readonly string[], most: number, kind: string): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `… and ${more} more ${kind}`] : [...lines];
}
