import type { Redactor } from '../redact/redactor.ts';
import { createPlanFacts } from '../risk/facts.ts';
import { createOverall } from '../risk/overall.ts';
import type { PlanFacts } from '../risk/types.ts';
import { createSummary } from '../summary.ts';
import { Judging } from './judging.ts';
import { NoiseCounter } from './noise-counts.ts';
import { Ranking } from './ranking.ts';
import { Unknowns } from './unknowns.ts';

export interface PartOptions {
  redactor: Redactor;
  noise_key: Uint8Array | undefined;
  max_changes: number;
}

/** Everything that grows out of `resource_changes`; made anew when the member begins a second time. */
export function createChangesPart({ redactor, noise_key, max_changes }: PartOptions) {
  const ranking = new Ranking(max_changes);
  const noise = new NoiseCounter();
  const unknowns = new Unknowns();
  const summary = createSummary();
  const overall = createOverall();
  const { facts, observe } = createPlanFacts();
  const judging = new Judging({
    redactor,
    noise_key,
    facts: () => facts,
    onRead: observe,
    onIdle(change, judgement) {
      summary.observe(change, judgement);
      overall.observe(change, judgement);
    },
    onJudged(judged) {
      summary.observe(judged.change, judged.judgement);
      overall.observe(judged.change, judged.judgement);
      noise.add(judged);
      unknowns.add(judged.change);
      ranking.add(judged);
    },
  });
  return { judging, facts, ranking, noise, unknowns, summary, overall };
}

/** What grows out of `resource_drift`: it is judged like a change, and has no effect on the level of the plan. */
export function createDriftPart({ redactor, noise_key, max_changes }: PartOptions, facts: () => PlanFacts) {
  const ranking = new Ranking(max_changes);
  const judging = new Judging({
    redactor,
    noise_key,
    facts,
    onJudged(judged) {
      // A move alone is told beside the planned changes.
      if (judged.change.actions.some((action) => action !== 'no-op')) ranking.add(judged);
    },
  });
  return { judging, ranking };
}
