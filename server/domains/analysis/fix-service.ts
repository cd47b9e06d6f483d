import { hash } from 'node:crypto';
import { type Db, lockOrg, type OrgDatabase } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Llm } from '../llm/index.ts';
import type { Noise, NoisePattern } from '../noise/index.ts';
import type { Scans } from '../scans/index.ts';
import type { TraceWriter } from '../traces/index.ts';
import * as store from './store.ts';
import type { Claim, Failure, Finished, PlanPool, Work } from './types.ts';

export interface FixesDeps {
  db: OrgDatabase;
  now: () => Date;
  noise: { patterns: Pick<Noise['patterns'], 'find'> };
  quotas: Pick<Llm['quotas'], 'reserve'>;
  /** Names a job for the queue, in the caller's transaction. */
  enqueue: (trx: Db, payload: { org_id: string; id: string }) => Promise<void>;
}

/** Jobs that look for ways to be rid of a recurring difference. */
export function createFixes({ db, now, noise, quotas, enqueue }: FixesDeps) {
  /** @throws NotFound for a fingerprint that no plan of the org has shown; ServiceError 402 or 429 of the model's gate */
  async function submit(orgId: string, principal: Principal, fingerprint: string): Promise<{ job_id: string }> {
    if ((await noise.patterns.find(orgId, fingerprint)) === undefined) throw new NotFound();
    const job_id = newId();
    await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await store.insertJob(trx, orgId, {
        id: job_id,
        kind: 'fix',
        scan_run_id: null,
        payload_key: null,
        subject: fingerprint,
        created_by: principal.user.id,
        reservation: await quotas.reserve(trx, orgId),
        now: now(),
      });
      await enqueue(trx, { org_id: orgId, id: job_id });
    });
    return { job_id };
  }

  return { submit };
}

export type Fixes = ReturnType<typeof createFixes>;

export interface FixWorkDeps {
  noise: { patterns: Pick<Noise['patterns'], 'find'> };
  scans: { analysisRun: Pick<Scans['analysisRun'], 'resultFinishedAt'> };
  traces: TraceWriter;
  pool: Pick<PlanPool, 'fix'>;
  clock?: () => number;
}

const FORGOTTEN: Failure = {
  error_class: 'internal',
  message: 'No plan that is still remembered shows this pattern. Analyze the plan again, then ask once more.',
};

/** How the trace names a text that no prompt asked for. */
const BY_RULES = 'rules';

/** Works out the options of one pattern, by rules alone. */
export function createFixWork({ noise, scans, traces, pool, clock = () => performance.now() }: FixWorkDeps): Work {
  async function run({ org_id, subject }: Claim): Promise<Finished | Failure> {
    const started = clock();
    const pattern = await noise.patterns.find(org_id, subject ?? '');
    if (pattern === undefined) return FORGOTTEN;
    const result_text = await scans.analysisRun.resultFinishedAt(org_id, pattern.last_seen);
    const proposal = await pool.fix(result_text, pattern);
    const trace_id = await traces.record({
      org_id,
      scan_run_id: null,
      kind: 'plan-noise-fix',
      model: null,
      input_tokens: null,
      output_tokens: null,
      latency_ms: Math.round(clock() - started),
      cached: false,
      fallback: true,
      prompt_version: BY_RULES,
      error: null,
      body: { system_prompt: '', user_prompt: '', raw_response: null, parsed: proposal, inputs: inputsOf(pattern) },
    });
    return { is_billed: false, result: JSON.stringify({ ...proposal, trace_id }), write: async () => {} };
  }

  return { begin: async () => {}, run, fail: async () => {} };
}

function inputsOf({ fingerprint, resource_address, attribute }: NoisePattern) {
  const text = JSON.stringify({ fingerprint, resource_address, attribute });
  return { digest: hash('sha256', text, 'hex'), char_count: text.length, resource_count: 1 };
}
