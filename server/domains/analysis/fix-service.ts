import { hash } from 'node:crypto';
import type { Prompt } from '../../../engine/explain/index.ts';
import type { FixProposal } from '../../../engine/index.ts';
import type { PlanPool } from '../../adapters/plan-pool/types.ts';
import { type Keep, lockOrg, type OrgDatabase } from '../../db/index.ts';
import { assertFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Claim, Failure, Finished, JobHandler, Jobs } from '../jobs/index.ts';
import { COUNTED_ADDRESSES, type Noise, type NoisePattern } from '../noise/index.ts';
import type { Scans } from '../scans/index.ts';
import type { TraceWriter } from '../traces/index.ts';
import type { ModelReply, TracedModelCalls } from './traced-model-call-service.ts';

export interface FixesDeps {
  db: OrgDatabase;
  noise: { patterns: Pick<Noise['patterns'], 'settlePending' | 'find'> };
  jobs: Pick<Jobs, 'submit'>;
}

/** Jobs that look for ways to be rid of a recurring difference. */
export function createFixes({ db, noise, jobs }: FixesDeps) {
  /** @throws NotFound for a fingerprint that no plan of the org has shown; ServiceError 402 or 429 of the model's limits */
  async function submit(
    orgId: string,
    principal: Principal,
    fingerprint: string,
    keep?: Keep<{ job_id: string }>,
  ): Promise<{ job_id: string }> {
    await noise.patterns.settlePending(orgId);
    assertFound(await noise.patterns.find(orgId, fingerprint));
    const job_id = newId();
    await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await jobs.submit(trx, orgId, {
        id: job_id,
        kind: 'fix',
        scan_run_id: null,
        payload_key: null,
        subject: fingerprint,
        created_by: principal.user.id,
      });
      await keep?.(trx, { job_id });
    });
    return { job_id };
  }

  return { submit };
}

export type Fixes = ReturnType<typeof createFixes>;

export interface FixHandlerDeps {
  noise: { patterns: Pick<Noise['patterns'], 'find' | 'countAddresses'> };
  scans: { analysisRun: Pick<Scans['analysisRun'], 'resultFinishedAt'> };
  modelCalls: TracedModelCalls;
  traces: TraceWriter;
  pool: Pick<PlanPool, 'fix' | 'advise'>;
  clock?: () => number;
}

const PATTERN_EXPIRED: Failure = {
  error_class: 'internal',
  message: 'No stored plan shows this pattern. Analyze the plan again, then repeat the request.',
};

/** Prompt version in the trace when no prompt was sent. */
const BY_RULES = 'rules';

/** Generates the fixes of one pattern with rules, and lets a model order and describe them if there is one. */
export function createFixHandler(deps: FixHandlerDeps): JobHandler {
  const { noise, scans, modelCalls, traces, pool, clock = () => performance.now() } = deps;

  async function run({ org_id, subject }: Claim, signal: AbortSignal): Promise<Finished | Failure> {
    const started = clock();
    const pattern = await noise.patterns.find(org_id, subject ?? '');
    if (pattern === undefined) return PATTERN_EXPIRED;
    const [addresses, result_text, send_values] = await Promise.all([
      noise.patterns.countAddresses(org_id, pattern.fingerprint),
      scans.analysisRun.resultFinishedAt(org_id, pattern.last_seen),
      modelCalls.sendValues(org_id),
    ]);
    const { proposal, prompt } = await pool.fix(org_id, { result_text, pattern, send_values });
    const reply = prompt === null ? null : await requestAdvice(org_id, { proposal, prompt }, signal);
    const trace_id = reply?.trace_ids.at(-1);
    if (reply !== null && trace_id !== undefined) {
      return 'used' in reply
        ? finished(noteSharedAddresses(reply.used.proposal, addresses), trace_id, reply.is_billed)
        : finished(noteSharedAddresses(proposal, addresses), trace_id, false);
    }
    // Without a call there is no trace yet; a model's answer without a trace is not used.
    const latency_ms = Math.round(clock() - started);
    const rules_trace_id = await traceRules(org_id, pattern, { proposal, latency_ms, error: explainFailure(reply) });
    return finished(noteSharedAddresses(proposal, addresses), rules_trace_id, false);
  }

  function requestAdvice(
    org_id: string,
    { proposal, prompt }: { proposal: FixProposal; prompt: Prompt },
    signal: AbortSignal,
  ): Promise<AdviceReply> {
    const read = (answer: string) => pool.advise(org_id, { proposal, user: prompt.user, answer });
    return modelCalls.ask({ org_id, scan_run_id: null, kind: 'plan-noise-fix', prompt, read }, signal);
  }

  function traceRules(
    org_id: string,
    pattern: NoisePattern,
    { proposal, latency_ms, error }: { proposal: FixProposal; latency_ms: number; error: string | null },
  ): Promise<string> {
    return traces.record({
      org_id,
      scan_run_id: null,
      kind: 'plan-noise-fix',
      model: null,
      input_tokens: null,
      output_tokens: null,
      latency_ms,
      cached: false,
      fallback: true,
      prompt_version: BY_RULES,
      error,
      body: {
        system_prompt: '',
        user_prompt: '',
        raw_response: null,
        parsed: proposal,
        inputs: toTraceInputs(pattern),
      },
    });
  }

  return { begin: async () => {}, run, fail: async () => {} };
}

type AdviceReply = ModelReply<{ proposal: FixProposal; parsed: unknown }>;

function finished(proposal: FixProposal, trace_id: string, is_billed: boolean): Finished {
  return { is_billed, result: JSON.stringify({ ...proposal, trace_id }), write: async () => {} };
}

/** A fingerprint has no address: its fixes are for the address where it occurs most often, and say so. */
function noteSharedAddresses({ fixes, confidence }: FixProposal, addresses: number): FixProposal {
  if (addresses < 2) return { fixes, confidence };
  const many = addresses > COUNTED_ADDRESSES ? `more than ${COUNTED_ADDRESSES}` : `${addresses}`;
  const note = `The same difference occurs at ${many} addresses; this fix is for the address where it occurs most often.`;
  return { fixes: fixes.map((fix) => ({ ...fix, detail: `${fix.detail} ${note}`.trim() })), confidence };
}

function explainFailure(reply: AdviceReply | null): string | null {
  if (reply === null || 'used' in reply) return null;
  if ('skipped' in reply) return reply.skipped;
  return 'fallback' in reply ? reply.fallback : reply.unusable;
}

function toTraceInputs({ fingerprint, resource_address, attribute }: NoisePattern) {
  const text = JSON.stringify({ fingerprint, resource_address, attribute });
  return { digest: hash('sha256', text, 'hex'), char_count: text.length, resource_count: 1 };
}
