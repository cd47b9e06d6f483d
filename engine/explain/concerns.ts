import { isObject } from '../lib/is-object.ts';
import { compareLevels, minLevel } from '../model/levels.ts';
import {
  type Change,
  CONCERN_CATEGORIES,
  type Concern,
  type JsonValue,
  type PlanAnalysis,
  RISK_LEVELS,
  type RiskLevel,
} from '../model/result.ts';
import { hasExactly } from './answer.ts';
import type { ClaimContext } from './claims.ts';
import { findChangeIndex, withoutTicks } from './find-change.ts';
import { type Reader, readReason } from './read-sentences.ts';
import type { KnownValue } from './shown-values.ts';
import type { PlanFacts } from './types.ts';

const MAX_CONCERNS = 10;
/** Number of entries to check. An answer has room for hundreds, and a model that writes so many is not explaining. */
const MAX_READ = 50;
/** No answer of a model is critical: rules know what is lost for good. */
const HIGHEST: RiskLevel = 'high';
const MEMBERS = ['address', 'path', 'category', 'level', 'sentence', 'before', 'after'];

/** A concern as a model wrote it; its types are checked, its content is not. */
type Claimed = Concern;

/** What a concern cites, as the analysis has it. */
interface Cited {
  change: Change;
  value: KnownValue;
}

export type ConcernReader = Reader & { known: PlanFacts };

/**
 * The concerns of an answer whose evidence is in the plan: a planned change, a changed value of it that was shown to the
 * model, and both sides of that value. Values come from the plan, not from the answer. Others are added to `dropped`.
 *
 * @returns highest level first, then in the order of the changes; at most ten, one for each value
 */
export function readConcerns(claims: readonly JsonValue[], analysis: PlanAnalysis, reader: ConcernReader): Concern[] {
  const found = new Map<string, { concern: Concern; index: number }>();
  for (const claim of claims.slice(0, MAX_READ)) {
    const read = readConcern(claim, analysis, reader);
    if (typeof read === 'string') {
      reader.dropped.add(nameClaim(claim), read);
      continue;
    }
    const { address, path } = read;
    const key = JSON.stringify([address, path]);
    const index = analysis.changes.findIndex((change) => change.address === address);
    if (found.has(key)) reader.dropped.add(nameClaim(claim), 'is a duplicate');
    else found.set(key, { concern: read, index });
  }
  const sorted = [...found.values()]
    .sort((a, b) => compareLevels(b.concern.level, a.concern.level) || a.index - b.index)
    .map(({ concern }) => concern);
  const more = claims.length - Math.min(claims.length, MAX_READ) + Math.max(0, sorted.length - MAX_CONCERNS);
  if (more > 0) reader.dropped.add(`${more} more concerns`, `exceed the limit of ${MAX_CONCERNS}`);
  return sorted.slice(0, MAX_CONCERNS);
}

/** @returns why it is dropped, as text */
function readConcern(claim: JsonValue, analysis: PlanAnalysis, reader: ConcernReader): Concern | string {
  const claimed = toClaimed(claim);
  if (claimed === null) return 'does not match the schema';
  const cited = findCited(claimed, analysis, reader.known);
  if (typeof cited === 'string') return cited;
  const { change, value } = cited;
  const level = minLevel(claimed.level, HIGHEST);
  if (compareLevels(level, change.risk.level) <= 0) return 'is not above the level of the change';
  const { category } = claimed;
  const context = toConcernContext(reader.context, { change, level, category });
  const sentence = readReason(claimed.sentence, { ...reader, context }, change);
  if (sentence === '') return 'has no acceptable sentence';
  const { before, after, shown } = value;
  return { address: change.address, path: shown.path, category, level, sentence, before, after };
}

function toClaimed(claim: JsonValue): Claimed | null {
  if (!isObject(claim) || !hasExactly(claim, MEMBERS)) return null;
  const { address, path, category, level, sentence } = claim;
  if (typeof address !== 'string' || typeof path !== 'string' || typeof sentence !== 'string') return null;
  const is_known =
    CONCERN_CATEGORIES.some((known) => known === category) && RISK_LEVELS.some((known) => known === level);
  return is_known ? (claim as unknown as Claimed) : null;
}

/** Finds the evidence: nothing that was withheld from the model is found. */
function findCited(claimed: Claimed, { changes }: PlanAnalysis, known: PlanFacts): Cited | string {
  const index = findChangeIndex(claimed.address, known);
  const change = index === undefined ? undefined : changes[index];
  if (index === undefined || change === undefined || change.deposed !== null) return 'is not a change of this plan';
  const path = withoutTicks(claimed.path);
  const values = (known.values[index] ?? []).filter(({ shown }) => shown.path === path);
  if (values.length === 0) return 'names a path without a shown value';
  const value = values.find(
    ({ shown }) => isEqual(shown.before, claimed.before) && isEqual(shown.after, claimed.after),
  );
  if (value === undefined || value.shown.unknown === true) return 'states values that differ from the plan';
  return value.is_same ? 'names a path whose meaning stays' : { change, value };
}

/** Shown values are scalars and lists of scalars. */
function isEqual(a: JsonValue, b: JsonValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function toConcernContext(
  context: ClaimContext,
  { change, level, category }: Pick<Cited, 'change'> & Pick<Concern, 'level' | 'category'>,
): ClaimContext {
  return {
    ...context,
    allowedLevels: (one) => [...context.allowedLevels(one), ...(one.id === change.id ? [level] : [])],
    is_about_data: category === 'data_loss',
  };
}

function nameClaim(claim: JsonValue): string {
  const address = isObject(claim) ? claim['address'] : undefined;
  return `concern about ${typeof address === 'string' ? address : 'no address'}`;
}
