import { Leaf, type Place, placeOf } from '../changes/place.ts';
import { memberAt } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isEqual, isNothing } from '../changes/values.ts';
import { createMeaningTest } from '../noise/prover.ts';
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
  const planned = new LeafTree(change.diffs);
  const isSameMeaning = createMeaningTest(change.type);
  const undone: AttributeDiff[] = [];
  let exact = true;
  for (const diff of drift.diffs) {
    const effect = diff.noise === 'novel' ? effectOn(diff, planned, isSameMeaning) : 'none';
    if (effect === 'none') continue;
    undone.push(diff);
    if (effect === 'set') exact = false;
  }
  const told = new LeafTree(undone);
  const shown = undone.filter((diff) => !repeats(diff, told));
  if (shown.length === 0) return null;
  const paths = shown.slice(0, MAX_PATHS).map(({ path }) => path);
  return { kind: exact ? 'revert' : 'overwrite', paths, paths_total: shown.length };
}

function repeats(diff: AttributeDiff, told: LeafTree): boolean {
  const place = placeOf(diff);
  const original = place.first === undefined ? undefined : MIRRORS.get(place.first);
  return original !== undefined && (told.reach(place, original).leaf?.diff ?? null) !== null;
}

type MeaningTest = ReturnType<typeof createMeaningTest>;
type Effect = 'none' | 'revert' | 'set';

/** What the plan does to one leaf that drifted: leaves it, gives it back the value it had, or sets another. */
function effectOn(drift: AttributeDiff, planned: LeafTree, isSameMeaning: MeaningTest): Effect {
  const place = placeOf(drift);
  const { leaf, covering } = planned.reach(place);
  if (covering !== null) {
    const becomes = valueAt(covering.after, drift.path_segments.slice(placeOf(covering).depth));
    return effectOf(covering, [drift.before, drift.after, becomes], drift, isSameMeaning);
  }
  return leaf === null ? 'none' : effectBelow(leaf, [drift.before, drift.after], drift, isSameMeaning);
}

/** The value that the code had set, and the one found there. */
type Drifted = [was: JsonValue, is: JsonValue];

/** Of all planned leaves at and below a place. */
function effectBelow(leaf: PlannedLeaf, values: Drifted, drift: AttributeDiff, isSameMeaning: MeaningTest): Effect {
  let effect: Effect = 'none';
  const open: [PlannedLeaf, Drifted][] = [[leaf, values]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [{ diff, below }, [was, is]] = next;
    const here = diff === null ? 'none' : effectOf(diff, [was, is, diff.after], drift, isSameMeaning);
    if (here === 'set') return here;
    if (here === 'revert') effect = here;
    for (const [segment, inner] of below ?? []) open.push([inner, [memberAt(was, segment), memberAt(is, segment)]]);
  }
  return effect;
}

function effectOf(
  plan: AttributeDiff,
  [was, is, becomes]: [...Drifted, JsonValue],
  drift: AttributeDiff,
  isSameMeaning: MeaningTest,
): Effect {
  if (plan.after_unknown || (plan.noise !== 'novel' && !standsOnWord(plan))) return 'none';
  if (isSame(was, is) || isSame(is, becomes)) return 'none';
  if (isSame(was, becomes)) return 'revert';
  const back = new Leaf(placeOf(drift), { ...drift, op: 'update', after: becomes });
  return isSameMeaning(back) ? 'revert' : 'set';
}

function valueAt(value: JsonValue, path: Segments): JsonValue {
  let place = value;
  for (const segment of path) place = memberAt(place, segment);
  return place;
}

/** Absent, null and empty are one to most providers. */
function isSame(a: JsonValue, b: JsonValue): boolean {
  return isEqual(a, b) || (isNothing(a) && isNothing(b));
}

interface PlannedLeaf {
  diff: AttributeDiff | null;
  /** null as long as nothing stands below. */
  below: Map<string | number, PlannedLeaf> | null;
}

/** Diffs by their place, so that those around one place are found without a look at the others. */
class LeafTree {
  private readonly root: PlannedLeaf = { diff: null, below: null };
  private readonly entered = new Map<Place, PlannedLeaf>();
  private readonly reached = new Map<Place, Reached>();
  private readonly renamed = new Map<Place, Reached>();

  constructor(diffs: readonly AttributeDiff[]) {
    for (const diff of diffs) this.enter(placeOf(diff)).diff = diff;
  }

  private enter(place: Place): PlannedLeaf {
    if (place.above === null) return this.root;
    let leaf = this.entered.get(place);
    if (leaf !== undefined) return leaf;
    const above = this.enter(place.above);
    above.below ??= new Map();
    leaf = above.below.get(place.segment) ?? { diff: null, below: null };
    above.below.set(place.segment, leaf);
    this.entered.set(place, leaf);
    return leaf;
  }

  /**
   * What stands at a place, which may be one of another change.
   *
   * @param first a name that takes the place of the first segment; the same for all places that begin alike
   */
  reach(place: Place, first?: string): Reached {
    if (place.above === null) return { leaf: this.root, covering: null };
    const known = first === undefined ? this.reached : this.renamed;
    let found = known.get(place);
    if (found === undefined) {
      const above = this.reach(place.above, first);
      const segment = place.depth === 1 && first !== undefined ? first : place.segment;
      const leaf = above.leaf?.below?.get(segment) ?? null;
      found = { leaf, covering: above.leaf?.diff ?? above.covering };
      known.set(place, found);
    }
    return found;
  }
}

interface Reached {
  /** null where no diff stands at the place or below it. */
  leaf: PlannedLeaf | null;
  /** The diff that stands above the place. */
  covering: AttributeDiff | null;
}
