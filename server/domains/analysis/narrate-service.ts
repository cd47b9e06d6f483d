import type { Prompt, SendValues } from '../../../engine/explain/index.ts';
import type { Logger } from '../../log.ts';
import type { Llm, LlmCall, LlmOutcome } from '../llm/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { TraceWriter } from '../traces/index.ts';
import type { AnalyzedPlan, Narrated, OrgJudgement, PlanPool } from './types.ts';

/** An answer that cannot be used is asked for once more. */
const ASKED_AT_MOST = 2;
const MAX_OUTPUT_TOKENS = 3_000;

export interface NarratorDeps {
  llm: Pick<Llm, 'ask' | 'configs'>;
  orgs: Pick<Orgs, 'getSettings'>;
  traces: TraceWriter;
  pool: Pick<PlanPool, 'explain' | 'unexplained'>;
  log: Pick<Logger, 'warn'>;
}

export interface NarratedRun {
  org_id: string;
  scan_run_id: string;
  judgement: Pick<OrgJudgement, 'rules' | 'context'>;
  send_values: SendValues | null;
}

/** Has a model explain what rules have judged. Without one, or with none that answers well, the text of the rules stands. */
export function createNarrator({ llm, orgs, traces, pool, log }: NarratorDeps) {
  /** What a model may be shown of the org's plans; null where there is no model to ask. */
  async function sendValues(orgId: string): Promise<SendValues | null> {
    const { kind } = await llm.configs.open(orgId);
    if (kind === 'none') return null;
    return (await orgs.getSettings(orgId)).send_values_to_llm;
  }

  /** @throws LlmError `cancelled` when the signal comes; nothing else that a model or a trace does ends an analysis */
  async function narrate(run: NarratedRun, plan: AnalyzedPlan, signal: AbortSignal): Promise<Narrated> {
    const { prompt, text } = plan;
    const told: Narrated = {
      text,
      narrative_status: 'fallback',
      trace_ids: [],
      is_billed: false,
    };
    if (prompt === null || run.send_values === null) return told;
    for (let asked = 1; ; asked += 1) {
      const { system, user, schema } = prompt;
      const request = { system, user, schema, max_output_tokens: MAX_OUTPUT_TOKENS };
      const outcome = await llm.ask({ org_id: run.org_id, request, signal });
      const explained = 'answer' in outcome ? await explain(run, prompt, text, outcome.answer.text) : null;
      await addTrace(told, run, prompt, { outcome, explained });
      if ('skipped' in outcome) {
        const skipped = await pool.unexplained(text, { skip_reason: outcome.skipped });
        return { ...told, text: skipped, narrative_status: 'skipped' };
      }
      if ('fallback' in outcome) return { ...told, text: await pool.unexplained(text, { reason: outcome.fallback }) };
      if (explained !== null && 'text' in explained) {
        const is_billed = outcome.billed_to === 'platform';
        return { ...told, text: explained.text, narrative_status: 'ready', is_billed };
      }
      if (asked < ASKED_AT_MOST) continue;
      const reason = 'what the model said could not be held against the plan';
      return { ...told, text: await pool.unexplained(text, { reason }) };
    }
  }

  async function explain(
    { send_values, judgement }: NarratedRun,
    { prompt_version }: Prompt,
    text: string,
    answer: string,
  ): Promise<Explained> {
    if (send_values === null) return { unusable: 'no model may be asked' };
    const { rules, context } = judgement;
    return pool.explain({ text, answer, prompt_version, send_values, judgement: { rules, context } });
  }

  async function addTrace(
    told: Narrated,
    run: NarratedRun,
    prompt: Prompt,
    { outcome, explained }: { outcome: LlmOutcome; explained: Explained | null },
  ): Promise<void> {
    if (outcome.call === null) return;
    const used = explained !== null && 'text' in explained;
    try {
      const id = await traces.record({
        org_id: run.org_id,
        scan_run_id: run.scan_run_id,
        kind: 'narrative',
        ...callFields(outcome.call),
        cached: false,
        fallback: !used,
        prompt_version: prompt.prompt_version,
        error: errorOf(outcome, explained),
        body: {
          system_prompt: prompt.system,
          user_prompt: prompt.user,
          raw_response: 'answer' in outcome ? outcome.answer.text : null,
          parsed: used ? explained.parsed : null,
          inputs: prompt.inputs,
        },
      });
      told.trace_ids.push(id);
    } catch (error) {
      log.warn({ err: error, scan_run_id: run.scan_run_id }, 'trace of a narrative not written');
    }
  }

  return { sendValues, narrate };
}

export type Narrator = ReturnType<typeof createNarrator>;

type Explained = Awaited<ReturnType<PlanPool['explain']>>;

function callFields({ model, input_tokens, output_tokens, latency_ms }: LlmCall) {
  return { model, input_tokens, output_tokens, latency_ms };
}

function errorOf(outcome: LlmOutcome, explained: Explained | null): string | null {
  if ('fallback' in outcome) return outcome.fallback;
  if ('skipped' in outcome) return outcome.skipped;
  return explained !== null && 'unusable' in explained ? explained.unusable : null;
}
