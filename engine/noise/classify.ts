import type { ResourceChange } from '../changes/types.ts';
import { createRedactor } from '../redact/redactor.ts';
import type { AttributeDiff, ChangeNoise, JsonObject, JsonValue } from '../result.ts';
import { isWatched } from '../risk/attributes/index.ts';
import { type CompiledRule, findRule, isGraver, noiseRulesOf } from './catalog/index.ts';
import { findNomination, type Nomination, nominationsOf } from './equivalences.ts';
import { attributePattern, fingerprint, valueDigest } from './fingerprint.ts';
import { type ChangeShape, isSameMeaning, shapeOf } from './shapes.ts';

export interface NoiseOptions {
  /** The org's noise key; without it a `value_change` has no fingerprint. */
  key?: Uint8Array;
}

/** As many as a change shows attributes. */
const MAX_FINGERPRINTS = 200;

/** Proven equal wherever they stand; the two shapes between null and empty are asked further, in isBenign. */
const BENIGN: ReadonlySet<ChangeShape> = new Set(['json_equivalent', 'numeric_string']);

/** Benign only where the provider says that the difference means nothing: order and case do mean something in a command. */
const BENIGN_WHERE_NOMINATED: ReadonlyMap<ChangeShape, Nomination['kind']> = new Map([
  ['reorder', 'order'],
  ['case_only', 'case'],
  ['whitespace_only', 'space'],
  ['default_filled', 'default'],
]);

/** Names that providers recompute on any update of a resource: unknown because something else changes. */
const COMPUTED =
  /^(id|arn|etag|version_id|last_modified|fingerprint|self_link|tags_all|effective_labels|terraform_labels|qualified_\w+|\w+_revision)$/;

/**
 * Judges which leaves of an update are plan noise, and the update with them.
 *
 * A leaf is `known_benign` when a rule of the catalog speaks of its path and of both its values. A rule that calls for
 * caution only names the pattern. A leaf is `likely_benign` when its shape proves that both values mean the same, unless
 * it forces a replacement. On a path that a risk rule watches, nothing short of one document or one set counts as proof.
 * Leaves that only become unknown, under a name which the provider computes, follow the verdict of the leaves that cause
 * them. The change is noise only if all of its leaves are, and known only if rules know all that are not mere
 * consequences; a create, a delete or a replace never is.
 *
 * @param change with raw values; `noise` of its diffs is set in place
 * @returns fingerprints sorted and unique, of updates only, at most 200
 * @see openapi.yaml, ChangeNoise
 */
export function classifyNoise(change: ResourceChange, options: NoiseOptions): ChangeNoise {
  if (change.action !== 'update' || change.diffs.length === 0) return verdict('novel', []);
  const rules = noiseRulesOf(change.type);
  const nominations = nominationsOf(change.type);
  const prints = new Map<string, string>();
  const digestOf = createDigest(change, options.key);
  const cascades: AttributeDiff[] = [];
  const leaves = { known_benign: 0, likely_benign: 0 };
  let gravest: CompiledRule | null = null;
  for (const diff of change.diffs) {
    const nomination = nominations === undefined ? null : findNomination(nominations, diff.path_segments);
    const shape = shapeOf(diff, nomination);
    const rule = rules === undefined ? null : findRule(rules, diff, change);
    if (rule !== null && isGraver(rule, gravest)) gravest = rule;
    const noise = rule === null ? noiseByShape(change, diff, shape, nomination) : noiseByRule(change, diff, rule);
    diff.noise = noise;
    if (noise !== 'novel') leaves[noise] += 1;
    else if (isCascade(shape, diff) && mayBeNoise(change, diff)) cascades.push(diff);
    if (prints.size < MAX_FINGERPRINTS) addPrint(prints, change, diff, shape, digestOf);
  }
  const benign = leaves.known_benign + leaves.likely_benign;
  const noise = benign > 0 && benign + cascades.length === change.diffs.length;
  if (noise) for (const diff of cascades) diff.noise = 'likely_benign';
  const fingerprints = [...new Set(prints.values())].sort();
  if (noise) return verdict(leaves.likely_benign === 0 ? 'known_benign' : 'likely_benign', fingerprints, gravest);
  return verdict('novel', fingerprints, gravest?.severity === 'caution' ? gravest : null);
}

