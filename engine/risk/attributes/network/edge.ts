/** What stands before a web service at Cloudflare: access policies, firewall rules and rule sets. */
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { isEmpty, list, member, text, truth } from '../values.ts';

/** Actions that stop a request, or ask for something before it passes; `execute` runs a managed set of such rules. */
const STOPPING = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge', 'execute']);

function report(subject: Subject, rule: 'R-IAM-TRUST' | 'R-SEC-WAF', path: Path, message: string): void {
  subject.add({ rule, level: 'high', path, message });
  subject.setDirection(path, 'weakening');
}

/** `include` admits whom any of its entries names; `require` narrows that. */
function admitsEveryone(policy: Value): boolean {
  const decision = text(member(policy, 'decision')).toLowerCase();
  if (decision !== 'allow' && decision !== 'bypass') return false;
  if (decision === 'allow' && list(member(policy, 'require')).some((entry) => !isEmpty(entry))) return false;
  return list(member(policy, 'include')).some(namesEveryone);
}

/** `everyone = true` of the older provider, the empty object `everyone = {}` of the newer one. */
function namesEveryone(entry: Value): boolean {
  const everyone = member(entry, 'everyone');
  return truth(everyone) === true || (typeof everyone === 'object' && everyone !== null);
}

function judgeAccess(subject: Subject): void {
  const { before, after } = subject;
  const bypasses = (side: Value): boolean => text(member(side, 'decision')).toLowerCase() === 'bypass';
  if (admitsEveryone(after) && !admitsEveryone(before)) {
    report(subject, 'R-IAM-TRUST', ['include'], 'The access policy lets everyone in.');
  } else if (before && bypasses(after) && !bypasses(before)) {
    report(subject, 'R-IAM-TRUST', ['decision'], 'Whoever the access policy names passes without logging in.');
  } else if (before && admitsEveryone(before) && !admitsEveryone(after)) {
    subject.setDirection(['include'], 'strengthening');
    subject.setDirection(['decision'], 'strengthening');
  }
}

function stops(rule: Value): boolean {
  const off = truth(member(rule, 'paused')) === true || truth(member(rule, 'enabled')) === false;
  return !off && STOPPING.has(text(member(rule, 'action')).toLowerCase());
}

/** One rule as a resource. */
function judgeRule(subject: Subject): void {
  const { before, after, mode } = subject;
  if (mode === 'delete') {
    if (stops(before)) report(subject, 'R-SEC-WAF', [], 'A rule that stops requests goes away.');
  } else if (stops(before) && !stops(after)) {
    const path = text(member(before, 'action')) === text(member(after, 'action')) ? 'paused' : 'action';
    report(subject, 'R-SEC-WAF', [path], 'The rule no longer stops requests.');
  } else if (before && !stops(before) && stops(after)) {
    for (const path of ['paused', 'action']) subject.setDirection([path], 'strengthening');
  }
}

/** Rules tell themselves apart by a reference, else by what they match. */
function readRuleName(rule: Value): string {
  return text(member(rule, 'ref')) || text(member(rule, 'expression')) || text(member(rule, 'description'));
}

function judgeSet(subject: Subject): void {
  const before = list(member(subject.before, 'rules'));
  const after = list(member(subject.after, 'rules'));
  if (subject.isUnknown('rules')) return;
  const stopping = new Set(
    after.filter(stops).flatMap((rule) => [readRuleName(rule), text(member(rule, 'expression'))]),
  );
  const lost = before.filter(
    (rule) => stops(rule) && !stopping.has(readRuleName(rule)) && !isStillThere(rule, stopping),
  );
  const first = lost[0];
  if (first) {
    const name = text(member(first, 'description')) || readRuleName(first);
    report(
      subject,
      'R-SEC-WAF',
      ['rules'],
      `The rule ${subject.quoteAll(['rules'], [name])} no longer stops requests.`,
    );
  } else if (after.filter(stops).length > before.filter(stops).length && after.length >= before.length) {
    subject.setDirection(['rules'], 'strengthening');
  }
}

function isStillThere(rule: Value, stopping: ReadonlySet<string>): boolean {
  const expression = text(member(rule, 'expression'));
  return expression !== '' && stopping.has(expression);
}

/** A token over all accounts or zones is a key to everything behind them. */
function judgeToken(subject: Subject): void {
  const reaches = (side: Value): boolean =>
    [...list(member(side, 'policy')), ...list(member(side, 'policies'))].some((policy) =>
      Object.keys((member(policy, 'resources') ?? {}) as object).some((name) => name.endsWith('.*')),
    );
  const path = member(subject.after, 'policy') === undefined ? 'policies' : 'policy';
  if (!reaches(subject.after) || reaches(subject.before)) return;
  const message = 'The token reaches every account or zone, not a named one.';
  subject.add({ rule: 'R-IAM-WILDCARD', level: 'medium', path: [path], message });
  subject.setDirection([path], 'weakening');
}

export const EDGE_RULES: readonly Rule[] = [
  {
    types: ['cloudflare_access_policy', 'cloudflare_zero_trust_access_policy'],
    watches: [{ path: 'decision' }, { path: 'include', hides: true }, { path: 'require' }],
    find: judgeAccess,
  },
  {
    types: ['cloudflare_firewall_rule'],
    watches: [{ path: 'action' }, { path: 'paused' }],
    modes: ['update', 'replace', 'delete'],
    find: judgeRule,
  },
  { types: ['cloudflare_ruleset'], watches: [{ path: 'rules' }], modes: ['update', 'replace'], find: judgeSet },
  { types: ['cloudflare_api_token'], watches: [{ path: 'policy' }, { path: 'policies' }], find: judgeToken },
];
