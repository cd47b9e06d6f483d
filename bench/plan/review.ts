import { analyzePlan, type Review, type ReviewedPlan, renderReview } from '../../engine/index.ts';
import type { BenchRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { measureMs } from '../lib/time.ts';
import { generatePlanText } from './plan-generator.ts';

const PLANS = 15;
const CHANGES_EACH = 1000;
const MAX_MS = 100;
const ROUNDS = 15;
/** Rounds until V8 has compiled the code. */
const WARM_UP = 3;

/** V1: the comment and the check of a pull request with many changes. */
export async function benchReview(): Promise<BenchRow[]> {
  const analysis = analyzePlan(Buffer.from(generatePlanText(CHANGES_EACH)));
  const outcome = { state: 'analyzed' as const, analysis, model: null, trace_ids: [] };
  const head_sha = 'a'.repeat(40);
  const plans = Array.from({ length: PLANS }, (_, i): ReviewedPlan => {
    return { key: `stacks/${i}/plan.json`, head_sha, outcome, previous: null, url: null, run_url: null };
  });
  const review: Review = {
    dialect: 'github',
    key: '0'.repeat(32),
    head_sha,
    run: 1,
    state: 'open',
    plans,
    history: new Map(),
    fail_on: null,
  };
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) times.push(await measureMs(() => renderReview(review)));
  const measured = computeMedian(times.slice(WARM_UP));
  const { comment } = renderReview(review);
  return [
    {
      id: 'V1',
      what: `comment on ${analysis.changes.length * PLANS} changes in ${PLANS} plans`,
      limit: MAX_MS,
      measured,
      unit: 'ms',
      goal: `≤ ${MAX_MS} ms`,
      passed: measured <= MAX_MS,
      note: `${(Buffer.byteLength(comment) / 1000).toFixed(0)} kB, the first ${times[0]?.toFixed(0)} ms`,
    },
  ];
}
