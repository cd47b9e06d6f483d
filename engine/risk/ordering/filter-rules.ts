/** Compares lists of filter rules that one resource holds, as lists that are evaluated in order. */
import type { BooleanCondition } from '../../canonical/boolean-conditions.ts';
import {
  type Alternative,
  compareTrees,
  listAlternatives,
  type Reach,
} from '../../canonical/condition-alternatives.ts';
import type { Path } from '../attributes/types.ts';

export interface FilterRule {
  /** Names the rule on both sides of a change. */
  id: string;
  /** The lowest number is evaluated first. */
  order: number;
  /** `pass` skips the rules behind it, `stop` refuses or challenges. */
  act: 'pass' | 'stop' | 'watch';
  /** null if it cannot be read. */
  match: BooleanCondition | null;
  path: Path;
}

/** What a request must show to pass: an address or a certificate, one exact path, or what anybody can write. */
export type Proof = 'bound' | 'exact' | 'open';

/** A rule that now matters more, or less. */
export interface FilterChange {
  kind: 'passes-more' | 'passes-first' | 'stops-less' | 'stops-more' | 'passes-less';
  rule: FilterRule;
  /** Of the least that passes. */
  proof: Proof;
}

export interface FilterComparison {
  changes: FilterChange[];
  /** Every rule is there on both sides with the same meaning, and they are evaluated in the same order. */
  same: boolean;
}

const MAX_RULES = 500;

/** @returns null if a side has too many rules, or two of one name */
export function compareFilters(before: readonly FilterRule[], after: readonly FilterRule[]): FilterComparison | null {
  if (before.length > MAX_RULES || after.length > MAX_RULES || hasDuplicate(before) || hasDuplicate(after)) return null;
  const known = new Map(before.map((rule) => [rule.id, rule]));
  const changes = after.flatMap((rule) => compareRule(known.get(rule.id), rule, before, after));
  const same = changes.length === 0 && isSameList(before, after);
  return { changes, same };
}

function hasDuplicate(rules: readonly FilterRule[]): boolean {
  return new Set(rules.map(({ id }) => id)).size < rules.length;
}

function isSameList(before: readonly FilterRule[], after: readonly FilterRule[]): boolean {
  if (before.length !== after.length) return false;
  const [from, to] = [before, after].map((rules) => rules.toSorted((a, b) => a.order - b.order));
  return from!.every((rule, at) => {
    const now = to![at]!;
    const ties = to!.filter(({ order }) => order === now.order).length;
    return ties === 1 && rule.id === now.id && rule.act === now.act && compareMatch(rule, now) === 'same';
  });
}

function compareMatch({ match: from }: FilterRule, { match: to }: FilterRule): Reach {
  return from === null || to === null ? 'other' : (compareTrees(from, to)?.reach ?? 'other');
}

function compareRule(
  earlier: FilterRule | undefined,
  rule: FilterRule,
  before: readonly FilterRule[],
  after: readonly FilterRule[],
): FilterChange[] {
  if (rule.act === 'stop') return earlier?.act === 'stop' ? compareStop(earlier, rule) : [];
  if (rule.act !== 'pass' || rule.match === null) return [];
  if (earlier?.act !== 'pass') return findSkipped(rule, after).length === 0 ? [] : [describePass(rule)];
  const moved = findSkipped(rule, after).some(({ id }) => !isBehind(id, earlier, before));
  if (moved) return [describePass(rule)];
  return comparePass(earlier, rule);
}

function describePass(rule: FilterRule): FilterChange {
  return { kind: 'passes-first', rule, proof: findProof(rule.match === null ? null : listAlternatives(rule.match)) };
}

/** The rules that a passing rule is evaluated before. */
function findSkipped(rule: FilterRule, rules: readonly FilterRule[]): FilterRule[] {
  return rules.filter((other) => other.act === 'stop' && other.order > rule.order);
}

function isBehind(id: string, rule: FilterRule, rules: readonly FilterRule[]): boolean {
  const other = rules.find((known) => known.id === id);
  return other === undefined || other.act !== 'stop' || other.order > rule.order;
}

function comparePass(earlier: FilterRule, rule: FilterRule): FilterChange[] {
  if (earlier.match === null || rule.match === null) return [];
  const found = compareTrees(earlier.match, rule.match);
  if (found === null || found.reach === 'same') return [];
  if (found.reach === 'narrower') return [{ kind: 'passes-less', rule, proof: 'bound' }];
  return [{ kind: 'passes-more', rule, proof: findProof(found.added) }];
}

function compareStop(earlier: FilterRule, rule: FilterRule): FilterChange[] {
  const reach = compareMatch(earlier, rule);
  if (reach === 'narrower') return [{ kind: 'stops-less', rule, proof: 'open' }];
  return reach === 'wider' ? [{ kind: 'stops-more', rule, proof: 'open' }] : [];
}

const BOUND =
  /ip\.src|inIpRange|origin\.(?:user_)?ip|^ip |ip_set_reference|RemoteAddr|SocketAddr|cert_verified|tls_client_auth|verified_bot|client\.bot|client_certificate/i;
const EVERY_ADDRESS = /(?:\/0|\*)["')\]]{0,3}$/;
const EXACT = /(?:uri\.path|uri|request\.path|full_uri|RequestUri|uri_path) (?:eq|Equals?|exactly) /i;

/** The weakest proof among some alternatives. */
export function findProof(alternatives: readonly Alternative[] | null): Proof {
  const proofs = (alternatives ?? [new Set<string>()]).map(proveAlternative);
  return proofs.includes('open') ? 'open' : proofs.includes('exact') ? 'exact' : 'bound';
}

function proveAlternative(alternative: Alternative): Proof {
  const tests = [...alternative].filter((test) => !test.startsWith('not '));
  if (tests.some((test) => BOUND.test(test) && !EVERY_ADDRESS.test(test))) return 'bound';
  return tests.some((test) => EXACT.test(test)) ? 'exact' : 'open';
}
