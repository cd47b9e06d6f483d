import { InvalidInput } from '../../lib/errors.ts';
import type { TrustCondition } from './types.ts';

const GITHUB_IDS = ['repository_id', 'repository_owner_id'];
const GITLAB_IDS = ['project_id', 'namespace_id'];

/** Whether a token meets all conditions. A claim that is missing, a list or an object meets none. */
export function meetsAll(conditions: readonly TrustCondition[], claims: Readonly<Record<string, unknown>>): boolean {
  return conditions.every(({ claim, op, value }) => {
    const text = Object.hasOwn(claims, claim) ? claimText(claims[claim]) : undefined;
    if (text === undefined) return false;
    return op === 'eq' ? text === value : matchesGlob(value, text);
  });
}

/** Strings unchanged, numbers and booleans as in JSON. */
function claimText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  // Above 2^53, different numbers in tokens are parsed as the same one.
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? JSON.stringify(value) : undefined;
}

/**
 * Whether `text` matches `pattern`, in which each `*` matches any text, also an empty one. Reads the text once, so the
 * cost is bounded.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === pattern;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  const end = text.length - tail.length;
  let from = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, from);
    if (found === -1 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}

/**
 * Checks that a trust has a condition on an identifier that others cannot acquire. Names of repositories, groups and
 * users can be registered again after they are given up or renamed, and the next owner would get access.
 *
 * @throws InvalidInput
 * @see GitHub, "OpenID Connect reference"; GitLab, "ID token authentication": the claims that are ids
 */
export function assertImmutable(issuer: string, conditions: readonly TrustCondition[]): void {
  const claims = immutableClaims(issuer);
  const held = conditions.some(
    ({ claim, op, value }) => op === 'eq' && claims.includes(claim) && !isNamed(claim, value),
  );
  if (held) return;
  const choice = claims.map((claim) => `"${claim}"`).join(' or ');
  throw new InvalidInput(
    `conditions must contain one with op "eq" on ${choice}: others can register a name that was given up, but never an id`,
  );
}

/** For an unknown kind of issuer, the subject is accepted. */
function immutableClaims(issuer: string): readonly string[] {
  if (isGithub(issuer)) return GITHUB_IDS;
  return issuer === 'https://gitlab.com' ? GITLAB_IDS : [...GITHUB_IDS, ...GITLAB_IDS, 'sub'];
}

/**
 * github.com, also with an enterprise path; GitHub Enterprise Cloud with its own domain; and GitHub Enterprise Server.
 */
function isGithub(issuer: string): boolean {
  return /^https:\/\/(token[.]actions[.](githubusercontent|[a-z0-9-]+[.]ghe)[.]com(\/|$)|[^/]+\/_services\/token$)/.test(
    issuer,
  );
}

/** Subjects of GitHub and GitLab contain names, on any host. */
function isNamed(claim: string, value: string): boolean {
  return claim === 'sub' && /^(repo|project_path):/.test(value);
}
