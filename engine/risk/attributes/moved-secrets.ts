/** R-SEC-SECRETPLAIN for secrets that were read from a store and now stand in the configuration itself. */
import { toPathNode } from '../../changes/path-node.ts';
import { isObject } from '../../lib/is-object.ts';
import { looksLikeJson } from '../../lib/json-text.ts';
import type { AttributeDiff, JsonObject } from '../../model/result.ts';
import { isSecretName } from '../../redact/secrets.ts';
import type { Subject } from './subject.ts';
import type { Path, Value } from './types.ts';
import { isEmpty, parseJson, text } from './values.ts';

const MAX_DEPTH = 24;
const MAX_OBJECTS = 5_000;
const MAX_TEXT = 100_000;
/** Only such changes can move a secret. */
const MAY_HOLD = /env|secret|value|container|variable|spec/i;
const REFERENCE = /^(?:value_?from|value_?source|secret_?key_?ref|secret_?name|secret_?ref|secret_?id|secret)$/i;
/** A value that stands for another one elsewhere. */
const POINTS = /^(?:arn:|projects\/|\$\{|\$\(|vault:|op:\/\/|ref\+|@Microsoft\.KeyVault|\{\{)/i;

/** Reports the first variable with the name of a secret that was a reference and is a value. */
export function findMovedSecret(subject: Subject): void {
  const { before, after, change } = subject;
  if (before === undefined || after === undefined) return;
  if (!mayMoveSecret(change.diffs)) return;
  const was = new Variables(before);
  if (was.referred.size === 0) return;
  const is = new Variables(after);
  for (const [name, path] of is.written) {
    if (!was.referred.has(name) || is.referred.has(name) || was.written.has(name) || subject.isHidden(path)) continue;
    const message = `${name} was read from a secret and is now written in plain text: ${subject.formatPath(path)} can be read by anyone with access to the plan or state.`;
    subject.add({ rule: 'R-SEC-SECRETPLAIN', level: 'high', path, message });
    subject.setDirection(path, 'weakening');
    return;
  }
}

/** Items of one list have the same names, which are read once. */
function mayMoveSecret(diffs: readonly AttributeDiff[]): boolean {
  const seen = new Set<object>();
  return diffs.some((diff) => {
    const node = toPathNode(diff);
    if (seen.has(node.template)) return false;
    seen.add(node.template);
    return node.segments.some((part) => MAY_HOLD.test(String(part)));
  });
}

/** The variables of an object that have names of secrets, also in JSON inside texts. */
class Variables {
  /** Names whose values are read from elsewhere. */
  readonly referred = new Set<string>();
  /** Where a name has a value of its own; for one inside a text, where the text is. */
  readonly written = new Map<string, Path>();
  private left = MAX_OBJECTS;

  constructor(side: Value) {
    this.visit(side, [], 0, false);
  }

  private visit(value: Value, path: Path, depth: number, is_inside: boolean): void {
    if (depth > MAX_DEPTH || this.left <= 0) return;
    this.left -= 1;
    if (typeof value === 'string') {
      if (!is_inside && value.length <= MAX_TEXT && looksLikeJson(value))
        this.visit(parseJson(value, MAX_TEXT), path, depth + 1, true);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (isObject(value)) this.add(value, path);
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, inner] of entries) this.visit(inner, is_inside ? path : [...path, key], depth + 1, is_inside);
  }

  private add(entry: JsonObject, path: Path): void {
    const name = text(entry['name']);
    if (name === '' || name.length > 200 || !isSecretName([name])) return;
    if (Object.entries(entry).some(([key, value]) => REFERENCE.test(key) && !isEmpty(value))) this.referred.add(name);
    const { value } = entry;
    if (typeof value === 'string' && value !== '' && !POINTS.test(value)) this.written.set(name, path);
  }
}
