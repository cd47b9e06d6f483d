/** Judges the value of a setting in a document by what it means: a schedule that never runs, no replicas, no retention. */

import type { MaybeJson } from '../../changes/values.ts';
import type { DocumentDifference } from '../../documents/types.ts';
import { splitWords } from '../../effects/words.ts';
import { isAtLeast, minLevel } from '../../model/levels.ts';
import type { JsonValue, RiskLevel } from '../../model/result.ts';
import { createArgumentReader, judgeValue } from '../meaning/values/index.ts';
import { lookUpTraits } from '../traits.ts';
import type { SettingFinding } from './settings.ts';

const FREE = /^(?:annotations|podAnnotations|labels|podLabels|matchLabels|selector|tags)$/;

/**
 * Judges a setting by its value; null when the value says nothing about risk.
 *
 * @param type of the resource that holds the document
 */
export function judgeSettingValue(
  type: string,
  { path, before, after }: DocumentDifference,
  { before: former, after: tree }: { before: JsonValue; after: JsonValue },
  most: RiskLevel = 'high',
): SettingFinding | null {
  if (path.length === 0 || path.some((segment) => FREE.test(String(segment)))) return null;
  const lost = judgeLostPart(path.at(-1), before, after, tree) ?? judgeWords(before, after);
  if (lost !== null) return lost;
  const holder = { type, traits: lookUpTraits(type), before: former, after: tree };
  const found = judgeValue(createArgumentReader(holder)({ path, before, after }));
  if (found === null || !isAtLeast(found.level, 'medium')) return null;
  return { level: minLevel(found.level, most), direction: found.direction, consequence: found.consequence };
}

/** A list of words, such as codes of countries, in which an unquoted `NO` or `ON` became a boolean. */
function judgeWords(before: MaybeJson, after: MaybeJson): SettingFinding | null {
  if (!Array.isArray(before) || !Array.isArray(after)) return null;
  const isWord = (item: JsonValue) => typeof item === 'string';
  const isBoolean = (item: JsonValue) => typeof item === 'boolean';
  if (!before.some(isWord) || before.some(isBoolean) || !after.some(isBoolean)) return null;
  return { level: 'medium', direction: 'neutral', consequence: 'An unquoted word is read as true or false' };
}

const NAMES = new Set<string | number>([
  'name',
  'id',
  'type',
  'kind',
  'plugin',
  'filter',
  'handler',
  'middleware',
  'processor',
]);
const CHECKS_CALLERS = new Set(
  splitWords(
    'jwt authn auth authz rbac waf modsecurity ratelimit oauth2 oauth oidc csrf hmac mtls acl captcha basicauth',
  ),
);

/** Judges the name of a part that is gone: an alarm, or a filter that checks callers. */
function judgeLostPart(
  key: string | number | undefined,
  before: MaybeJson,
  after: MaybeJson,
  tree: JsonValue,
): SettingFinding | null {
  if (typeof before !== 'string' || after !== undefined || key === undefined || before === '') return null;
  if (key !== 'alert' && !NAMES.has(key)) return null;
  // It stands at another place.
  if (JSON.stringify(tree).includes(JSON.stringify(before))) return null;
  if (key === 'alert') return { level: 'medium', direction: 'weakening', consequence: 'An alarm is removed' };
  return splitWords(before).some((word) => CHECKS_CALLERS.has(word))
    ? { level: 'high', direction: 'weakening', consequence: 'A part that checks callers is removed' }
    : null;
}
