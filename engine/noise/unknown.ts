import { type PathNode, toPathNode } from '../changes/path-node.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { AttributeDiff, ChangeNoise } from '../result.ts';
import { isWatched } from '../risk/attributes/index.ts';
import { isCascade } from './org-decision.ts';
import { isUntyped } from './prover.ts';
import type { ChangeShape, LeafShape } from './shapes.ts';

/** A leaf on which nothing has decided, as its pattern tells it. */
export interface UnknownLeaf {
  /** 32 lower-case hex */
  fingerprint: string;
  /** Attribute path with every list index written `[*]`. */
  attribute: string;
  change_shape: ChangeShape;
}

/** Shapes that say by themselves that something else stands there now; whether that matters only the values tell. */
const CHANGED: ReadonlySet<ChangeShape> = new Set(['value_change', 'hash_like']);
/** As schemas of providers spell names. */
const SCHEMA_NAME = /^[a-z][a-z0-9_]{0,62}$/;
const MAX_SEGMENTS = 12;

/**
 * Whether a word may call a leaf noise that no rule decides and no values prove: it has a shape beyond "another value",
 * forces nothing, is no secret, no rule watches its path, and that path is made of names of a schema alone. Keys that users
 * choose are never told to anybody.
 */
export function canModelClassify(change: ResourceChange, diff: AttributeDiff, { shape, same }: LeafShape): boolean {
  if (same !== null || CHANGED.has(shape) || diff.forces_replacement || isCascade(diff)) return false;
  if (diff.before_sensitive || diff.after_sensitive) return false;
  if (!SCHEMA_NAME.test(change.type) || isUntyped(change.type) || !isSchemaPath(toPathNode(diff))) return false;
  return !isWatched(change.type, diff.path_segments);
}

/** A name straight below a name may be a key of the user's own map. */
function isSchemaPath({ depth, segments }: PathNode): boolean {
  if (depth === 0 || depth > MAX_SEGMENTS) return false;
  return segments.every((segment, i) => {
    if (typeof segment === 'number') return i > 0;
    return SCHEMA_NAME.test(segment) && typeof segments[i - 1] !== 'string';
  });
}

/** Whether a word alone says that a leaf is noise: no rule knows it, no values prove it, and it follows from nothing. */
export function isModelClassified(diff: AttributeDiff): boolean {
  return diff.noise === 'likely_benign' && diff.same === undefined && !isCascade(diff);
}

/** The noise of a change as its judgement sees it: a word takes nothing off a level. */
export function withoutModelNoise(noise: ChangeNoise, diffs: readonly AttributeDiff[]): ChangeNoise {
  if (noise.classification !== 'likely_benign' || !diffs.some(isModelClassified)) return noise;
  return { ...noise, classification: 'novel' };
}
