import type { BlobStore } from '../../../server/adapters/blob/types.ts';
import { createScans } from '../../../server/domains/scans/index.ts';
import { createTraces, type NewTrace } from '../../../server/domains/traces/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import type { TestDatabase } from '../../helpers/database.ts';

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Traces on a clock that the test moves, with their log lines. */
export function tracesSetup(database: TestDatabase, blobs: BlobStore, store_timeout_ms = 10_000) {
  const warnings: unknown[] = [];
  const clock = { now: new Date('2026-05-01T12:00:00.000Z') };
  const { db, sweeper_db: sweep_db } = database;
  const now = () => clock.now;
  const traces = createTraces({
    db,
    sweep_db,
    blobs,
    sealer: createSealer([Buffer.alloc(32, 7)]),
    scans: createScans({ db, sweep_db, now, getOrgPlan: async () => 'team' }),
    now,
    log: { warn: (...args: unknown[]) => warnings.push(args) },
    store_timeout_ms,
  });
  const pass = (ms: number) => {
    clock.now = new Date(clock.now.getTime() + ms);
  };
  const findRow = (id: string) => database.admin_db('traces').where({ id }).first();
  return { traces, clock, warnings, pass, findRow };
}

export type TracesSetup = ReturnType<typeof tracesSetup>;

export async function makeScan(database: TestDatabase, org_id: string): Promise<string> {
  const id = newId();
  await database.admin_db('scan_runs').insert({ id, org_id, kind: 'analysis', scan_type: 'manual' });
  return id;
}

export function aTrace(org_id: string, fields: Partial<NewTrace> = {}): NewTrace {
  return {
    org_id,
    scan_run_id: null,
    kind: 'narrative',
    model: 'model-1',
    input_tokens: 2_100,
    output_tokens: 320,
    latency_ms: 4_200,
    cached: false,
    fallback: false,
    prompt_version: 'narrative-3',
    error: null,
    body: {
      system_prompt: 'Explain the plan.',
      user_prompt: '{"changes":[]}',
      raw_response: '{"what_will_happen":"Nothing."}',
      parsed: { narrative: 'Nothing.' },
      inputs: { digest: 'ab'.repeat(32), char_count: 14, resource_count: 0 },
    },
    ...fields,
  };
}
