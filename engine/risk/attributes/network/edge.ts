/** Cloudflare: access policies, firewall rules, rule sets and API tokens. */
import { compareConditions } from '../../../canonical/condition-alternatives.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { isEmpty, list, member, text, truth } from '../values.ts';

const REASONS = {
  'R-IAM-TRUST': {
    everyone: 'Anyone can access this: the access policy includes everyone.',
    bypass: 'The access policy lets the identities that it names bypass the login.',
  },
  'R-SEC-WAF': {
    deleted: 'A rule that blocks requests is deleted.',
    rule: 'The rule no longer blocks requests.',
    named: (rule: string) => `The rule ${rule} no longer blocks requests.`,
  },
  'R-IAM-WILDCARD': 'The token has access to every account or zone instead of named ones.',
};

/** Actions that block or challenge a request; `execute` runs a managed rule set. */
const STOPPING = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge', 'execute']);

function report(subject: Subject, rule: 'R-IAM-TRUST' | 'R-SEC-WAF', path: Path, message: string): void {
  subject.add({ rule, level: 'high', path, message });
  subject.setDirection(path, 'weakening');
}

/** `include` allows identities that match any entry; `require` restricts them. */
function admitsEveryone(policy: Value): boolean {
  const decision = text(member(policy, 'decision')).toLowerCase();
  if (decision !== 'allow' && decision !== 'bypass') return false;
  if (decision === 'allow' && list(member(policy, 'require')).some((entry) => !isEmpty(entry))) return false;
  return list(member(policy, 'include')).some(namesEveryone);
}

/** The older provider writes `everyone = true`, the newer one the empty object `everyone = {}`. */
function namesEveryone(entry: Value): boolean {
  const everyone = member(entry, 'everyone');
  return truth(everyone) === true || (typeof everyone === 'object' && everyone !== null);
}

function judgeAccess(subject: Subject): void {
  const { before, after } = subject;
  const bypasses = (side: Value): boolean => text(member(side, 'decision')).toLowerCase() === 'bypass';
  if (admitsEveryone(after) && !admitsEveryone(before)) {
    report(subject, 'R-IAM-TRUST', ['include'], REASONS['R-IAM-TRUST'].everyone);
  } else if (before && bypasses(after) && !bypasses(before)) {
    report(subject, 'R-IAM-TRUST', ['decision'], REASONS['R-IAM-TRUST'].bypass);
  } else if (before && admitsEveryone(before) && !admitsEveryone(after)) {
    subject.setDirection(['include'], 'strengthening');
    subject.setDirection(['decision'], 'strengthening');
  }
}

function stops(rule: Value): boolean {
  const off = truth(member(rule, 'paused')) === true || truth(member(rule, 'enabled')) === false;
  return !off && STOPPING.has(text(member(rule, 'action')).toLowerCase());
}

/** Checks a rule that is a separate resource. */
function judgeRule(subject: Subject): void {
  const { before, after, mode } = subject;
  if (mode === 'delete') {
    if (stops(before)) report(subject, 'R-SEC-WAF', [], REASONS['R-SEC-WAF'].deleted);
  } else if (stops(before) && !stops(after)) {
    const path = text(member(before, 'action')) === text(member(after, 'action')) ? 'paused' : 'action';
    report(subject, 'R-SEC-WAF', [path], REASONS['R-SEC-WAF'].rule);
  } else if (before && !stops(before) && stops(after)) {
    for (const path of ['paused', 'action']) subject.setDirection([path], 'strengthening');
  }
}

/** Rules are identified by their reference, or else by their expression or description. */
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
  const known = new Set(before.map((rule) => text(member(rule, 'expression'))));
  const edited = [...stopping].filter((expression) => !known.has(expression)).slice(0, MAX_EDITED);
  const is_covered = lost.length <= MAX_EDITED && lost.every((rule) => isCovered(rule, edited));
  const first = is_covered ? undefined : lost[0];
  if (first) {
    const name = text(member(first, 'description')) || readRuleName(first);
    report(subject, 'R-SEC-WAF', ['rules'], REASONS['R-SEC-WAF'].named(subject.quoteAll(['rules'], [name])));
  } else if (after.filter(stops).length > before.filter(stops).length && after.length >= before.length) {
    subject.setDirection(['rules'], 'strengthening');
  }
}

/** More edited conditions are not compared. */
const MAX_EDITED = 10;

/** Whether an edited condition matches everything that the one of a rule matched. */
function isCovered(rule: Value, edited: readonly string[]): boolean {
  const expression = text(member(rule, 'expression'));
  return edited.some((other) => compareConditions(expression, other)?.lost.length === 0);
}

function isStillThere(rule: Value, stopping: ReadonlySet<string>): boolean {
  const expression = text(member(rule, 'expression'));
  return expression !== '' && stopping.has(expression);
}

/** Checks for a token that has access to all accounts or zones. */
function judgeToken(subject: Subject): void {
  const reaches = (side: Value): boolean =>
    [...list(member(side, 'policy')), ...list(member(side, 'policies'))].some((policy) =>
      Object.keys((member(policy, 'resources') ?? {}) as object).some((name) => name.endsWith('.*')),
    );
  const path = member(subject.after, 'policy') === undefined ? 'policies' : 'policy';
  if (!reaches(subject.after) || reaches(subject.before)) return;
  subject.add({ rule: 'R-IAM-WILDCARD', level: 'medium', path: [path], message: REASONS['R-IAM-WILDCARD'] });
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
