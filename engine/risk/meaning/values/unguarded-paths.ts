/** Judges lists of paths that a login or an inspection leaves out: what comes to them is served to everybody. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { isObject } from '../../../lib/is-object.ts';
import { isEmpty, list, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const LEFT_OUT = listWords(
  'exclude excluded exclusion ignore ignored skip skipped exempt exempted exemption bypass bypassed allow allowed ' +
    'unauthenticated anonymous public open unprotected insecure free whitelist whitelisted',
);
const PLACES = listWords('path url uri route endpoint prefix location page api');
const CHECKS = listWords(
  'auth authentication authenticate authorization authorizer login signin sso oidc saml jwt session identity mfa captcha ' +
    'waf inspection csrf',
);
const MAX_ENTRIES = 500;
/** What every visitor may load: probes, the login itself, and files of the page around it. */
const HARMLESS =
  /^\/?(?:api\/|v\d\/){0,2}(?:healthz?|health-?check|livez?|liveness|readyz?|readiness|ping|favicon\.ico|robots\.txt|\.well-known|login|logout|sign-?in|sign-?out|callback|oauth2?|static|assets|css|js|images|img|fonts)(?:$|[/*.?])/i;
/** Hosts and ports have no paths. */
const PATH = /^\/|^\^?\\?\/|^\*{1,2}$/;

export function judgeUnguardedPath(argument: Argument): ValueFinding | null {
  const { words, outer, type, before, after } = argument;
  if (!hasAny(words, PLACES)) return null;
  if (!hasAny(words, LEFT_OUT)) return judgeGuardedPath(argument);
  if (![words, outer, type].some((names) => hasAny(names, CHECKS))) return null;
  const [was, is] = [readPaths(before), readPaths(after)];
  const added = is.filter((path) => !was.includes(path));
  if (added.length === 0)
    return was.length > is.length ? { ...FINDING, level: 'low', direction: 'strengthening' } : null;
  if (added.every((path) => HARMLESS.test(path))) return { ...FINDING, level: 'low', direction: 'neutral' };
  return { ...FINDING, level: 'high', direction: 'weakening', beyond_rules: true };
}

/** Names of arguments that say who may pass. */
const GUARDS = listWords('auth authentication authorizer authorization sso oidc jwt login waf mfa policy');

/** A rule that demands a login for all below a path, and then only for the path itself. */
function judgeGuardedPath({ before, after, parent }: Argument): ValueFinding | null {
  if (typeof before !== 'string' || typeof after !== 'string' || !isObject(parent)) return null;
  const all_below = /^(\/[\w./-]{0,200}?)\/?(?:\*{1,2}|\.\*|\(\.\*\))$/.exec(before)?.[1];
  if (all_below === undefined || after.replace(/\/$/, '') !== all_below) return null;
  const guard = Object.entries(parent).find(([name]) => splitWords(name).some((word) => GUARDS.has(word)));
  if (guard === undefined || isOpen(guard[1])) return null;
  return { ...FINDING, level: 'high', direction: 'weakening', beyond_rules: true };
}

function isOpen(guard: MaybeJson): boolean {
  return isEmpty(guard) || guard === false || /^(?:none|off|anonymous|public|open)$/i.test(text(guard));
}

const FINDING = {
  rule: 'R-VAL-EXCLUDE',
  consequence: 'Paths are left out of the check, so what they serve can be reached without it',
} as const;

function readPaths(value: MaybeJson): string[] {
  return list(value)
    .map(text)
    .filter((path) => PATH.test(path))
    .slice(0, MAX_ENTRIES);
}
