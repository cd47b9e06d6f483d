import { type PathNode, toPathNode } from '../changes/path-node.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { ChangeShape, LeafShape } from '../equivalence/shapes.ts';
import { isUntyped } from '../equivalence/untyped.ts';
import type { AttributeDiff, ChangeNoise } from '../model/result.ts';
import { isWatched } from '../risk/attributes/index.ts';
import { isCascade } from './org-decision.ts';

/** An unclassified leaf, described by its pattern. */
export interface UnknownLeaf {
  /** 32 lowercase hex digits. */
  fingerprint: string;
  /** Attribute path with every list index written `[*]`. */
  attribute: string;
  change_shape: ChangeShape;
}

/** Shapes of real value changes, which only the values can classify. */
const CHANGED: ReadonlySet<ChangeShape> = new Set(['value_change', 'hash_like']);
/** Format of names in provider schemas. */
const SCHEMA_NAME = /^[a-z][a-z0-9_]{0,62}$/;
const MAX_SEGMENTS = 12;

/**
 * Whether a model may classify a leaf that no rule and no proof covers: its shape is not a plain value change, it
 * forces no replacement, it is not secret, no risk rule watches its path, and the path contains only schema names.
 * User-defined keys are never sent to a model.
 */
export function canModelClassify(change: ResourceChange, diff: AttributeDiff, { shape, same }: LeafShape): boolean {
  if (same !== null || CHANGED.has(shape) || diff.forces_replacement || isCascade(diff, change.type)) return false;
  if (diff.before_sensitive || diff.after_sensitive) return false;
  if (!SCHEMA_NAME.test(change.type) || isUntyped(change.type) || !isSchemaPath(toPathNode(diff))) return false;
  return !isWatched(change.type, diff.path_segments);
}

/** A name directly below another name may be a key of a user-defined map. */
function isSchemaPath({ depth, segments }: PathNode): boolean {
  if (depth === 0 || depth > MAX_SEGMENTS) return false;
  return segments.every((segment, i) => {
    if (typeof segment === 'number') return i > 0;
    return SCHEMA_NAME.test(segment) && typeof segments[i - 1] !== 'string';
  });
}

/** Whether only a model's classification makes the leaf noise: no rule, no proof, and not computed. */
export function isModelClassified(diff: AttributeDiff, type: string): boolean {
  return diff.noise === 'likely_benign' && diff.same === undefined && !isCascade(diff, type);
}

/** The noise of a change for risk evaluation: a model's classification never lowers a level. */
export function withoutModelNoise(noise: ChangeNoise, diffs: readonly AttributeDiff[], type: string): ChangeNoise {
  if (noise.classification !== 'likely_benign' || !diffs.some((diff) => isModelClassified(diff, type))) return noise;
  return { ...noise, classification: 'novel' };
}
