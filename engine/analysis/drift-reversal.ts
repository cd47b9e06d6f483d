import { Leaf, type PathNode, toPathNode } from '../changes/path-node.ts';
import { memberAt } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isEqual, isNothing } from '../changes/values.ts';
import { createMeaningTest } from '../equivalence/prover.ts';
import type { Action, AttributeDiff, DriftReversal, JsonValue } from '../model/result.ts';
import { isModelClassified } from '../noise/unknown.ts';
import { objectKey } from './drift-relevance.ts';
import type { JudgedChange } from './ranking.ts';

type Segments = AttributeDiff['path_segments'];

/** openapi.yaml, DriftReversal.paths */
const MAX_PATHS = 20;

/** Actions that set attributes of an existing object. */
const SETTING: ReadonlySet<Action> = new Set(['update', 'replace', 'unknown']);

/** Attributes that repeat another attribute. */
const MIRRORS: ReadonlyMap<string | number, string> = new Map([
  ['tags_all', 'tags'],
  ['effective_labels', 'labels'],
  ['terraform_labels', 'labels'],
]);

/** Finds planned changes that undo changes made outside of IaC. Reads raw values, returns only paths. */
export class Reversals {
  private readonly drifted = new Map<string, ResourceChange>();

  constructor(drifted: readonly JudgedChange[]) {
    for (const { change } of drifted) this.drifted.set(objectKey(change), change);
  }

  /** @returns a reversal with unredacted paths */
  find(change: ResourceChange): DriftReversal | null {
    const drift = this.drifted.get(objectKey(change)) ?? this.driftBeforeMove(change);
    if (drift === undefined) return findLiveReversal(change);
    if (drift.action === 'delete') return change.action === 'create' ? RECREATED : null;
    return SETTING.has(change.action) ? compare(drift.diffs, change) : null;
  }

  private driftBeforeMove({ previous_address, deposed }: ResourceChange): ResourceChange | undefined {
    return previous_address === null ? undefined : this.drifted.get(objectKey({ address: previous_address, deposed }));
  }
}

const RECREATED: DriftReversal = { kind: 'recreate', paths: [], paths_total: 0 };

/**
 * A difference that a scan found and the plan does not list as drift. It counts only where the plan starts from the value
 * of the cloud: otherwise somebody has reverted it since the scan, or the plan was made without a refresh.
 */
function findLiveReversal(change: ResourceChange): DriftReversal | null {
  const drift = change.live?.drift;
  if (!drift || drift.drift_type === 'missing' || !SETTING.has(change.action)) return null;
  const planned = new LeafTree(change.diffs);
  const seen = drift.attributes.filter((diff) => isWhole(diff) && hasSeen(planned, diff));
  return compare(seen, change);
}

function isWhole({ before_sensitive, after_sensitive, truncated, scrubbed }: AttributeDiff): boolean {
  return !before_sensitive && !after_sensitive && !truncated && scrubbed !== true;
}

function hasSeen(planned: LeafTree, drift: AttributeDiff): boolean {
  const { leaf, covering } = planned.find(toPathNode(drift));
  const diff = leaf?.diff ?? covering;
  if (diff === null) return false;
  return isSame(valueAt(diff.before, drift.path_segments.slice(toPathNode(diff).depth)), drift.after);
}

function compare(drifted: readonly AttributeDiff[], change: ResourceChange): DriftReversal | null {
  const planned = new LeafTree(change.diffs);
  const isSameMeaning = createMeaningTest(change.type);
  const undone: AttributeDiff[] = [];
  let exact = true;
  for (const diff of drifted) {
    const effect = diff.noise === 'novel' ? findEffect(diff, planned, isSameMeaning) : 'none';
    if (effect === 'none') continue;
    undone.push(diff);
    if (effect === 'set') exact = false;
  }
  const undoneTree = new LeafTree(undone);
  const shown = undone.filter((diff) => !isMirrored(diff, undoneTree));
  if (shown.length === 0) return null;
  const paths = shown.slice(0, MAX_PATHS).map(({ path }) => path);
  return { kind: exact ? 'revert' : 'overwrite', paths, paths_total: shown.length };
}

function isMirrored(diff: AttributeDiff, undoneTree: LeafTree): boolean {
  const node = toPathNode(diff);
  const original = node.first === undefined ? undefined : MIRRORS.get(node.first);
  return original !== undefined && (undoneTree.find(node, original).leaf?.diff ?? null) !== null;
}

type MeaningTest = ReturnType<typeof createMeaningTest>;
type Effect = 'none' | 'revert' | 'set';

