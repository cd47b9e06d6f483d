import type { BooleanCondition } from '../../../canonical/boolean-conditions.ts';
import {
  type Alternative,
  type Comparison,
  compareConditions,
  listAlternatives,
} from '../../../canonical/condition-alternatives.ts';
import { readCondition } from '../../../canonical/conditions.ts';
import type { MaybeJson } from '../../../changes/values.ts';
import { maxLevel } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { member } from '../../attributes/values.ts';
import { isReversed } from './expressions.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const CONDITION = listWords('expression condition filter match');
const LETS_PASS = /^(?:skip|allow|bypass|log|pass|permit|exempt|accept)\b/i;
const STOPS = /^(?:block|deny|challenge|managed_challenge|js_challenge|drop|reject|throttle|rate_based_ban)\b/i;
/** What a caller cannot choose: its address, its network, its certificate. */
const PROVEN =
  /(?:ip\.src|origin\.ip|remote_?ip|client_?ip|asn(?:um)?\b|tls_client_auth|verified_bot|country|region_code)/i;
/** What a caller writes into a request at will. */
const CHOSEN = /user[-_]agent|header|cookie|referer|query|args|x-forwarded/i;
const IS_EXACT = /\s(?:eq|==|in)\s/;
const STOPS_NOTHING = 'The rule stops nothing any more';
/** Matches nothing. */
const NOTHING: BooleanCondition = { kind: 'any', parts: [] };
const ONE_PATH = /(?:path|uri)\S{0,20}\s(?:eq|==)\s/;

/** Judges conditions of rules that let requests pass or stop them: what they match now and did not match before. */
export function judgeCondition({ words, before, after, holders }: Argument): ValueFinding | null {
  if (!hasAny(words, CONDITION) || typeof before !== 'string' || typeof after !== 'string') return null;
  const action = findAction(holders);
  const passes = LETS_PASS.test(action);
  if (!passes && !STOPS.test(action)) return null;
  const sensitivity = passes ? null : judgeSensitivity(before, after);
  if (sensitivity !== null) return sensitivity;
  const change = compareConditions(before, after);
  if (change === null) return null;
  return passes ? judgePass(change) : judgeStop(change, after);
}

const SENSITIVITY = /(["']sensitivity["']\s{0,5}:\s{0,5})(\d)/g;

/** How many signatures of a set apply: 0 is none. */
function judgeSensitivity(before: string, after: string): ValueFinding | null {
  const [from, to] = [before, after].map((text) => [...text.matchAll(SENSITIVITY)].map(([, , level]) => Number(level)));
  const [was, is] = [before, after].map((text) => text.replace(SENSITIVITY, ''));
  if (was !== is || from!.length === 0 || from!.length !== to!.length) return null;
  if (from!.some((level, at) => level > 0 && to![at] === 0)) return report('high', 'weakening', STOPS_NOTHING);
  if (from!.some((level, at) => level > to![at]!)) return report('medium', 'weakening', 'Fewer requests are stopped');
  return report('low', 'strengthening', 'More requests are stopped');
}

function findAction(holders: readonly MaybeJson[]): string {
  const action = holders.map((holder) => member(holder, 'action')).find((value) => typeof value === 'string');
  return typeof action === 'string' ? action : '';
}

function judgePass({ added }: Comparison): ValueFinding {
  if (added.length === 0) return report('low', 'strengthening', 'Fewer requests pass without a check');
  const level = maxLevel(...added.map(ratePass));
  return report(
    level,
    level === 'low' ? 'neutral' : 'weakening',
    level === 'high' ? PASSES_ALL : 'More requests pass without a check',
  );
}

function ratePass(alternative: Alternative): RiskLevel {
  const tests = [...alternative].filter((test) => !test.startsWith('not '));
  if (!tests.some(isLimited)) return 'high';
  return tests.some((test) => ONE_PATH.test(test)) ? 'low' : 'medium';
}

const PASSES_ALL = 'Requests with a property that every caller can choose pass without a check';

/** Whether a comparison limits a rule to callers or paths that are known. */
function isLimited(test: string): boolean {
  return ONE_PATH.test(test) || (PROVEN.test(test) && (IS_EXACT.test(test) || /inIpRange/i.test(test)));
}

function judgeStop(change: Comparison, after: string): ValueFinding {
  const { lost } = change;
  const left = listAlternatives(readCondition(after) ?? NOTHING) ?? [];
  if (left.length === 0) return report('high', 'weakening', STOPS_NOTHING);
  if (lost.length === 0) return report('low', 'strengthening', 'More requests are stopped');
  if (isReversed(change)) return report('high', 'weakening', 'The rule stops the opposite: what it stopped now passes');
  const known = new Set(lost.flatMap((one) => [...one]));
  const is_chosen = left.some((one) => [...one].some((test) => !known.has(test) && CHOSEN.test(test)));
  return report(is_chosen ? 'high' : 'medium', 'weakening', 'Fewer requests are stopped');
}

function report(level: RiskLevel, direction: ValueFinding['direction'], consequence: string): ValueFinding {
  return { rule: 'R-VAL-CONDITION', level, direction, consequence, beyond_rules: level === 'high' };
}
