import { LRUCache } from 'lru-cache';
import { buildClassifyPrompt, type ClassifyVerdict, readClassifyAnswer } from '../../../engine/explain/index.ts';
import type { UnknownPattern } from '../../../engine/index.ts';
import type { Logger } from '../../log.ts';
import type { Llm } from '../llm/index.ts';
import type { TraceWriter } from '../traces/index.ts';
import type { TracedModelCalls } from './traced-model-call-service.ts';

const MAX_CACHED = 10_000;
const CACHE_MS = 24 * 3_600_000;
/** Maximum wait, because the answer changes no risk level. */
const TIMEOUT_MS = 15_000;

export interface ClassifierDeps {
  modelCalls: Pick<TracedModelCalls, 'ask'>;
  configs: Pick<Llm['configs'], 'open'>;
  traces: TraceWriter;
  log: Pick<Logger, 'warn'>;
  timeout_ms?: number;
}

/** Classifies noise patterns that no rule knows, with a model. */
export interface Classification {
  /** Fingerprints. */
  likely_benign: string[];
  trace_ids: string[];
}

interface CachedVerdict {
  verdict: ClassifyVerdict;
  model: string;
}

interface Verdict extends CachedVerdict {
  pattern: UnknownPattern;
}

const NO_CLASSIFICATION: Classification = { likely_benign: [], trace_ids: [] };

/**
 * Asks a model which patterns are likely benign, and caches its answers per organization and account: names in one
 * organization's plans must not influence another's results.
 */
export function createClassifier(deps: ClassifierDeps) {
  const { modelCalls, configs, traces, log, timeout_ms = TIMEOUT_MS } = deps;
  const known = new LRUCache<string, CachedVerdict>({ max: MAX_CACHED, ttl: CACHE_MS });

  /**
   * @param patterns at most 50
   * @returns empty if no model responds, or the response is not usable
   * @throws LlmError `cancelled` when the signal aborts; no other error of a model or a trace
   */
  async function classify(
    run: { org_id: string; scan_run_id: string },
    patterns: readonly UnknownPattern[],
    signal: AbortSignal,
  ): Promise<Classification> {
    if (patterns.length === 0) return NO_CLASSIFICATION;
    const { kind } = await configs.open(run.org_id);
    if (kind !== 'byok' && kind !== 'platform') return NO_CLASSIFICATION;
    const toCacheKey = (pattern: UnknownPattern) =>
      JSON.stringify([run.org_id, kind, pattern.fingerprint, pattern.provider, pattern.provider_version]);
    const cached = patterns.flatMap((pattern): Verdict[] => {
      const found = known.get(toCacheKey(pattern));
      return found === undefined ? [] : [{ ...found, pattern }];
    });
    const unknown = patterns.filter((pattern) => !cached.some((verdict) => verdict.pattern === pattern));
    if (unknown.length === 0) {
      return { likely_benign: selectBenign(cached), trace_ids: await traceCached(run, cached) };
    }
    const classified = await classifyByModel(run, { kind, patterns: unknown }, signal);
    for (const { pattern, verdict, model } of classified.verdicts) known.set(toCacheKey(pattern), { verdict, model });
    return { likely_benign: selectBenign([...cached, ...classified.verdicts]), trace_ids: classified.trace_ids };
  }

  async function classifyByModel(
    run: { org_id: string; scan_run_id: string },
    { kind, patterns }: { kind: 'byok' | 'platform'; patterns: readonly UnknownPattern[] },
    signal: AbortSignal,
  ): Promise<{ verdicts: Verdict[]; trace_ids: string[] }> {
    const prompt = buildClassifyPrompt(patterns);
    const read = async (answer: string) => {
      const reading = readClassifyAnswer(answer, patterns.length);
      return 'unusable' in reading ? reading : { parsed: reading, verdicts: reading.verdicts };
    };
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]);
    try {
      const reply = await modelCalls.ask({ ...run, kind: 'classify', prompt, read, max_calls: 1 }, ends);
      const { trace_ids } = reply;
      // Another account than the expected one may have responded, so the answer cannot be attributed and is not cached.
      if (!('used' in reply) || reply.is_billed !== (kind === 'platform')) return { verdicts: [], trace_ids };
      const { used, model } = reply;
      const verdicts = patterns.map((pattern, i) => ({ pattern, verdict: used.verdicts[i] ?? 'novel', model }));
      return { verdicts, trace_ids };
    } catch (error) {
      if (signal.aborted || !ends.aborted) throw error;
      log.warn(
        { ...run, asked_ms: timeout_ms },
        'unknown noise patterns stay unclassified: the model did not respond in time',
      );
      return { verdicts: [], trace_ids: [] };
    }
  }

  async function traceCached(
    run: { org_id: string; scan_run_id: string },
    verdicts: readonly Verdict[],
  ): Promise<string[]> {
    const prompt = buildClassifyPrompt(verdicts.map(({ pattern }) => pattern));
    try {
      const id = await traces.record({
        ...run,
        kind: 'classify',
        model: verdicts[0]?.model ?? null,
        input_tokens: null,
        output_tokens: null,
        latency_ms: 0,
        cached: true,
        fallback: false,
        prompt_version: prompt.prompt_version,
        error: null,
        body: {
          system_prompt: prompt.system,
          user_prompt: prompt.user,
          raw_response: null,
          parsed: { verdicts: verdicts.map(({ verdict }) => verdict) },
          inputs: prompt.inputs,
        },
      });
      return [id];
    } catch (error) {
      log.warn({ err: error, ...run }, 'trace of cached verdicts not written');
      return [];
    }
  }

  return { classify };
}

export type Classifier = ReturnType<typeof createClassifier>;

/** A fingerprint does not contain the provider: if two providers have the same one, both must be benign. */
function selectBenign(verdicts: readonly Verdict[]): string[] {
  const novel = new Set(verdicts.flatMap(({ pattern, verdict }) => (verdict === 'novel' ? [pattern.fingerprint] : [])));
  const benign = verdicts.map(({ pattern }) => pattern.fingerprint).filter((fingerprint) => !novel.has(fingerprint));
  return [...new Set(benign)];
}
