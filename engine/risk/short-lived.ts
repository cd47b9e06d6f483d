import type { ResourceChange } from '../changes/types.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject } from '../model/result.ts';
import type { Traits } from './traits.ts';

/** Words of environments that come and go with a branch, a test or a person. */
const SHORT_LIVED =
  /(?:^|[^a-z])(?:previews?|ephemeral|sandbox|review-?apps?|(?:pr|mr)[-_]?\d{1,6}|playground|scratch|throwaway|trial)(?:$|[^a-z])/i;
const LASTING = /(?:^|[^a-z])(?:prod|production|prd|live)(?:$|[^a-z])/i;
const NAMES = ['name', 'id', 'identifier', 'function_name', 'bucket', 'display_name'];
/** Logs that are kept for no longer than this are not missed. */
const MOST_DAYS = 7;

/**
 * Returns true for an object of a short-lived environment: two of its module, its own names and its tags say so, and
 * none names production. Objects that hold data count only if their settings show that nothing lasting is lost.
 */
export function isShortLived({ address, before }: ResourceChange, traits: Traits): boolean {
  if (before === null) return false;
  const module = address.startsWith('module.') ? address.slice(0, address.lastIndexOf('.')) : '';
  const names = listNames(before);
  const says_so = [module, ...new Set(names)].filter((name) => SHORT_LIVED.test(name));
  if (says_so.length < 2) return false;
  if ([module, ...names].some((name) => LASTING.test(name))) return false;
  return !traits.categories.includes('stateful') || holdsLittle(before);
}

function listNames(before: JsonObject): string[] {
  const tags = isObject(before['tags']) ? before['tags'] : before['labels'];
  const values = isObject(tags) ? Object.values(tags) : [];
  return [...NAMES.map((name) => before[name]), ...values].filter((value) => typeof value === 'string');
}

/** Logs that expire within days, and what the provider refuses to delete unless it is empty. */
function holdsLittle(before: JsonObject): boolean {
  const days = before['retention_in_days'];
  if (typeof days === 'number') return days > 0 && days <= MOST_DAYS;
  return before['force_delete'] === false || before['force_destroy'] === false;
}
