import { marksWhole, maskAt } from '../changes/overlay.ts';
import { renderPath } from '../changes/path.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isObject, MAX_DEPTH, type MaybeJson } from '../changes/values.ts';
import type { Mask, RawChange } from '../plan/types.ts';
import type { AttributeDiff, JsonObject, JsonValue, OutputChange } from '../result.ts';
import { namesItsValueSecret } from './concealed.ts';
import { maskForms } from './forms.ts';
import { isSecretAttribute, listSecretAttributes } from './known-attributes.ts';
import { remember } from './remember.ts';
import { createScrubber, isValueKey, MASK } from './scrubber.ts';
import { createSecretSet, type SecretSet } from './secret-set.ts';

/** Observe every change and output of a plan first, those that do nothing too; then redact what is shown. */
export interface Redactor {
  observe(change: ResourceChange): void;
  observeOutput(output: OutputChange, raw: RawChange): void;
  /** The change's diffs in the same order without any secret; those that held none are the same objects. */
  redactChange(change: ResourceChange): AttributeDiff[];
  redactOutput(output: OutputChange): OutputChange;
  /** For sentences: known secrets and known forms of secrets become `(sensitive)`. */
  redactText(text: string): string;
}

/**
 * Keeps secrets out of everything that leaves the engine.
 *
 * First net: what the plan marks is null and flagged. Second net, `scrubbed`: a marked string of six characters or more
 * wherever else it appears, alone or inside a longer text; values whose name or form says that they are secrets.
 *
 * @see openapi.yaml, AttributeDiff
 */
export function createRedactor(): Redactor {
  const secrets = createSecretSet();
  const scrubber = createScrubber(secrets);

  function observe(change: ResourceChange): void {
    collectMarked(secrets, change.before, change.before_sensitive);
    collectMarked(secrets, change.after, change.after_sensitive);
    for (const name of listSecretAttributes(change.type)) {
      if (change.before !== null) collectMarked(secrets, change.before, { [name]: true });
      if (change.after !== null) collectMarked(secrets, change.after, { [name]: true });
    }
  }

  function observeOutput(_output: OutputChange, raw: RawChange): void {
    collectMarked(secrets, raw.before, raw.before_sensitive);
    collectMarked(secrets, raw.after, raw.after_sensitive);
  }

  function redactDiff(diff: AttributeDiff, change: ResourceChange): AttributeDiff {
    const segments = cleanPath(diff.path_segments);
    const moved = segments !== diff.path_segments;
    const marked = diff.before_sensitive || diff.after_sensitive;
    const before = marked ? null : cleanSide(diff.before, diff, change, change.before);
    const after = marked ? null : cleanSide(diff.after, diff, change, change.after);
    const lost =
      (before !== diff.before && !diff.before_sensitive) || (after !== diff.after && !diff.after_sensitive) || moved;
    if (!marked && !lost) return diff;
    const path = moved ? { path: renderPath(segments), path_segments: segments } : {};
    return { ...diff, ...path, before, after, ...(lost ? { scrubbed: true } : {}) };
  }

  /** The first segment is a name of the provider's schema; only below it can a key be a value of the user's. */
  function cleanPath(segments: AttributeDiff['path_segments']): AttributeDiff['path_segments'] {
    let cleaned = segments;
    for (let i = 1; i < segments.length; i++) {
      const segment = segments[i] as string | number;
      const rest = typeof segment === 'string' ? scrubber.cleanKey(segment) : segment;
      if (rest !== segment) cleaned = cleaned.with(i, rest);
    }
    return cleaned;
  }

  function cleanSide(
    value: JsonValue,
    diff: AttributeDiff,
    change: ResourceChange,
    side: JsonObject | null,
  ): JsonValue {
    if (value === null) return null;
    const path = diff.path_segments;
    const secret = isSecretAttribute(change.type, path) || (isValueKey(path.at(-1)) && isNamedSecret(side, path));
    const cleaned = scrubber.clean(value, path, secret);
    return cleaned === MASK && value !== MASK ? null : cleaned;
  }

  function redactOutput(output: OutputChange): OutputChange {
    if (output.sensitive) return { ...output, before: null, after: null };
    const before = scrubber.clean(output.before, [output.name], false);
    const after = scrubber.clean(output.after, [output.name], false);
    if (before === output.before && after === output.after) return output;
    const withheld = before === MASK || after === MASK;
    return withheld ? { ...output, before: null, after: null, sensitive: true } : { ...output, before, after };
  }

  return {
    observe,
    observeOutput,
    redactChange: (change) => change.diffs.map((diff) => redactDiff(diff, change)),
    redactOutput,
    redactText: remember((text) => maskForms(secrets.scrub(text, MASK), MASK), secrets.size),
  };
}

/**
 * Lets go of the two sides of an observed and judged change as far as `redactChange` can do without them: what waits to be
 * shown then holds its differences alone.
 */
export function releaseSides(change: ResourceChange): void {
  change.unknown = change.before_sensitive = change.after_sensitive = undefined;
  for (const { path_segments } of change.diffs) if (isValueKey(path_segments.at(-1))) return;
  change.before = change.after = null;
}

function collectMarked(secrets: SecretSet, value: MaybeJson, mask: Mask): void {
  if (value === null || value === undefined || mask === undefined || mask === null || mask === false) return;
  if (marksWhole(mask, value)) {
    collectAll(secrets, value, 0);
    return;
  }
  if (typeof value !== 'object' || typeof mask !== 'object') return;
  for (const key of Array.isArray(mask) ? mask.keys() : Object.keys(mask)) {
    const inner = maskAt(mask, key);
    if (inner === undefined || !Object.hasOwn(value, key)) continue;
    collectMarked(secrets, (value as Record<string | number, JsonValue>)[key], inner);
  }
}

function collectAll(secrets: SecretSet, value: JsonValue, depth: number): void {
  if (typeof value === 'string') secrets.add(value);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return;
  for (const item of Array.isArray(value) ? value : Object.values(value)) collectAll(secrets, item, depth + 1);
}

/** Whether the object that holds the value names a secret beside it: `{"name": "DB_PASSWORD", "value": …}`. */
function isNamedSecret(side: JsonObject | null, path: readonly (string | number)[]): boolean {
  let place: MaybeJson = side;
  for (const segment of path.slice(0, -1)) {
    if (place === null || typeof place !== 'object' || !Object.hasOwn(place, segment)) return false;
    place = (place as Record<string | number, JsonValue>)[segment];
  }
  return isObject(place) && namesItsValueSecret(place);
}
