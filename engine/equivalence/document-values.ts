/** Trees of documents whose values are written in other ways: durations, quantities, schedules, lists of names. */
import { metricQueryForm, quantityForm } from '../canonical/quantities.ts';
import { textListForm } from '../canonical/text-lists.ts';
import { isSameCron, isSameDuration, isSameSize } from '../canonical/universal.ts';
import { isContainer, isEqual } from '../changes/values.ts';
import { toNamedValues } from '../documents/lists.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { comparesWithAny, isPositionFree, namesOperator, saysPlaces } from './position-free.ts';

const QUANTITY_BLOCKS: ReadonlySet<string> = new Set(['limits', 'requests', 'hard', 'maxAllowed', 'minAllowed']);
/** Blocks whose texts are what they are: users choose their names, and other programs read them. */
const FREE: ReadonlySet<string> = new Set(
  'labels annotations data stringData binaryData matchLabels podLabels podAnnotations commonLabels commonAnnotations'.split(
    ' ',
  ),
);
/** Lists whose items stand for themselves: objects with a name each, or plain names. */
const SETS: ReadonlySet<string> = new Set(
  (
    'receivers tolerations imagePullSecrets volumes volumeMounts extraVolumes extraVolumeMounts accessModes policyTypes ' +
    'loadBalancerSourceRanges externalIPs dnsNames verbs resources apiGroups resourceNames add drop'
  ).split(' '),
);

/** Whether two trees differ only in how their values are written, or in the order of lists without order. */
export function isSameTree(before: JsonValue, after: JsonValue, names: readonly string[] = []): boolean {
  if (isEqual(before, after)) return true;
  const [block = '', name = ''] = [names.at(-2), names.at(-1)];
  if (FREE.has(name)) return false;
  if (isObject(before) && isObject(after)) return isSameObject(before, after, names);
  if (Array.isArray(before) && Array.isArray(after)) return isSameList(before, after, names);
  if (isContainer(before) || isContainer(after) || before === null || after === null) return false;
  if (QUANTITY_BLOCKS.has(block)) return isSameQuantity(String(before), String(after));
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  if (name === 'expr' && metricQueryForm(before) === metricQueryForm(after)) return metricQueryForm(before) !== null;
  if (isSameDuration(before, after) || isSameCron(before, after) || isSameSize(before, after)) return true;
  const [from, to] = [before, after].map((text) => textListForm(text, isSetName(name)));
  return from !== null && from === to;
}

/** Operators of queries that compare with any of their operands, and names that say the same. */
const OPERANDS: ReadonlySet<string> = new Set(['$in', '$nin', '$all', '$or', '$and', '$nor']);

function isSetName(name: string): boolean {
  if (SETS.has(name) || OPERANDS.has(name)) return true;
  return isPositionFree(
    name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replace(/[.-]/g, '_')
      .toLowerCase(),
  );
}

function isSameQuantity(before: string, after: string): boolean {
  const form = quantityForm(before);
  return form !== null && form === quantityForm(after);
}

function isSameObject(before: JsonObject, after: JsonObject, names: readonly string[]): boolean {
  const keys = Object.keys(before);
  if (keys.length !== Object.keys(after).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(after, key) &&
      isSameTree(before[key] as JsonValue, after[key] as JsonValue, [...names, nameMember(before, key)]),
  );
}

/** The values that an operator beside them compares with are a set. */
function nameMember(block: JsonObject, key: string): string {
  const is_set = (key === 'values' || key === 'rules') && comparesWithAny(block);
  return is_set ? '$in' : key;
}

function isSameList(before: JsonValue[], after: JsonValue[], names: readonly string[]): boolean {
  if (before.length !== after.length) return false;
  const [from, to] = [toNamedValues(before), toNamedValues(after)];
  // A variable can use those above it.
  if (from !== null && to !== null && !canonicalJson(before).includes('$('))
    return isSameObject(from, to, [...names, '']);
  const name = names.at(-1) ?? '';
  const is_set =
    SETS.has(name) ||
    OPERANDS.has(name) ||
    namesOperator(name) ||
    (saysPlaces(before) && saysPlaces(after)) ||
    (!before.some(isContainer) && isSetName(name));
  const [left, right] = is_set ? [sort(before), sort(after)] : [before, after];
  return left.every((item, at) => isSameTree(item, right[at] as JsonValue, [...names, '']));
}

/** By name, so that items with other spellings of the same values meet. */
function sort(list: JsonValue[]): JsonValue[] {
  const key = (item: JsonValue) =>
    isObject(item) && typeof item['name'] === 'string' ? item['name'] : canonicalJson(item);
  return [...list].sort((one, other) => (key(one) < key(other) ? -1 : Number(key(one) > key(other))));
}
