import { isContainer } from '../changes/values.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { createFinder } from '../redact/finder.ts';
import { isSecretKey, listSecretAttributes } from '../redact/known-attributes.ts';
import { isMixed } from '../redact/plain-secret.ts';
import { createScrubber, MASK } from '../redact/scrubber.ts';
import { holdsSecret } from '../redact/secret-patterns.ts';
import { createSecretSet, type SecretSet } from '../redact/secret-set.ts';
import { createNamingCache, UNNAMED } from '../redact/secrets.ts';

export interface StateScrubber {
  /** Adds texts that the state marks as sensitive. */
  addMarked(texts: readonly string[]): void;
  /**
   * Removes secrets from the attributes of one instance: known secret attributes of its type, secret names and formats,
   * and then the marked and found texts wherever else they appear in it.
   */
  clean(type: string, attributes: JsonObject, marked: readonly string[]): JsonObject;
  /** Removes from JSON every text that was marked or found so far. @returns the same value if it contains none */
  redact<T extends object>(value: T): T;
}

/** Creates the scrubber of one state. Its memory is limited: see `createSecretSet`. */
export function createStateScrubber(): StateScrubber {
  const all = createSecretSet();
  const byName = createScrubber(createSecretSet());
  const extend = createNamingCache();
  const byText = createScrubber(all);

  function addMarked(texts: readonly string[]): void {
    for (const text of texts) all.add(text);
  }

  function clean(type: string, attributes: JsonObject, marked: readonly string[]): JsonObject {
    const cleaned = cleanNamed(type, attributes);
    const own = createSecretSet();
    for (const text of marked) own.add(text);
    collectFound(attributes, cleaned, own, all);
    if (own.size() === 0) return cleaned;
    return createScrubber(own).clean(cleaned, UNNAMED, false) as JsonObject;
  }

  function cleanNamed(type: string, attributes: JsonObject): JsonObject {
    const secrets = listSecretAttributes(type);
    let cleaned: Map<string, JsonValue> | undefined;
    for (const name of Object.keys(attributes)) {
      const value = attributes[name] as JsonValue;
      const secret = secrets.includes(name) || isSecretKey(name);
      const shown = byName.clean(value, extend(UNNAMED, name), secret);
      if (shown === value) continue;
      cleaned ??= new Map(Object.entries(attributes));
      cleaned.set(name, shown);
    }
    return cleaned === undefined ? attributes : Object.fromEntries(cleaned);
  }

  function redact<T extends object>(value: T): T {
    return byText.clean(value as JsonValue, UNNAMED, false) as T;
  }

  return { addMarked, clean, redact };
}

/** Adds the secrets of each text that was changed. Parts of a value without secrets are the same objects. */
function collectFound(before: JsonValue, after: JsonValue, ...sets: SecretSet[]): void {
  if (before === after) return;
  if (typeof before === 'string') {
    for (const set of sets) {
      if (after === MASK && isMixed(before)) set.addFound(before);
      else createFinder(set)(before);
    }
  } else if (isContainer(before)) {
    // A masked container was secret as a whole, and a masked key makes a different one.
    const inner = isContainer(after) ? Object.values(after) : [];
    for (const [i, value] of Object.values(before).entries()) collectFound(value, inner[i] ?? MASK, ...sets);
  }
}

/** Attributes that identify an object for its cloud. */
const IDENTIFIERS = ['id', 'arn', 'self_link', 'unique_id', 'resource_id', 'uid', 'urn', 'name', 'bucket', 'key_id'];
const MAX_IDENTIFIER = 2048;

/**
 * Returns the identifying attributes, which the search by names and words would damage: the ARN of a secret contains
 * `secret:`. Leaves out those that contain a marked text or have the format of a secret.
 *
 * @param attributes after marked values were withheld
 */
export function readIdentifiers(attributes: JsonObject, marked: readonly string[]): Record<string, string> {
  const found: [string, string][] = [];
  const secrets = createSecretSet();
  for (const text of marked) secrets.add(text);
  for (const name of IDENTIFIERS) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (typeof value !== 'string' || value === '' || value === MASK || value.length > MAX_IDENTIFIER) continue;
    if (!holdsSecret(value) && secrets.scrub(value, MASK) === value) found.push([name, value]);
  }
  return Object.fromEntries(found);
}
