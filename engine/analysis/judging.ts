import { normalizeChange } from '../changes/normalize.ts';
import { PathTemplates } from '../changes/path-template.ts';
import { shareEqualParts } from '../changes/share.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { DocumentReader } from '../documents/reader.ts';
import type { AttributeDiff } from '../model/result.ts';
import type { RuleBook } from '../model/rule-book.ts';
import { classifyNoise, type NoiseOptions } from '../noise/classify.ts';
import { isFixed, type ProviderVersions } from '../noise/fixed-version.ts';
import type { Sighting } from '../noise/patterns.ts';
import { omitRecords } from '../noise/records.ts';
import { type UnknownLeaf, withoutModelNoise } from '../noise/unknown.ts';
import type { CompiledRule } from '../noise-catalog/index.ts';
import type { RawResourceChange } from '../plan/types.ts';
import { type Redactor, releaseSides } from '../redact/redactor.ts';
import { judge, needsWholePlan } from '../risk/judge.ts';
import type { Judgement, PlanFacts } from '../risk/types.ts';
import type { ClassifiedChange, JudgedChange } from './ranking.ts';

/**
 * Maximum number of changes that wait for facts about the whole plan. Beyond it, waiting changes are evaluated with the
 * facts so far: later accounts, deletions, tags and rights are not considered, and noise with a known fixed version, or
 * that something later in the plan may read, is not discounted.
 */
const MAX_WAITING = 2000;

const IDLE_JUDGEMENT: Judgement = {
  level: 'none',
  categories: [],
  reasons: [],
  destructive: false,
  guarded: false,
  weakens_high: false,
};

export interface JudgingOptions {
  redactor: Redactor;
  /** Facts about the plan so far. */
  facts(): PlanFacts;
  /** Provider versions so far; plans list them after the changes. */
  versions(): ProviderVersions;
  noise_key: Uint8Array | undefined;
  book: RuleBook;
  /** Reads documents inside attributes. */
  documents: DocumentReader;
  /** Fingerprints that a model or the organization classified as likely benign. */
  likely_benign?: ReadonlySet<string> | undefined;
  /** Whether something in the plan may read a leaf of the metadata of a resource; complete only at the end. */
  isRead: NonNullable<NoiseOptions['isRead']>;
  /** Called for every change before it is evaluated. */
  onRead?(change: ResourceChange): void;
  /** Called for every change without an effect. */
  onIdle?(change: ResourceChange, judgement: Judgement): void;
  onJudged(judged: JudgedChange): void;
}

/** What the noise of a change depends on, apart from the change itself. */
interface Dependence {
  /** A matching rule applies only below some provider version. */
  versions: boolean;
  /** A matching rule applies only if nothing in the plan reads a leaf. */
  readers: boolean;
}

interface WaitingChange {
  classified: ClassifiedChange;
  awaits: Dependence;
}

/** What is still unknown about the plan while a change is classified. */
type PlanTests = Required<Pick<NoiseOptions, 'isFixed' | 'isRead'>>;

/** Normalizes, classifies and evaluates the entries of one plan member, some of them only at the end. */
export class Judging {
  private readonly options: JudgingOptions;
  private readonly templates = new PathTemplates();
  private waiting: WaitingChange[] = [];
  /** For the change being read. */
  private awaits: Dependence = { versions: false, readers: false };
  /** Notes what the answer depends on. */
  private readonly assumptions: PlanTests = {
    isFixed: ({ fixed_in_version }) => {
      if (fixed_in_version !== null) this.awaits.versions = true;
      return false;
    },
    isRead: () => {
      this.awaits.readers = true;
      return false;
    },
  };

  constructor(options: JudgingOptions) {
    this.options = options;
  }

  read(raw: RawResourceChange): void {
    const change = normalizeChange(raw, this.templates.root);
    this.options.redactor.observe(change);
    this.options.onRead?.(change);
    if (isIdle(change)) {
      this.options.onIdle?.(change, IDLE_JUDGEMENT);
      return;
    }
    this.awaits = { versions: false, readers: false };
    const classified = this.classify(change, this.assumptions);
    const { awaits } = this;
    if (!awaits.versions && !awaits.readers && !needsWholePlan(change)) {
      this.judge(classified);
      return;
    }
    shareEqualParts(change);
    this.waiting.push({ classified, awaits });
    if (this.waiting.length > MAX_WAITING) this.judgeWaiting(false);
  }

  /** Call when the facts are complete. */
  finish(): void {
    this.judgeWaiting(true);
  }

  private judgeWaiting(is_whole: boolean): void {
    const versions = this.options.versions();
    const versions_known = is_whole || versions.size > 0;
    const isRead = is_whole ? this.options.isRead : () => true;
    for (const { classified, awaits } of this.waiting) {
      const { change } = classified;
      const is_settled = !awaits.readers && (!awaits.versions || (versions_known && versions.size === 0));
      const isOff = ({ fixed_in_version }: CompiledRule) =>
        versions_known ? isFixed(fixed_in_version, change.provider_name, versions) : fixed_in_version !== null;
      this.judge(is_settled ? classified : this.classify(change, { isFixed: isOff, isRead }));
    }
    this.waiting = [];
  }

  private classify(change: ResourceChange, tests: PlanTests): ClassifiedChange {
    const { noise_key, book, likely_benign } = this.options;
    const sightings: Sighting[] = [];
    const unknown: UnknownLeaf[] = [];
    const records: AttributeDiff[] = [];
    const options: NoiseOptions = { ...tests, book, sightings, unknown, records, documents: this.options.documents };
    if (noise_key !== undefined) options.key = noise_key;
    if (likely_benign !== undefined) options.likely_benign = likely_benign;
    return { change, noise: classifyNoise(change, options), sightings, unknown, records };
  }

  private judge(classified: ClassifiedChange): void {
    const { change, noise, records } = classified;
    const judged = noise.classification === 'novel' ? omitRecords(change, records) : change;
    const ruleNoise = withoutModelNoise(noise, change.diffs, change.type);
    const judgement = judge(judged, this.options.facts(), ruleNoise, this.options.book, this.options.documents);
    if (ruleNoise !== noise) noise.overridden = judgement.guarded;
    releaseSides(change);
    this.options.onJudged({ ...classified, judgement });
  }
}

/** No effect on a managed object: no-op, read, and data sources. */
function isIdle({ action, mode }: ResourceChange): boolean {
  return action === 'no-op' || action === 'read' || mode === 'data';
}
