/** HashiCorp Vault policies: new grants, and removed denials. */
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { member, text } from '../values.ts';
import { matchesWildcard } from './wildcard.ts';

const DOCUMENT_CHARS_MAX = 200_000;
const PATH_BLOCK = /path\s{1,20}"([^"]{1,500})"\s{0,20}\{([^{}]{0,5000})/g;
const CAPABILITIES = /capabilities\s{0,20}=\s{0,20}\[/g;
const CAPABILITIES_CHARS_MAX = 500;
const WORD = /"([a-z]{1,20})"/g;

const WRITING = ['create', 'update', 'patch', 'delete', 'sudo', 'write'];
/** Paths that manage permissions, logins and the server. */
const CONTROL = [
  'sys/policies/acl/x',
  'sys/policy/x',
  'sys/auth/x',
  'sys/mounts/x',
  'auth/token/create',
  'identity/entity/x',
];
/** Path segments that the secrets engine adds. */
const ENGINE_PARTS = new Set(['data', 'metadata', 'delete', 'undelete', 'destroy']);

function readRules(side: Value): Map<string, Set<string>> {
  const policy = text(member(side, 'policy'));
  const rules = new Map<string, Set<string>>();
  if (policy.length > DOCUMENT_CHARS_MAX) return rules;
  for (const [, path, body] of policy.matchAll(PATH_BLOCK)) {
    const listed = listedCapabilities(body!);
    rules.set(path!, new Set([...listed.matchAll(WORD)].map(([, word]) => word!)));
  }
  return rules;
}

/** Returns the text of the first complete list of capabilities; empty when there is none. */
export function listedCapabilities(body: string): string {
  let close = -1;
  for (const { 0: opening, index } of body.matchAll(CAPABILITIES)) {
    const start = index + opening.length;
    if (close < start) close = body.indexOf(']', start);
    if (close < 0) return '';
    if (close - start <= CAPABILITIES_CHARS_MAX) return body.slice(start, close);
  }
  return '';
}

interface Grant {
  rule: 'R-IAM-ADMIN' | 'R-IAM-WIDE' | 'R-IAM-WILDCARD';
  level: 'high' | 'critical';
  phrase: string;
}

function classifyGrant(path: string, capabilities: ReadonlySet<string>): Grant | undefined {
  if (capabilities.has('deny')) return undefined;
  const writes = WRITING.some((name) => capabilities.has(name));
  if (isEverything(path)) {
    return writes
      ? {
          rule: 'R-IAM-ADMIN',
          level: 'critical',
          phrase: 'Grants administrator access by allowing writes to every path',
        }
      : { rule: 'R-IAM-WIDE', level: 'high', phrase: 'The policy allows reading every path' };
  }
  const pattern = path.replaceAll('+', '*');
  if (writes && pattern.includes('*') && CONTROL.some((known) => matchesWildcard(pattern, known)))
    return { rule: 'R-IAM-WIDE', level: 'high', phrase: 'The policy allows granting permissions or logins' };
  if (capabilities.has('sudo'))
    return { rule: 'R-IAM-WIDE', level: 'high', phrase: 'The policy allows actions that only the root token may do' };
  if (isWholeEngine(path) && (writes || capabilities.has('read')))
    return { rule: 'R-IAM-WILDCARD', level: 'high', phrase: 'The policy covers a whole secrets engine' };
  return undefined;
}

function isEverything(path: string): boolean {
  return path === '*' || path === '+/*' || path === '/*';
}

/** Matches paths such as `secret/*`, `kv/data/*` and `kv/data/+/db`, with a wildcard right behind the mount. */
function isWholeEngine(path: string): boolean {
  if (path.startsWith('sys/') || path.startsWith('auth/')) return false;
  const [, first, ...rest] = path.split('/');
  // In the place of an engine part, `+` stands for any of these.
  const owner =
    first !== undefined && (ENGINE_PARTS.has(first) || (first === '+' && rest.length > 0)) ? rest[0] : first;
  return owner === '+' || owner === '*';
}

function judgePolicy(subject: Subject): void {
  const before = readRules(subject.before);
  const after = readRules(subject.after);
  let grown = false;
  for (const [path, capabilities] of after) {
    const grant = classifyGrant(path, capabilities);
    const held = before.get(path);
    if (!grant || (held && classifyGrant(path, held)?.phrase === grant.phrase && isWithin(capabilities, held)))
      continue;
    grown = true;
    subject.add({ ...grant, path: ['policy'], message: `${grant.phrase}: ${subject.quoteAll(['policy'], [path])}.` });
  }
  for (const [path, capabilities] of before) {
    if (!subject.after || !capabilities.has('deny') || after.get(path)?.has('deny')) continue;
    grown = true;
    const message = `The policy no longer denies ${subject.quoteAll(['policy'], [path])}.`;
    subject.add({ rule: 'R-IAM-CONDITION', level: 'high', path: ['policy'], message });
  }
  if (grown) subject.setDirection(['policy'], 'weakening');
  else if (after.size > 0 && [...after].every(([path, now]) => isWithin(now, before.get(path) ?? new Set())))
    subject.setDirection(['policy'], 'strengthening');
}

function isWithin(inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean {
  return [...inner].every((name) => outer.has(name));
}

export const VAULT_RULES: readonly Rule[] = [
  { types: ['vault_policy'], watches: [{ path: 'policy', hides: true }], find: judgePolicy },
];
