import type { SendValues } from '../../../engine/explain/index.ts';
import type { AnalyzedPlan, OrgJudgement, PlanPool } from '../../adapters/plan-pool/types.ts';
import type { Orgs } from '../orgs/index.ts';
import type { TracedModelCalls } from './traced-model-call-service.ts';
import type { Narrated } from './types.ts';

export interface NarratorDeps {
  orgs: Pick<Orgs, 'getSettings'>;
  modelCalls: TracedModelCalls;
  pool: Pick<PlanPool, 'explain' | 'markUnexplained'>;
}

export interface NarratedRun {
  org_id: string;
  scan_run_id: string;
  judgement: Pick<OrgJudgement, 'rules' | 'context'>;
  send_values: SendValues | null;
}

/**
 * Lets a model write the narrative of an analysis. Without a model, or without a usable response, the text of the rules
 * is used.
 */
export function createNarrator({ orgs, modelCalls, pool }: NarratorDeps) {
  /** @throws LlmError `cancelled` when the signal aborts; no other error of a model or a trace ends an analysis */
  async function narrate(run: NarratedRun, plan: AnalyzedPlan, signal: AbortSignal): Promise<Narrated> {
    const { prompt, text } = plan;
    const { org_id, scan_run_id, send_values } = run;
    if (prompt === null || send_values === null) {
      return { text, narrative_status: 'fallback', raised: {}, trace_ids: [], is_billed: false };
    }
    const { rules, context } = run.judgement;
    const { prompt_version } = prompt;
    const { count_llm_concerns: count_concerns } = await orgs.getSettings(org_id);
    const task = { text, prompt_version, send_values, count_concerns, judgement: { rules, context } };
    const read = (answer: string) => pool.explain(org_id, { ...task, answer });
    const reply = await modelCalls.ask({ org_id, scan_run_id, kind: 'narrative', prompt, read }, signal);
    const { trace_ids } = reply;
    if ('used' in reply) {
      const { text: explained, raised } = reply.used;
      return { text: explained, narrative_status: 'ready', raised, trace_ids, is_billed: reply.is_billed };
    }
    const by_rules = { raised: {}, trace_ids, is_billed: false };
    if ('skipped' in reply) {
      const skipped = await pool.markUnexplained(org_id, text, { skip_reason: reply.skipped });
      return { ...by_rules, text: skipped, narrative_status: 'skipped' };
    }
    const reason =
      'fallback' in reply ? reply.fallback : 'the response of the model could not be verified against the plan';
    return { ...by_rules, text: await pool.markUnexplained(org_id, text, { reason }), narrative_status: 'fallback' };
  }

  return { sendValues: modelCalls.sendValues, narrate };
}

export type Narrator = ReturnType<typeof createNarrator>;
