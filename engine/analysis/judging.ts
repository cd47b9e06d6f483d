import { normalizeChange } from '../changes/normalize.ts';
import { PathTemplates } from '../changes/path-template.ts';
import { shareEqualParts } from '../changes/share.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { DocumentReader } from '../documents/reader.ts';
import type { RuleBook } from '../model/rule-book.ts';
import { classifyNoise, type NoiseOptions } from '../noise/classify.ts';
import { isFixed, type ProviderVersions } from '../noise/fixed-version.ts';
import type { Sighting } from '../noise/patterns.ts';
import { type UnknownLeaf, withoutModelNoise } from '../noise/unknown.ts';
import type { CompiledRule } from '../noise-catalog/index.ts';
import type { RawResourceChange } from '../plan/types.ts';
import { type Redactor, releaseSides } from '../redact/redactor.ts';
import { judge, needsWholePlan } from '../risk/judge.ts';
import type { Judgement, PlanFacts } from '../risk/types.ts';
import type { ClassifiedChange, JudgedChange } from './ranking.ts';

/**
 * Maximum number of changes that wait for facts about the whole plan. Beyond it, waiting changes are evaluated with the
 * facts so far: later accounts, deletions, tags and rights are not considered, and noise with a known fixed version is
 * not discounted.
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
  /** Called for every change before it is evaluated. */
  onRead?(change: ResourceChange): void;
  /** Called for every change without an effect. */
  onIdle?(change: ResourceChange, judgement: Judgement): void;
  onJudged(judged: JudgedChange): void;
}

interface WaitingChange {
  classified: ClassifiedChange;
  /** A matching rule applies only below some provider version. */
  awaits_versions: boolean;
}

/** Normalizes, classifies and evaluates the entries of one plan member, some of them only at the end. */
export class Judging {
  private readonly options: JudgingOptions;
  private readonly templates = new PathTemplates();
  private waiting: WaitingChange[] = [];
  /** For the change being read. */
  private awaits_versions = false;
  private readonly assumeOld = ({ fixed_in_version }: CompiledRule): boolean => {
    if (fixed_in_version !== null) this.awaits_versions = true;
    return false;
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
    this.awaits_versions = false;
    const classified = this.classify(change, this.assumeOld);
    const { awaits_versions } = this;
    if (!awaits_versions && !needsWholePlan(change)) {
      this.judge(classified);
      return;
    }
    shareEqualParts(change);
    this.waiting.push({ classified, awaits_versions });
    if (this.waiting.length > MAX_WAITING) this.judgeWaiting(false);
  }

  /** Call when the facts are complete. */
  finish(): void {
    this.judgeWaiting(true);
  }

  private judgeWaiting(is_whole: boolean): void {
    const versions = this.options.versions();
    const versions_known = is_whole || versions.size > 0;
    for (const { classified, awaits_versions } of this.waiting) {
      const { change } = classified;
      const is_settled = !awaits_versions || (versions_known && versions.size === 0);
      const isOff = ({ fixed_in_version }: CompiledRule) =>
        versions_known ? isFixed(fixed_in_version, change.provider_name, versions) : fixed_in_version !== null;
      this.judge(is_settled ? classified : this.classify(change, isOff));
    }
    this.waiting = [];
  }

  private classify(change: ResourceChange, isOff: (rule: CompiledRule) => boolean): ClassifiedChange {
    const { noise_key, book, likely_benign } = this.options;
    const sightings: Sighting[] = [];
    const unknown: UnknownLeaf[] = [];
    const options: NoiseOptions = { book, isFixed: isOff, sightings, unknown, documents: this.options.documents };
    if (noise_key !== undefined) options.key = noise_key;
    if (likely_benign !== undefined) options.likely_benign = likely_benign;
    return { change, noise: classifyNoise(change, options), sightings, unknown };
  }

  private judge(classified: ClassifiedChange): void {
    const { change, noise, sightings, unknown } = classified;
    const ruleNoise = withoutModelNoise(noise, change.diffs, change.type);
    const judgement = judge(change, this.options.facts(), ruleNoise, this.options.book, this.options.documents);
    if (ruleNoise !== noise) noise.overridden = judgement.guarded;
    releaseSides(change);
    this.options.onJudged({ change, noise, sightings, unknown, judgement });
  }
}

/** No effect on a managed object: no-op, read, and data sources. */
function isIdle({ action, mode }: ResourceChange): boolean {
  return action === 'no-op' || action === 'read' || mode === 'data';
}
