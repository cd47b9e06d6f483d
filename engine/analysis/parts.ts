import type { KnownLive, ResourceChange } from '../changes/types.ts';
import type { DocumentReader } from '../documents/reader.ts';
import { compareLevels } from '../model/levels.ts';
import type { JsonObject, RiskLevel } from '../model/result.ts';
import { NO_RULES, type RuleBook } from '../model/rule-book.ts';
import { createSummary } from '../narrative/summary.ts';
import type { NoiseOptions } from '../noise/classify.ts';
import type { ProviderVersions } from '../noise/fixed-version.ts';
import { createMentions, type Mentions } from '../noise/mentions.ts';
import type { Redactor } from '../redact/redactor.ts';
import { createPlanFacts } from '../risk/facts.ts';
import { createOverall } from '../risk/overall.ts';
import type { PlanFacts } from '../risk/types.ts';
import { Blocks } from './blocks.ts';
import { changeId } from './change-id.ts';
import { PlannedObjects } from './drift-relevance.ts';
import { Judging } from './judging.ts';
import { NoiseCounter } from './noise-counts.ts';
import { Ranking } from './ranking.ts';
import { UnknownPatterns } from './unknown-patterns.ts';
import { Unknowns } from './unknowns.ts';

export interface PartOptions {
  redactor: Redactor;
  noise_key: Uint8Array | undefined;
  book: RuleBook;
  documents: DocumentReader;
  versions(): ProviderVersions;
  likely_benign: ReadonlySet<string> | undefined;
  max_changes: number;
  /** What scans know about the resources of changes, by ID of the change. */
  live: ReadonlyMap<string, KnownLive>;
  /** As in `AnalyzeOptions`. */
  listNames: ((type: string, attributes: JsonObject) => readonly string[]) | undefined;
  /** Whether an expression of the configuration reads a leaf; complete only at the end. */
  isReferenced: IsRead;
}

type IsRead = NonNullable<NoiseOptions['isRead']>;

function createReadTest(mentions: Mentions, isReferenced: IsRead): IsRead {
  return (change, diff) => mentions.has(String(diff.path_segments.at(-1))) || isReferenced(change, diff);
}

/** The prior values are released before the plan ends, so names are kept with the IDs. */
function addNames(change: ResourceChange, names: readonly string[]): void {
  change.object_ids = [...new Set([...names, ...change.object_ids])];
}

/** State for `resource_changes`; recreated if the member occurs a second time. */
export function createChangesPart({ max_changes, isReferenced, live, listNames, ...common }: PartOptions) {
  const ranking = new Ranking(max_changes);
  const noise = new NoiseCounter();
  const unknowns = new Unknowns(common.documents);
  const unknown_patterns = new UnknownPatterns();
  const blocks = new Blocks();
  const summary = createSummary();
  const overall = createOverall();
  const planned = new PlannedObjects();
  const { facts, observe, configure, learnedOwners } = createPlanFacts(common.book.owners);
  const mentions = createMentions();
  const judging = new Judging({
    ...common,
    facts: () => facts,
    isRead: createReadTest(mentions, isReferenced),
    onRead(change) {
      const known = live.size === 0 ? undefined : live.get(changeId(change));
      if (known !== undefined) change.live = known;
      if (listNames !== undefined && change.before !== null) addNames(change, listNames(change.type, change.before));
      observe(change);
      mentions.observe(change);
      planned.observe(change);
    },
    onIdle(change, judgement) {
      summary.observe(change, judgement);
      overall.observe(change, judgement);
    },
    onJudged(judged) {
      summary.observe(judged.change, judged.judgement);
      overall.observe(judged.change, judged.judgement);
      noise.add(judged);
      unknowns.add(judged.change, judged.judgement);
      unknown_patterns.add(judged);
      blocks.add(judged);
      ranking.add(judged);
    },
  });
  const collected = { planned, ranking, noise, unknowns, unknown_patterns, blocks, summary, overall };
  return { judging, facts, mentions, configure, learnedOwners, ...collected };
}

/**
 * State for `resource_drift`: entries are evaluated like changes but do not affect the level of the plan. Custom rules,
 * the policy and model classifications do not apply to drift.
 */
export function createDriftPart(
  { max_changes, book, likely_benign: _, live: _live, listNames: _names, isReferenced, ...common }: PartOptions,
  changes: () => { facts: PlanFacts; mentions: Mentions },
) {
  const ranking = new Ranking(max_changes);
  const judging = new Judging({
    ...common,
    book: { ...NO_RULES, disabled_noise: book.disabled_noise, disabled_risk: book.disabled_risk },
    facts: () => changes().facts,
    isRead: (change, diff) => createReadTest(changes().mentions, isReferenced)(change, diff),
    onJudged(judged) {
      // Moves without other changes are listed with the planned changes.
      if (judged.change.actions.some((action) => action !== 'no-op')) ranking.add(judged);
    },
  });
  return { judging, ranking };
}

/** State for `deferred_changes`: each is judged as far as the plan knows it, and the riskiest one counts. */
export function createDeferredPart(
  { max_changes: _max, book, likely_benign: _, live: _live, listNames: _names, isReferenced, ...common }: PartOptions,
  changes: () => { facts: PlanFacts; mentions: Mentions },
) {
  let riskiest: { address: string; level: RiskLevel } | null = null;
  const judging = new Judging({
    ...common,
    book: { ...NO_RULES, disabled_noise: book.disabled_noise, disabled_risk: book.disabled_risk },
    facts: () => changes().facts,
    isRead: (change, diff) => createReadTest(changes().mentions, isReferenced)(change, diff),
    onJudged({ change: { address }, judgement: { level } }) {
      if (riskiest === null || compareLevels(level, riskiest.level) > 0) riskiest = { address, level };
    },
  });
  return { judging, riskiest: () => riskiest };
}
