import type { BooleanCondition } from '../../../canonical/boolean-conditions.ts';
import { evaluate, listCases, listTests, MAX_TESTS, readCases } from '../../../canonical/condition-cases.ts';
import type { MaybeJson } from '../../../changes/values.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { member } from '../../attributes/values.ts';
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
const ONE_PATH = /(?:path|uri)\S{0,20}\s(?:eq|==)\s/;

/** Judges conditions of rules that let requests pass or stop them: what they match now and did not match before. */
export function judgeCondition({ words, before, after, holders }: Argument): ValueFinding | null {
  if (!hasAny(words, CONDITION) || typeof before !== 'string' || typeof after !== 'string') return null;
  const action = findAction(holders);
  const passes = LETS_PASS.test(action);
  if (!passes && !STOPS.test(action)) return null;
  const [from, to] = [readCases(before), readCases(after)];
  if (from === null || to === null) return null;
  const tests = [...new Set([...listTests(from), ...listTests(to)])];
  if (tests.length > MAX_TESTS) return null;
  return passes ? judgePass(tests, from, to) : judgeStop(tests, from, to);
}

function findAction(holders: readonly MaybeJson[]): string {
  const action = holders.map((holder) => member(holder, 'action')).find((value) => typeof value === 'string');
  return typeof action === 'string' ? action : '';
}

function judgePass(tests: readonly string[], from: BooleanCondition, to: BooleanCondition): ValueFinding {
  let level: RiskLevel | null = null;
  for (const holds of listCases(tests)) {
    if (!evaluate(to, holds) || evaluate(from, holds)) continue;
    if (!tests.some((test) => holds.has(test) && isLimited(test))) level = 'high';
    else if (level !== 'high')
      level = tests.some((test) => holds.has(test) && ONE_PATH.test(test)) ? (level ?? 'low') : 'medium';
  }
  return level === null
    ? report('low', 'strengthening', 'Fewer requests pass without a check')
    : report(
        level,
        level === 'low' ? 'neutral' : 'weakening',
        level === 'high' ? PASSES_ALL : 'More requests pass without a check',
      );
}

const PASSES_ALL = 'Requests with a property that every caller can choose pass without a check';

/** Whether a comparison limits a rule to callers or paths that are known. */
function isLimited(test: string): boolean {
  return ONE_PATH.test(test) || (PROVEN.test(test) && (IS_EXACT.test(test) || /inIpRange/i.test(test)));
}

function judgeStop(tests: readonly string[], from: BooleanCondition, to: BooleanCondition): ValueFinding {
  const known = new Set(listTests(from));
  let level: RiskLevel = 'low';
  let is_used = false;
  for (const holds of listCases(tests)) {
    const stops = evaluate(to, holds);
    is_used ||= stops;
    if (stops || !evaluate(from, holds)) continue;
    const is_chosen = tests.some((test) => !known.has(test) && CHOSEN.test(test));
    level = is_chosen ? 'high' : level === 'high' ? level : 'medium';
  }
  if (!is_used) return report('high', 'weakening', 'The rule stops nothing any more');
  if (level === 'low') return report('low', 'strengthening', 'More requests are stopped');
  return report(level, 'weakening', 'Fewer requests are stopped');
}

function report(level: RiskLevel, direction: ValueFinding['direction'], consequence: string): ValueFinding {
  return { rule: 'R-VAL-CONDITION', level, direction, consequence, beyond_rules: level === 'high' };
}
