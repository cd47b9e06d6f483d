import { holdsSecret, isSecretName } from '../../redact/secrets.ts';
import type { AttributeDiff } from '../../result.ts';
import type { Subject } from './subject.ts';

/** Shorter texts hold no key of a known form. */
const KEY_CHARS_MIN = 12;
/** ARNs, URLs, paths and references name where a secret is, and are none. */
const REFERENCE =
  /^(?:arn:|[a-z][a-z0-9+.-]{1,20}:\/\/|\.{0,2}\/|[a-z0-9_-]{1,60}(?:\/[a-zA-Z0-9_.-]{1,60}){1,10}$|projects\/|\$\{)/;
const WORD = /^(?:true|false|none|null|default|enabled|disabled|optional|required|[0-9]{1,6})$/i;

/** Settings about secrets, which hold words of an API. */
const SETTING =
  /(?:^|_)(?:type|mode|policy|policies|cidrs|namespaces|num_uses|ttl|length|period|lifetime|validity|rotation|issuer|format|kind|location|path|file|prefix|source|owner|region|algorithm|status)$/i;

/**
 * R-SEC-SECRETPLAIN: a value that the plan does not mark sensitive is, or is named like, a secret.
 */
export function findPlainSecrets(subject: Subject): void {
  for (const diff of subject.change.diffs) {
    const { after } = diff;
    if (
      typeof after !== 'string' ||
      after === '' ||
      diff.after_sensitive ||
      diff.after_unknown ||
      diff.op === 'remove' ||
      diff.op === 'reorder'
    )
      continue;
    const level = levelOf(after, diff);
    if (!level) continue;
    const message =
      level === 'high'
        ? `${subject.nameOf(diff.path_segments)} holds a key in plain text that anyone with the plan or state can read.`
        : `${subject.nameOf(diff.path_segments)} is named like a secret and is not marked sensitive.`;
    subject.add({ rule: 'R-SEC-SECRETPLAIN', level, path: diff.path_segments, message });
    subject.turn(diff.path_segments, 'weakening');
  }
}

function levelOf(after: string, { path_segments }: AttributeDiff): 'high' | 'medium' | undefined {
  if (after.length >= KEY_CHARS_MIN && holdsSecret(after)) return 'high';
  if (!isSecretName(path_segments) || SETTING.test(nameOf(path_segments)) || REFERENCE.test(after) || WORD.test(after))
    return undefined;
  return 'medium';
}

/** The attribute itself, where a list holds the value. */
function nameOf(segments: AttributeDiff['path_segments']): string {
  const name = segments.findLast((segment) => typeof segment === 'string');
  return String(name ?? '');
}
