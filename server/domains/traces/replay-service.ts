import type { PlanAnalysis } from '../../../engine/index.ts';
import type { BlobStore } from '../../adapters/blob/types.ts';
import type { Db } from '../../db/index.ts';
import type { Sealer } from '../../lib/seal.ts';
import type { Scans } from '../scans/index.ts';
import { bodyAad, bodyKey, unpackBody } from './body.ts';
import { type Replay, replayClassify, replayFix, replayNarrative } from './rebuild.ts';
import * as store from './store.ts';
import type { Trace, TraceBody } from './types.ts';

export interface ReplayDeps {
  /** Finds a trace in any organization. */
  platform_db: Db;
  scans: { analysisRun: Pick<Scans['analysisRun'], 'result'> };
  blobs: Pick<BlobStore, 'get'>;
  sealer: Pick<Sealer, 'open'>;
}

export type TraceReplay =
  /** `verdict`: whether all rebuilt parts are equal to the stored ones; `unknown` if a part could not be rebuilt. */
  (Replay & { verdict: 'same' | 'different' | 'unknown'; trace: Trace }) | { verdict: 'unknown'; why: string };

/**
 * Replays a trace without the model: builds the prompt (of a narrative, from the stored result of its scan run) and
 * parses the stored response. Calls no model and writes nothing.
 */
export async function replayTrace(deps: ReplayDeps, id: string): Promise<TraceReplay> {
  const trace = await store.findAnyTrace(deps.platform_db, id);
  if (trace === undefined) return unknown('the trace does not exist');
  if (!canReplay(trace.kind)) return unknown(`it is of kind ${trace.kind}, which cannot be replayed`);
  if (trace.cached) return unknown('no model was called: the verdicts came from the cache');
  if (trace.model === null) return unknown('no model was called: only rules wrote it');
  if (trace.status !== 'ready') return unknown(`its status is ${trace.status}: there is no body to compare with`);
  const body = await readBody(deps, trace);
  if (typeof body === 'string') return unknown(body);
  try {
    const replay = await rebuildReplay(deps, trace, body);
    if (typeof replay === 'string') return unknown(replay);
    return { ...replay, verdict: toVerdict(replay), trace };
  } catch (error) {
    if (error instanceof RangeError) return unknown(error.message);
    throw error;
  }
}

function canReplay(kind: Trace['kind']): boolean {
  return kind === 'narrative' || kind === 'plan-noise-fix' || kind === 'classify';
}

/** @returns why it cannot be rebuilt, as text */
async function rebuildReplay(deps: ReplayDeps, trace: Trace, body: TraceBody): Promise<Replay | string> {
  if (trace.kind === 'plan-noise-fix') return replayFix(body, trace.prompt_version);
  if (trace.kind === 'classify') return replayClassify(body, trace.prompt_version);
  const result = await readResult(deps, trace);
  return typeof result === 'string' ? result : replayNarrative(body, result, trace.prompt_version);
}

function unknown(why: string): TraceReplay {
  return { verdict: 'unknown', why };
}

function toVerdict({ steps, not_compared }: Replay): 'same' | 'different' | 'unknown' {
  if (steps.some(({ differences }) => differences.length > 0)) return 'different';
  return not_compared === null ? 'same' : 'unknown';
}

/** @returns why there is none, as text */
async function readBody({ blobs, sealer }: ReplayDeps, { org_id, id }: Trace): Promise<TraceBody | string> {
  const sealed = await blobs.get(bodyKey(org_id, id));
  if (sealed === undefined) return 'its body is missing from the object store';
  try {
    return unpackBody(sealer.open(sealed, bodyAad(org_id, id)));
  } catch (error) {
    return `its body cannot be read: ${error instanceof Error ? error.message : 'it is damaged'}`;
  }
}

async function readResult({ scans }: ReplayDeps, { org_id, scan_run_id }: Trace): Promise<PlanAnalysis | string> {
  if (scan_run_id === null) return 'its scan run no longer exists';
  const run = await scans.analysisRun.result(org_id, scan_run_id);
  if (run?.result_text == null) return 'its scan run has no result';
  return JSON.parse(run.result_text) as PlanAnalysis;
}
