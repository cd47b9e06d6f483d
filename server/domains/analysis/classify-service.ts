import { LRUCache } from 'lru-cache';
import { buildClassifyPrompt, type ClassifyVerdict, readClassifyAnswer } from '../../../engine/explain/index.ts';
import type { UnknownPattern } from '../../../engine/index.ts';
import type { Logger } from '../../log.ts';
import type { Llm } from '../llm/index.ts';
import type { TraceWriter } from '../traces/index.ts';
import type { Questions } from './questions-service.ts';

const REMEMBERED = 10_000;
const REMEMBERED_MS = 24 * 3_600_000;
/** An analysis waits no longer for what changes none of its levels. */
const ASKED_MS = 15_000;

export interface ClassifierDeps {
  questions: Pick<Questions, 'ask'>;
  configs: Pick<Llm['configs'], 'open'>;
  traces: TraceWriter;
  log: Pick<Logger, 'warn'>;
  asked_ms?: number;
}

/** What a model says of the patterns that nothing else has decided. */
export interface Words {
  /** Fingerprints. */
  likely_benign: string[];
  trace_ids: string[];
}

interface Remembered {
  verdict: ClassifyVerdict;
  model: string;
}

interface Verdict extends Remembered {
  pattern: UnknownPattern;
}

const NO_WORDS: Words = { likely_benign: [], trace_ids: [] };

/**
 * Has a model say which patterns are likely benign, and remembers what it said: for each org and whose model it asks, since
 * names that one org's plans hold must not sway what another is told.
 */
export function createClassifier(deps: ClassifierDeps) {
  const { questions, configs, traces, log, asked_ms = ASKED_MS } = deps;
  const known = new LRUCache<string, Remembered>({ max: REMEMBERED, ttl: REMEMBERED_MS });

  /**
   * @param patterns at most 50
   * @returns nothing where no model answers, or none that can be used
   * @throws LlmError `cancelled` when the signal comes; nothing else that a model or a trace does
   */
  async function ask(
    run: { org_id: string; scan_run_id: string },
    patterns: readonly UnknownPattern[],
    signal: AbortSignal,
  ): Promise<Words> {
    if (patterns.length === 0) return NO_WORDS;
    const { kind } = await configs.open(run.org_id);
    if (kind !== 'byok' && kind !== 'platform') return NO_WORDS;
    const keyOf = (pattern: UnknownPattern) =>
      JSON.stringify([run.org_id, kind, pattern.fingerprint, pattern.provider, pattern.provider_version]);
    const remembered = patterns.flatMap((pattern): Verdict[] => {
      const found = known.get(keyOf(pattern));
      return found === undefined ? [] : [{ ...found, pattern }];
    });
    const unknown = patterns.filter((pattern) => !remembered.some((verdict) => verdict.pattern === pattern));
    if (unknown.length === 0) {
      return { likely_benign: benignOf(remembered), trace_ids: await traceRemembered(run, remembered) };
    }
    const said = await askModel(run, { kind, patterns: unknown }, signal);
    for (const { pattern, verdict, model } of said.verdicts) known.set(keyOf(pattern), { verdict, model });
    return { likely_benign: benignOf([...remembered, ...said.verdicts]), trace_ids: said.trace_ids };
  }

  async function askModel(
    run: { org_id: string; scan_run_id: string },
    { kind, patterns }: { kind: 'byok' | 'platform'; patterns: readonly UnknownPattern[] },
    signal: AbortSignal,
  ): Promise<{ verdicts: Verdict[]; trace_ids: string[] }> {
    const prompt = buildClassifyPrompt(patterns);
    const read = async (answer: string) => {
      const reading = readClassifyAnswer(answer, patterns.length);
      return 'unusable' in reading ? reading : { parsed: reading, verdicts: reading.verdicts };
    };
    const ends = AbortSignal.any([signal, AbortSignal.timeout(asked_ms)]);
    try {
      const asked = await questions.ask({ ...run, kind: 'classify', prompt, read, asked_at_most: 1 }, ends);
      const { trace_ids } = asked;
      // Another account than the one that was opened may have answered: whose word it was is not known then.
      if (!('used' in asked) || asked.is_billed !== (kind === 'platform')) return { verdicts: [], trace_ids };
      const { used, model } = asked;
      const verdicts = patterns.map((pattern, i) => ({ pattern, verdict: used.verdicts[i] ?? 'novel', model }));
      return { verdicts, trace_ids };
    } catch (error) {
      if (signal.aborted || !ends.aborted) throw error;
      log.warn({ ...run, asked_ms }, 'unknown patterns stay novel: the model did not answer in time');
      return { verdicts: [], trace_ids: [] };
    }
  }

  async function traceRemembered(
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
      log.warn({ err: error, ...run }, 'trace of remembered verdicts not written');
      return [];
    }
  }

  return { ask };
}

export type Classifier = ReturnType<typeof createClassifier>;

/** A fingerprint tells no provider: of one that two providers have, both must be benign. */
function benignOf(verdicts: readonly Verdict[]): string[] {
  const novel = new Set(verdicts.flatMap(({ pattern, verdict }) => (verdict === 'novel' ? [pattern.fingerprint] : [])));
  const benign = verdicts.map(({ pattern }) => pattern.fingerprint).filter((fingerprint) => !novel.has(fingerprint));
  return [...new Set(benign)];
}