function verdict(
  classification: ChangeNoise['classification'],
  fingerprints: string[],
  rule: CompiledRule | null = null,
): ChangeNoise {
  return {
    classification,
    severity: rule?.severity ?? null,
    fingerprints,
    matched_rule_id: rule?.id ?? null,
    matched_custom_rule_id: null,
    suppression_id: null,
    overridden: false,
  };
}

function noiseByRule(change: ResourceChange, diff: AttributeDiff, rule: CompiledRule): AttributeDiff['noise'] {
  if (rule.severity === 'caution' || diff.forces_replacement) return 'novel';
  return rule.on_watched || mayBeNoise(change, diff) ? 'known_benign' : 'novel';
}

function noiseByShape(
  change: ResourceChange,
  diff: AttributeDiff,
  shape: ChangeShape,
  nomination: Nomination | null,
): AttributeDiff['noise'] {
  return isBenign(change, diff, shape, nomination) && mayBeNoise(change, diff) ? 'likely_benign' : 'novel';
}

function isBenign(
  change: ResourceChange,
  diff: AttributeDiff,
  shape: ChangeShape,
  nomination: Nomination | null,
): boolean {
  if (shape === 'null_to_empty') return isStated(change.before, diff);
  if (shape === 'empty_to_null') return isStated(change.after, diff);
  if (BENIGN.has(shape)) return true;
  return nomination !== null && BENIGN_WHERE_NOMINATED.get(shape) === nomination.kind;
}

/**
 * Whether the side that shows null may be read as "empty": a list with one item fewer is another list, and a map without
 * a key is another map than one that holds an empty text under it.
 */
function isStated(side: JsonObject | null, { path_segments, before, after }: AttributeDiff): boolean {
  if (path_segments.length === 1) return true;
  let parent: JsonValue | undefined = side;
  for (const segment of path_segments.slice(0, -1)) parent = memberOf(parent, segment);
  if (parent === null || typeof parent !== 'object') return true;
  if (!Array.isArray(parent) && before !== '' && after !== '') return true;
  return memberOf(parent, path_segments.at(-1) as string | number) !== undefined;
}

function memberOf(value: JsonValue | undefined, segment: string | number): JsonValue | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, segment)) return undefined;
  return (value as Record<string | number, JsonValue>)[segment];
}

function isCascade(shape: ChangeShape, diff: AttributeDiff): boolean {
  const name = diff.path_segments[0];
  return shape === 'to_unknown' && typeof name === 'string' && COMPUTED.test(name);
}

function mayBeNoise(change: ResourceChange, diff: AttributeDiff): boolean {
  if (diff.forces_replacement) return false;
  return !isWatched(change.type, diff.path_segments) || isSameMeaning(diff, change.type);
}

/** Fingerprints by what goes into them, so that fifty tags are hashed once. */
function addPrint(
  prints: Map<string, string>,
  change: ResourceChange,
  diff: AttributeDiff,
  change_shape: ChangeShape,
  digestOf: (diff: AttributeDiff) => string | null,
): void {
  const value_digest = change_shape === 'value_change' ? digestOf(diff) : null;
  if (change_shape === 'value_change' && value_digest === null) return;
  const attribute = attributePattern(diff);
  const content = `${change_shape}|${value_digest}|${attribute}`;
  if (prints.has(content)) return;
  prints.set(
    content,
    fingerprint({ action: change.action, attribute, change_shape, resource_type: change.type, value_digest }),
  );
}

/** Digests of changed values; null without a key, and for a value that the redactor would withhold from this change. */
function createDigest(change: ResourceChange, key: Uint8Array | undefined): (diff: AttributeDiff) => string | null {
  if (key === undefined) return () => null;
  let withheld: ReadonlySet<AttributeDiff> | undefined;
  return (diff) => {
    withheld ??= findWithheld(change);
    return withheld.has(diff) ? null : valueDigest(key, diff.before, diff.after);
  };
}

/** The diffs of which nothing may be shown, and so nothing hashed: told by the redactor itself, from this change alone. */
function findWithheld(change: ResourceChange): ReadonlySet<AttributeDiff> {
  const redactor = createRedactor();
  redactor.observe(change);
  const shown = redactor.redactChange(change);
  return new Set(change.diffs.filter((diff, i) => shown[i] !== diff));
}
