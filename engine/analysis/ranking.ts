import type { ResourceChange } from '../changes/types.ts';
import { compareLevels } from '../model/levels.ts';
import type { Action, AttributeDiff, ChangeNoise } from '../model/result.ts';
import type { Sighting } from '../noise/patterns.ts';
import type { UnknownLeaf } from '../noise/unknown.ts';
import type { Judgement } from '../risk/types.ts';

/** A change with its noise classification and raw values. */
export interface ClassifiedChange {
  change: ResourceChange;
  noise: ChangeNoise;
  sightings: Sighting[];
  /** Leaves that a model could still classify as noise. */
  unknown: UnknownLeaf[];
  /** Leaves that only record a run or a read. */
  records: readonly AttributeDiff[];
}

export interface JudgedChange extends ClassifiedChange {
  judgement: Judgement;
}

/** Fields used for sorting. */
interface Ranked {
  change: Pick<ResourceChange, 'action' | 'address' | 'deposed'>;
  judgement: Pick<Judgement, 'level'>;
}

/** Sort order of actions: irreversible ones first, state-only ones last. */
const WEIGHT: Record<Action, number> = {
  delete: 0,
  replace: 1,
  unknown: 2,
  forget: 3,
  update: 4,
  create: 5,
  import: 6,
  move: 7,
  read: 8,
  'no-op': 9,
};

/** Highest level first, then by the weight of the action, then by address, then by deposed key. */
export function compareJudged(a: Ranked, b: Ranked): number {
  return (
    compareLevels(b.judgement.level, a.judgement.level) ||
    WEIGHT[a.change.action] - WEIGHT[b.change.action] ||
    compareText(a.change.address, b.change.address) ||
    compareText(a.change.deposed ?? '', b.change.deposed ?? '')
  );
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Number of extra entries to keep before sorting and truncating. */
const SLACK = 500;

/** Keeps the first `max_changes` changes in the order of `compareJudged`, in bounded memory. */
export class Ranking {
  /** Number of added changes. */
  total = 0;
  private kept: JudgedChange[] = [];
  /** Last entry of a full list; changes after it are never listed. */
  private last: JudgedChange | undefined;
  private readonly max_changes: number;

  constructor(max_changes: number) {
    this.max_changes = max_changes;
  }

  add(judged: JudgedChange): void {
    this.total += 1;
    if (this.last !== undefined && compareJudged(judged, this.last) > 0) return;
    this.kept.push(judged);
    if (this.kept.length < this.max_changes + SLACK) return;
    this.kept = this.list();
    this.last = this.kept.at(-1);
  }

  list(): JudgedChange[] {
    return this.kept.sort(compareJudged).slice(0, this.max_changes);
  }
}
