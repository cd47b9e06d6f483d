import { marksWhole, maskAt } from '../changes/overlay.ts';
import { renderPath } from '../changes/path.ts';
import { type PathNode, toPathNode, toPlainDiff } from '../changes/path-node.ts';
import { createSideReader, type SideReader } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { MAX_DEPTH, type MaybeJson } from '../changes/values.ts';
import { isObject } from '../lib/is-object.ts';
import type { AttributeDiff, JsonValue, OutputChange } from '../model/result.ts';
import type { Mask, RawChange } from '../plan/types.ts';
import { isSecretArgument } from './arguments.ts';
import { maskSpans } from './concealed.ts';
import { isSecretEntry, isValueKey } from './documents.ts';
import { createFinder } from './finder.ts';
import { listSecretAttributes } from './known-attributes.ts';
import { memoize } from './memoize.ts';
import { createPathFacts, type PathFacts } from './path-facts.ts';
import { createScrubber, MASK } from './scrubber.ts';
import { maskSecrets } from './secret-patterns.ts';
import { createSecretSet, type SecretSet } from './secret-set.ts';
import { extendNaming, UNNAMED } from './secrets.ts';

/** Observe every change and output of a plan first, including unchanged ones; then redact the result. */
export interface Redactor {
  observe(change: ResourceChange): void;
  observeOutput(output: OutputChange, raw: RawChange): void;
  /** The redacted diffs in the same order; diffs without secrets are the same objects. */
  redactChange(change: ResourceChange): AttributeDiff[];
  /** Whether `redactChange` would change this diff. */
  withholds(diff: AttributeDiff, change: ResourceChange): boolean;
  redactOutput(output: OutputChange): OutputChange;
  /** Replaces known secrets and known secret formats in a text with `(sensitive)`. */
  redactText(text: string): string;
}

/**
 * Removes secrets from all output of the engine.
 *
 * First, values that the plan marks as sensitive become null and are flagged. Second, with `scrubbed`: marked strings
 * wherever else they appear, unless they are common words, values whose name or format indicates a secret, and secrets
 * inside longer texts, of which only the value is replaced. Those are removed from all other texts as well.
 *
 * @see openapi.yaml, AttributeDiff
 */
export function createRedactor(): Redactor {
  const secrets = createSecretSet();
  const scrubber = createScrubber(secrets);
  const collectFound = createFinder(secrets);
  const findFactsKey = createFactsKeys(secrets.size);
  let latest: PathFacts | undefined;

  function observe(change: ResourceChange): void {
    collectMarked(secrets, change.before, change.before_sensitive);
    collectMarked(secrets, change.after, change.after_sensitive);
    collectFound(change.after ?? change.before);
    // What is not a difference is in both sides.
    if (change.after !== null) for (const diff of change.diffs) collectFound(diff.before);
    for (const name of listSecretAttributes(change.type)) {
      if (change.before !== null) collectMarked(secrets, change.before, { [name]: true });
      if (change.after !== null) collectMarked(secrets, change.after, { [name]: true });
    }
  }

  function observeOutput(_output: OutputChange, raw: RawChange): void {
    collectMarked(secrets, raw.before, raw.before_sensitive);
    collectMarked(secrets, raw.after, raw.after_sensitive);
    collectFound(raw.before);
    collectFound(raw.after);
  }

  function redactDiff(diff: AttributeDiff, pathFacts: PathFacts): AttributeDiff {
    const node = toPathNode(diff);
    const isPathUnclean = !pathFacts.isClean(node);
    const marked = diff.before_sensitive || diff.after_sensitive;
    const before = marked ? null : cleanSide(diff.before, node, pathFacts, pathFacts.before);
    const after = marked ? null : cleanSide(diff.after, node, pathFacts, pathFacts.after);
    const lost =
      (before !== diff.before && !diff.before_sensitive) ||
      (after !== diff.after && !diff.after_sensitive) ||
      isPathUnclean;
    if (!marked && !lost) return diff;
    const { path: _path, path_segments: segments, ...rest } = toPlainDiff(diff);
    const path_segments = isPathUnclean ? cleanPath(segments) : segments;
    const path = renderPath(path_segments);
    return { path, path_segments, ...rest, before, after, ...(lost ? { scrubbed: true } : {}) };
  }

  /** The first segment is a schema name; only later segments can be user-defined keys. */
  function cleanPath(segments: AttributeDiff['path_segments']): AttributeDiff['path_segments'] {
    return segments.map((segment, i) => (i > 0 && typeof segment === 'string' ? scrubber.cleanKey(segment) : segment));
  }

  function cleanSide(value: JsonValue, node: PathNode, pathFacts: PathFacts, side: SideReader): JsonValue {
    if (value === null) return null;
    const secret = pathFacts.isSecret(node) || isNamedSecret(side, node) || isSecretItem(side, node);
    const cleaned = scrubber.clean(value, pathFacts.naming(node), secret);
    return cleaned === MASK && value !== MASK ? null : cleaned;
  }

  /** Caches path facts of the last change only. */
  function findPathFacts(change: ResourceChange): PathFacts {
    if (latest?.change !== change) latest = createPathFacts(change, scrubber.cleanKey, findFactsKey);
    return latest;
  }

  function redactChange(change: ResourceChange): AttributeDiff[] {
    const pathFacts = createPathFacts(change, scrubber.cleanKey, findFactsKey);
    return change.diffs.map((diff) => redactDiff(diff, pathFacts));
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
    withholds: (diff, change) => redactDiff(diff, findPathFacts(change)) !== diff,
    redactOutput,
    redactText: memoize((text) => maskSecrets(maskSpans(secrets.scrub(text, MASK), MASK), MASK), secrets.size),
  };
}

/** Keys of path facts by the list of secret attributes, which are valid while no secret is added. */
function createFactsKeys(countSecrets: () => number): (attributes: readonly string[]) => object {
  const keys = new Map<readonly string[], object>();
  let known = countSecrets();

  return (attributes) => {
    if (known !== countSecrets()) {
      known = countSecrets();
      keys.clear();
    }
    const key = keys.get(attributes) ?? {};
    keys.set(attributes, key);
    return key;
  };
}

/**
 * Releases both sides of an evaluated change, unless `redactChange` still needs them, so that listed changes keep only
 * their diffs in memory.
 */
export function releaseSides(change: ResourceChange): void {
  change.unknown = change.before_sensitive = change.after_sensitive = undefined;
  const [before, after] = [createSideReader(change.before), createSideReader(change.after)];
  for (const diff of change.diffs) {
    const node = toPathNode(diff);
    if (isValueKey(node.segment) || isSecretItem(before, node) || isSecretItem(after, node)) return;
  }
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

/** Whether the parent object names the value as a secret: `{"name": "DB_PASSWORD", "value": …}`. */
function isNamedSecret(side: SideReader, { parent: above, segment }: PathNode): boolean {
  if (!isValueKey(segment) || above === null) return false;
  const holder = side(above);
  return isObject(holder) && isSecretEntry(holder);
}

/** Whether the item before it says that an item of a list is a secret: `["--password", …]`. */
function isSecretItem(side: SideReader, { parent: above, segment }: PathNode): boolean {
  if (typeof segment !== 'number' || segment === 0 || above === null) return false;
  const list = side(above);
  return Array.isArray(list) && isSecretArgument(list, segment);
}