/** Effect of the plan on a drifted leaf: none, restores the previous value, or sets another value. */
function findEffect(drift: AttributeDiff, planned: LeafTree, isSameMeaning: MeaningTest): Effect {
  const node = toPathNode(drift);
  const { leaf, covering } = planned.find(node);
  if (covering !== null) {
    const becomes = valueAt(covering.after, drift.path_segments.slice(toPathNode(covering).depth));
    return classifyEffect(covering, [drift.before, drift.after, becomes], drift, isSameMeaning);
  }
  return leaf === null ? 'none' : findEffectBelow(leaf, [drift.before, drift.after], drift, isSameMeaning);
}

/** The configured value and the drifted value. */
type Drifted = [was: JsonValue, is: JsonValue];

/** Combined effect of all planned leaves at and below a path. */
function findEffectBelow(leaf: PlannedLeaf, values: Drifted, drift: AttributeDiff, isSameMeaning: MeaningTest): Effect {
  let effect: Effect = 'none';
  const open: [PlannedLeaf, Drifted][] = [[leaf, values]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [{ diff, children }, [was, is]] = next;
    const here = diff === null ? 'none' : classifyEffect(diff, [was, is, diff.after], drift, isSameMeaning);
    if (here === 'set') return here;
    if (here === 'revert') effect = here;
    for (const [segment, inner] of children ?? []) open.push([inner, [memberAt(was, segment), memberAt(is, segment)]]);
  }
  return effect;
}

function classifyEffect(
  plan: AttributeDiff,
  [was, is, becomes]: [...Drifted, JsonValue],
  drift: AttributeDiff,
  isSameMeaning: MeaningTest,
): Effect {
  if (plan.after_unknown || (plan.noise !== 'novel' && !isModelClassified(plan, ''))) return 'none';
  if (isSame(was, is) || isSame(is, becomes)) return 'none';
  if (isSame(was, becomes)) return 'revert';
  const restored = new Leaf(toPathNode(drift), { ...drift, op: 'update', after: becomes });
  return isSameMeaning(restored) ? 'revert' : 'set';
}

function valueAt(value: JsonValue, path: Segments): JsonValue {
  let current = value;
  for (const segment of path) current = memberAt(current, segment);
  return current;
}

/** Most providers treat absent, null and empty values alike. */
function isSame(a: JsonValue, b: JsonValue): boolean {
  return isEqual(a, b) || (isNothing(a) && isNothing(b));
}

interface PlannedLeaf {
  diff: AttributeDiff | null;
  /** null if there are no children. */
  children: Map<string | number, PlannedLeaf> | null;
}

/** Diffs by path, to find those at, above and below a path. */
class LeafTree {
  private readonly root: PlannedLeaf = { diff: null, children: null };
  private readonly inserted = new Map<PathNode, PlannedLeaf>();
  private readonly matches = new Map<PathNode, LeafMatch>();
  private readonly renamedMatches = new Map<PathNode, LeafMatch>();

  constructor(diffs: readonly AttributeDiff[]) {
    for (const diff of diffs) this.insert(toPathNode(diff)).diff = diff;
  }

  private insert(node: PathNode): PlannedLeaf {
    if (node.parent === null) return this.root;
    let leaf = this.inserted.get(node);
    if (leaf !== undefined) return leaf;
    const parent = this.insert(node.parent);
    parent.children ??= new Map();
    leaf = parent.children.get(node.segment) ?? { diff: null, children: null };
    parent.children.set(node.segment, leaf);
    this.inserted.set(node, leaf);
    return leaf;
  }

  /**
   * Finds the diffs at a path, which may come from another change.
   *
   * @param first replaces the first segment; must be the same for all paths with the same first segment
   */
  find(node: PathNode, first?: string): LeafMatch {
    if (node.parent === null) return { leaf: this.root, covering: null };
    const known = first === undefined ? this.matches : this.renamedMatches;
    let found = known.get(node);
    if (found === undefined) {
      const parent = this.find(node.parent, first);
      const segment = node.depth === 1 && first !== undefined ? first : node.segment;
      const leaf = parent.leaf?.children?.get(segment) ?? null;
      found = { leaf, covering: parent.leaf?.diff ?? parent.covering };
      known.set(node, found);
    }
    return found;
  }
}

interface LeafMatch {
  /** null if there is no diff at or below the path. */
  leaf: PlannedLeaf | null;
  /** The diff above the path. */
  covering: AttributeDiff | null;
}
