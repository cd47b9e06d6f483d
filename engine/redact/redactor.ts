import { marksWhole, maskAt } from '../changes/overlay.ts';
import { renderPath } from '../changes/path.ts';
import { type Place, placeOf, writeOut } from '../changes/place.ts';
import type { SideReader } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isObject, MAX_DEPTH, type MaybeJson } from '../changes/values.ts';
import type { Mask, RawChange } from '../plan/types.ts';
import type { AttributeDiff, JsonValue, OutputChange } from '../result.ts';
import { namesItsValueSecret } from './concealed.ts';
import { maskForms } from './forms.ts';
import { listSecretAttributes } from './known-attributes.ts';
import { createPlaces, type Places } from './places.ts';
import { remember } from './remember.ts';
import { createScrubber, isValueKey, MASK } from './scrubber.ts';
import { createSecretSet, type SecretSet } from './secret-set.ts';
import { extendNaming, UNNAMED } from './secrets.ts';

/** Observe every change and output of a plan first, those that do nothing too; then redact what is shown. */
export interface Redactor {
  observe(change: ResourceChange): void;
  observeOutput(output: OutputChange, raw: RawChange): void;
  /** The change's diffs in the same order without any secret; those that held none are the same objects. */
  redactChange(change: ResourceChange): AttributeDiff[];
  /** Whether `redactChange` would show this diff of the change in another way than it is. */
  withholds(diff: AttributeDiff, change: ResourceChange): boolean;
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
  let latest: Places | undefined;

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

  function redactDiff(diff: AttributeDiff, places: Places): AttributeDiff {
    const place = placeOf(diff);
    const moved = !places.isClean(place);
    const marked = diff.before_sensitive || diff.after_sensitive;
    const before = marked ? null : cleanSide(diff.before, place, places, places.before);
    const after = marked ? null : cleanSide(diff.after, place, places, places.after);
    const lost =
      (before !== diff.before && !diff.before_sensitive) || (after !== diff.after && !diff.after_sensitive) || moved;
    if (!marked && !lost) return diff;
    const { path: _path, path_segments: segments, ...rest } = writeOut(diff);
    const path_segments = moved ? cleanPath(segments) : segments;
    const path = renderPath(path_segments);
    return { path, path_segments, ...rest, before, after, ...(lost ? { scrubbed: true } : {}) };
  }

  /** The first segment is a name of the provider's schema; only below it can a key be a value of the user's. */
  function cleanPath(segments: AttributeDiff['path_segments']): AttributeDiff['path_segments'] {
    return segments.map((segment, i) => (i > 0 && typeof segment === 'string' ? scrubber.cleanKey(segment) : segment));
  }

  function cleanSide(value: JsonValue, place: Place, places: Places, side: SideReader): JsonValue {
    if (value === null) return null;
    const secret = places.isSecret(place) || (isValueKey(place.segment) && isNamedSecret(side, place));
    const cleaned = scrubber.clean(value, places.naming(place), secret);
    return cleaned === MASK && value !== MASK ? null : cleaned;
  }

  /** What is known of the places of one change; no other is held on to. */
  function placesOf(change: ResourceChange): Places {
    if (latest?.change !== change) latest = createPlaces(change, scrubber.cleanKey);
    return latest;
  }

  function redactChange(change: ResourceChange): AttributeDiff[] {
    const places = createPlaces(change, scrubber.cleanKey);
    return change.diffs.map((diff) => redactDiff(diff, places));
  }

  function redactOutput(output: OutputChange): OutputChange {
    if (output.sensitive) return { ...output, before: null, after: null };
    const before = scrubber.clean(output.before, extendNaming(UNNAMED, output.name), false);
    const after = scrubber.clean(output.after, extendNaming(UNNAMED, output.name), false);
    if (before === output.before && after === output.after) return output;
    const withheld = before === MASK || after === MASK;
    return withheld ? { ...output, before: null, after: null, sensitive: true } : { ...output, before, after };
  }

  return {
    observe,
    observeOutput,
    redactChange,
    withholds: (diff, change) => redactDiff(diff, placesOf(change)) !== diff,
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
  for (const diff of change.diffs) if (isValueKey(placeOf(diff).segment)) return;
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
function isNamedSecret(side: SideReader, { above }: Place): boolean {
  const holder = above === null ? null : side(above);
  return isObject(holder) && namesItsValueSecret(holder);
}
