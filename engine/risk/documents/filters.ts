/** Judges filters of events and messages: what they no longer match is not delivered any more. */
import { isEqual, type MaybeJson } from '../../changes/values.ts';
import type { DocumentDifference } from '../../documents/types.ts';
import type { JsonValue } from '../../model/result.ts';
import type { SettingFinding } from './settings.ts';

/** Attributes that hold a filter as a document. */
const FILTERS = new Set(['event_pattern', 'filter_policy', 'filter_criteria', 'pattern']);
/** Services whose events tell about attacks. */
const SECURITY_SOURCES =
  /\baws\.(?:guardduty|securityhub|macie|inspector2?|access-analyzer|cloudtrail|signin|detective)\b/;

/** Whether an attribute holds a filter of events or messages. */
export function isFilter(attribute: string | number | undefined): boolean {
  return typeof attribute === 'string' && FILTERS.has(attribute);
}

/** Judges a difference of a filter; null when it matches as much as before, or more. */
export function judgeFilter({ before, after }: DocumentDifference, tree: JsonValue): SettingFinding | null {
  const reduction = measureReduction(before, after);
  if (reduction === 'none') return null;
  const is_security = SECURITY_SOURCES.test(JSON.stringify(tree));
  return {
    level: is_security && reduction === 'all' ? 'high' : 'medium',
    direction: 'weakening',
    consequence: 'Events that the filter no longer matches are not delivered',
  };
}

type Reduction = 'all' | 'part' | 'none';

function measureReduction(before: MaybeJson, after: MaybeJson): Reduction {
  if (after === undefined) return 'none';
  if (before === undefined || isEqual(before, [])) return 'part';
  if (!Array.isArray(before) || !Array.isArray(after)) return isEqual(before, after) ? 'none' : 'part';
  const numeric = compareBounds(before, after);
  if (numeric !== null) return numeric;
  const kept = before.filter((entry) => after.some((other) => isEqual(entry, other)));
  if (kept.length === before.length) return 'none';
  return kept.length === 0 ? 'all' : 'part';
}

/** Compares numeric conditions such as `[">=", 4, "<", 9]`; a bound that moves to ten times its value excludes all. */
function compareBounds(before: JsonValue[], after: JsonValue[]): Reduction | null {
  const [from, to] = [readBounds(before), readBounds(after)];
  if (from === null || to === null) return null;
  let reduction: Reduction = 'none';
  for (const [operator, bound] of to) {
    const known = from.get(operator);
    if (known === bound) continue;
    const is_narrower = known === undefined || (operator.startsWith('>') ? bound > known : bound < known);
    if (!is_narrower) continue;
    const is_far = known !== undefined && known > 0 && (bound >= known * 10 || bound * 10 <= known);
    reduction = is_far ? 'all' : reduction === 'all' ? 'all' : 'part';
  }
  return reduction;
}

function readBounds(list: JsonValue[]): Map<string, number> | null {
  const bounds = new Map<string, number>();
  for (let at = 0; at + 1 < list.length; at += 2) {
    const [operator, bound] = [list[at], list[at + 1]];
    if (typeof operator !== 'string' || !/^(?:[<>]=?|=)$/.test(operator) || typeof bound !== 'number') return null;
    bounds.set(operator, bound);
  }
  return bounds.size > 0 ? bounds : null;
}
