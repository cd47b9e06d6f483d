import { createTemplateFold, type PathTemplate, toPathNode } from '../../changes/path-node.ts';
import type { AttributeDiff, JsonValue } from '../../model/result.ts';
import { extendNaming, holdsSecret, listSecrets, type Naming, namesSecret, UNNAMED } from '../../redact/secrets.ts';
import type { Subject } from './subject.ts';

/** Keys of known formats are at least this long. */
const KEY_CHARS_MIN = 12;
/** ARNs, URLs, paths and references locate a secret but are not secret. */
const REFERENCE =
  /^(?:arn:|[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/|[a-z0-9_-]{1,60}(?:\/[a-zA-Z0-9_.-]{1,60}){1,10}$|projects\/|\$\{)/;
const WORD = /^(?:true|false|none|null|default|enabled|disabled|optional|required|[0-9]{1,6})$/i;

/** Names of settings about secrets, whose values are not secret. */
const SETTING =
  /(?:^|_)(?:type|mode|policy|policies|cidrs|namespaces|num_uses|ttl|length|period|lifetime|lifespan|duration|timeout|expiry|expiration|max_age|days|hours|minutes|seconds|count|size|validity|rotation|issuer|format|kind|location|path|file|prefix|source|owner|region|algorithm|status)$/i;

/** The level of a plain-text secret. One reason reports the first secret of the highest level. */
type Level = 'high' | 'medium';

/**
 * R-SEC-SECRETPLAIN: a value that the plan does not mark as sensitive is a secret or is named like one.
 */
export function findPlainSecrets(subject: Subject): void {
  const resolveNaming = createNamingFold();
  const first: Partial<Record<Level, AttributeDiff>> = {};
  for (const diff of subject.change.diffs) {
    if (diff.after_sensitive || diff.after_unknown || diff.op === 'remove' || diff.op === 'reorder') continue;
    const level = rateValue(diff.after, resolveNaming(toPathNode(diff).template));
    if (!level || keepsSecrets(diff)) continue;
    first[level] ??= diff;
    // Set directly instead of through the subject, because only this diff is affected.
    diff.direction = 'weakening';
  }
  const worst = first.high ?? first.medium;
  if (worst) report(subject, worst, first.high ? 'high' : 'medium');
}

/** Texts beyond this length are not searched for each of their secrets. */
const SEARCHED_CHARS = 200_000;

/** Whether a text has no secret that was not in it before: what else changes in it has nothing to do with them. */
function keepsSecrets({ before, after }: AttributeDiff): boolean {
  if (typeof before !== 'string' || typeof after !== 'string' || after.length > SEARCHED_CHARS) return false;
  const secrets = listSecrets(after);
  const known = new Set(secrets.length === 0 ? [] : listSecrets(before));
  return secrets.length > 0 && secrets.every((secret) => known.has(secret));
}

function report(subject: Subject, { path_segments: path }: AttributeDiff, level: Level): void {
  const message =
    level === 'high'
      ? `${subject.formatPath(path)} contains a key in plain text that anyone with access to the plan or state can read.`
      : `${subject.formatPath(path)} is named like a secret but is not marked as sensitive.`;
  subject.add({ rule: 'R-SEC-SECRETPLAIN', level, path, message });
}

/** Whether the names in a path indicate that its value is a secret. */
interface Named {
  naming: Naming;
  /** The last name indicates a secret and not a setting about one. */
  is_secret: boolean;
}

const NOT_NAMED: Named = { naming: UNNAMED, is_secret: false };

function createNamingFold(): (form: PathTemplate) => Named {
  return createTemplateFold(NOT_NAMED, extendNamed, NOT_NAMED);
}

function extendNamed(parent: Named, name: string | null): Named {
  if (name === null) return parent;
  const naming = extendNaming(parent.naming, name);
  return { naming, is_secret: namesSecret(naming) && !SETTING.test(name) };
}

/** Rates a value. For a list or block that is one diff, returns the highest level of its contents. */
function rateValue(after: JsonValue, named: Named): Level | undefined {
  if (typeof after === 'string') return rateText(after, named);
  if (typeof after !== 'object' || after === null) return undefined;
  const is_list = Array.isArray(after);
  let worst: Level | undefined;
  for (const item of is_list ? after : Object.keys(after)) {
    const level = is_list
      ? rateValue(item, named)
      : rateValue(after[item as string]!, extendNamed(named, item as string));
    if (level === 'high') return level;
    worst ??= level;
  }
  return worst;
}

function rateText(after: string, { is_secret }: Named): Level | undefined {
  if (after === '') return undefined;
  if (after.length >= KEY_CHARS_MIN && holdsSecret(after)) return 'high';
  return is_secret && !REFERENCE.test(after) && !WORD.test(after) ? 'medium' : undefined;
}
