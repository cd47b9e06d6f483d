import { normaliseChange } from '../changes/normalise.ts';
import type { ResourceChange } from '../changes/types.ts';
import { classifyNoise } from '../noise/classify.ts';
import type { Sighting } from '../noise/patterns.ts';
import type { RawResourceChange } from '../plan/types.ts';
import { type Redactor, releaseSides } from '../redact/redactor.ts';
import { judge, needsWholePlan } from '../risk/judge.ts';
import type { Judgement, PlanFacts } from '../risk/types.ts';
import type { RuleBook } from '../rule-book.ts';
import type { ClassifiedChange, JudgedChange } from './ranking.ts';

/**
 * How many changes may wait for the facts of the whole plan. In a plan with more of them the oldest are judged by what is
 * known so far, which can only make a level higher: an own account or a deletion that comes later is not seen.
 */
const MAX_WAITING = 2000;

const NOTHING: Judgement = {
  level: 'none',
  categories: [],
  reasons: [],
  destructive: false,
  guarded: false,
  weakens_high: false,
};

export interface JudgingOptions {
  redactor: Redactor;
  /** What is known of the plan by now. */
  facts(): PlanFacts;
  noise_key: Uint8Array | undefined;
  book: RuleBook;
  /** Hears of every change before it is judged. */
  onRead?(change: ResourceChange): void;
  /** Hears of every change that does nothing. */
  onIdle?(change: ResourceChange, judgement: Judgement): void;
  onJudged(judged: JudgedChange): void;
}

/** Takes the entries of one member through normalising, noise and judgement, some of them only at the end. */
export class Judging {
  private readonly options: JudgingOptions;
  private waiting: ClassifiedChange[] = [];

  constructor(options: JudgingOptions) {
    this.options = options;
  }

  read(raw: RawResourceChange): void {
    const change = normaliseChange(raw);
    this.options.redactor.observe(change);
    this.options.onRead?.(change);
    if (isIdle(change)) {
      this.options.onIdle?.(change, NOTHING);
      return;
    }
    const classified = this.classify(change);
    if (!needsWholePlan(change)) {
      this.judge(classified);
      return;
    }
    this.waiting.push(classified);
    if (this.waiting.length > MAX_WAITING) this.judgeWaiting();
  }

  /** To be called once the facts are complete. */
  finish(): void {
    this.judgeWaiting();
  }

  private judgeWaiting(): void {
    for (const classified of this.waiting) this.judge(classified);
    this.waiting = [];
  }

  private classify(change: ResourceChange): ClassifiedChange {
    const { noise_key, book } = this.options;
    const sightings: Sighting[] = [];
    const onSighting = (sighting: Sighting) => sightings.push(sighting);
    const noise = classifyNoise(change, { book, onSighting, ...(noise_key === undefined ? {} : { key: noise_key }) });
    return { change, noise, sightings };
  }

  private judge(classified: ClassifiedChange): void {
    const { change, noise } = classified;
    const judgement = judge(change, this.options.facts(), noise, this.options.book);
    releaseSides(change);
    this.options.onJudged({ ...classified, judgement });
  }
}

/** Nothing happens to an object: no-op, and whatever is said of a data source. */
function isIdle({ action, mode }: ResourceChange): boolean {
  return action === 'no-op' || action === 'read' || mode === 'data';
}
