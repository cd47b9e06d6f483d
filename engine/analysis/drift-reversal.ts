import { renderPath } from '../changes/path.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isEqual, isNothing } from '../changes/values.ts';
import { isSameMeaning } from '../noise/prover.ts';
import { standsOnWord } from '../noise/unknown.ts';
import type { Action, AttributeDiff, DriftReversal, JsonValue } from '../result.ts';
import { objectKey } from './drift-relevance.ts';
import type { JudgedChange } from './ranking.ts';

type Segments = AttributeDiff['path_segments'];

/** openapi.yaml, DriftReversal.paths */
const MAX_PATHS = 20;

/** Actions that set attributes of an object which is there. */
const SETTING: ReadonlySet<Action> = new Set(['update', 'replace', 'unknown']);

/** Where providers repeat what another attribute says already. */
const MIRRORS: ReadonlyMap<string | number, string> = new Map([
  ['tags_all', 'tags'],
  ['effective_labels', 'labels'],
  ['terraform_labels', 'labels'],
]);

/** Finds which planned changes undo what was changed outside of the code. Reads raw values and tells paths alone. */
export class Reversals {
  private readonly drifted = new Map<string, ResourceChange>();

  constructor(drifted: readonly JudgedChange[]) {
    for (const { change } of drifted) this.drifted.set(objectKey(change), change);
  }

  /** @returns with paths as they stand in the plan, not yet searched for secrets */
  find(change: ResourceChange): DriftReversal | null {
    const drift = this.drifted.get(objectKey(change)) ?? this.driftBeforeMove(change);
    if (drift === undefined) return null;
    if (drift.action === 'delete') return change.action === 'create' ? RECREATED : null;
    return SETTING.has(change.action) ? compare(drift, change) : null;
  }

  private driftBeforeMove({ previous_address, deposed }: ResourceChange): ResourceChange | undefined {
    return previous_address === null ? undefined : this.drifted.get(objectKey({ address: previous_address, deposed }));
  }
}

const RECREATED: DriftReversal = { kind: 'recreate', paths: [], paths_total: 0 };

function compare(drift: ResourceChange, change: ResourceChange): DriftReversal | null {
  const planned = indexDiffs(change.diffs);
  const undone = new Map<string, AttributeDiff>();
  let exact = true;
  for (const diff of drift.diffs) {
    const effect = diff.noise === 'novel' ? effectOn(diff, planned, change.type) : 'none';
    if (effect === 'none') continue;
    undone.set(diff.path, diff);
    if (effect === 'set') exact = false;
  }
  const paths = [...undone].filter(([, diff]) => !repeats(diff, undone)).map(([path]) => path);
  if (paths.length === 0) return null;
  return { kind: exact ? 'revert' : 'overwrite', paths: paths.slice(0, MAX_PATHS), paths_total: paths.length };
}

function repeats(
  { path_segments: [first, ...rest] }: AttributeDiff,
  told: ReadonlyMap<string, AttributeDiff>,
): boolean {
  const original = first === undefined ? undefined : MIRRORS.get(first);
  return original !== undefined && told.has(renderPath([original, ...rest]));
}

type Effect = 'none' | 'revert' | 'set';

/** What the plan does to one leaf that drifted: leaves it, gives it back the value it had, or sets another. */
function effectOn(drift: AttributeDiff, planned: PlannedLeaf, type: string): Effect {
  let effect: Effect = 'none';
  for (const plan of touching(planned, drift.path_segments)) {
    if (plan.after_unknown || (plan.noise !== 'novel' && !standsOnWord(plan))) continue;
    const [was, is, becomes] = atFinerPath(drift, plan);
    if (isSame(was, is) || isSame(is, becomes)) continue;
    const restored = isSame(was, becomes) || isSameMeaning({ ...drift, op: 'update', after: becomes }, type);
    if (!restored) return 'set';
    effect = 'revert';
  }
  return effect;
}

/** The value that the code had set, the one found there, and the one planned, at whichever path lies deeper. */
function atFinerPath(drift: AttributeDiff, plan: AttributeDiff): [JsonValue, JsonValue, JsonValue] {
  const depth = drift.path_segments.length;
  const below = plan.path_segments.slice(depth);
  if (below.length > 0) return [valueAt(drift.before, below), valueAt(drift.after, below), plan.after];
  return [drift.before, drift.after, valueAt(plan.after, drift.path_segments.slice(plan.path_segments.length))];
}

function valueAt(value: JsonValue, path: Segments): JsonValue {
  let place: JsonValue = value;
  for (const segment of path) {
    if (place === null || typeof place !== 'object' || !Object.hasOwn(place, segment)) return null;
    place = (place as Record<string | number, JsonValue>)[segment] ?? null;
  }
  return place;
}

/** Absent, null and empty are one to most providers. */
function isSame(a: JsonValue, b: JsonValue): boolean {
  return isEqual(a, b) || (isNothing(a) && isNothing(b));
}

/** The planned diffs by path, so that those around one path are found in as many steps as it is deep. */
interface PlannedLeaf {
  diff: AttributeDiff | null;
  below: Map<string | number, PlannedLeaf>;
}

function indexDiffs(diffs: readonly AttributeDiff[]): PlannedLeaf {
  const root: PlannedLeaf = { diff: null, below: new Map() };
  for (const diff of diffs) {
    let leaf = root;
    for (const segment of diff.path_segments) {
      const next = leaf.below.get(segment) ?? { diff: null, below: new Map() };
      leaf.below.set(segment, next);
      leaf = next;
    }
    leaf.diff = diff;
  }
  return root;
}

/** The planned diffs at a path, above it or below it. */
function* touching(root: PlannedLeaf, path: Segments): Generator<AttributeDiff> {
  let leaf = root;
  for (const segment of path) {
    if (leaf.diff !== null) yield leaf.diff;
    const next = leaf.below.get(segment);
    if (next === undefined) return;
    leaf = next;
  }
  yield* within(leaf);
}

function* within(leaf: PlannedLeaf): Generator<AttributeDiff> {
  if (leaf.diff !== null) yield leaf.diff;
  for (const below of leaf.below.values()) yield* within(below);
}
