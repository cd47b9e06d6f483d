import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { BlobStore } from '../../adapters/blob/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import type { Sealer } from '../../lib/seal.ts';
import type { Scans } from '../scans/index.ts';
import { bodyAad, bodyKey, packBody, unpackBody } from './body.ts';
import { cleanTrace } from './clean.ts';
import { createMaintenance } from './maintenance-service.ts';
import * as store from './store.ts';
import type { NewTrace, Trace, TraceBody, TraceWriter } from './types.ts';

/** @see the interface specification, Limits: trace bodies */
export const BODY_RETENTION_MS = 30 * 86_400_000;
const MAX_LISTED = 500;
/** A store that does not respond must not delay the trace's row. */
const STORE_TIMEOUT_MS = 10_000;

export interface TracesDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'now' | 'log'> {
  blobs: Omit<BlobStore, 'check'>;
  sealer: Sealer;
  scans: Pick<Scans, 'assertExists'>;
  store_timeout_ms?: number;
}

/** The current state of a trace. Its body is null if it could not be stored or cannot be read. */
export type TraceState =
  | { status: 'pending'; trace: Trace }
  | { status: 'expired'; trace: Trace }
  | { status: 'ready'; trace: Trace; body: TraceBody }
  | { status: 'failed'; trace: Trace; body: null };

/** Prompts for language models and their responses. */
export function createTraces(deps: TracesDeps) {
  const { db, blobs, sealer, scans, now, log, store_timeout_ms = STORE_TIMEOUT_MS } = deps;

  const record: TraceWriter['record'] = async (given) => {
    const trace = cleanTrace(given);
    const { org_id } = trace;
    const id = `trc-${randomBytes(12).toString('hex')}`;
    await db.inOrg(org_id, (trx) => store.insertTrace(trx, org_id, { ...trace, id, created_at: now() }));
    const status = (await putBody(id, trace)) ? 'ready' : 'failed';
    await settle(org_id, id, status);
    return id;
  };

  async function putBody(id: string, { org_id, body }: NewTrace): Promise<boolean> {
    const given_up = new AbortController();
    const late = wait(store_timeout_ms, 'late' as const, { signal: given_up.signal });
    late.catch(() => {});
    try {
      const put = blobs.put(bodyKey(org_id, id), sealer.seal(packBody(body), bodyAad(org_id, id)));
      if ((await Promise.race([put, late])) !== 'late') return true;
      put.catch(() => {});
      log.warn({ trace_id: id, org_id }, 'body of a trace discarded: the object store did not respond in time');
    } catch (error) {
      log.warn({ err: error, trace_id: id, org_id }, 'body of a trace not stored');
    } finally {
      given_up.abort();
    }
    return false;
  }

  /** The maintenance sweep ends a row that stays pending because of this. */
  async function settle(orgId: string, id: string, status: 'ready' | 'failed'): Promise<void> {
    try {
      const settled = await db.inOrg(orgId, (trx) => store.settleTrace(trx, orgId, id, status));
      // The maintenance sweep has taken it for lost, and may have looked for the body before it existed.
      if (!settled) await blobs.delete(bodyKey(orgId, id));
    } catch (error) {
      log.warn({ err: error, trace_id: id, org_id: orgId }, 'outcome of a trace not recorded');
    }
  }

  /**
   * The first 500 of a scan run, oldest first.
   *
   * @throws NotFound if the organization has no such run
   */
  async function listByScan(orgId: string, scan_run_id: string): Promise<Trace[]> {
    const [traces] = await Promise.all([
      db.readInOrg(orgId, (read) => store.listByScan(read, orgId, scan_run_id, MAX_LISTED)),
      scans.assertExists(orgId, scan_run_id),
    ]);
    return traces;
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<TraceState> {
    const trace = await find(orgId, id);
    const state = withoutBody(trace);
    if (state !== undefined) return state;
    const body = await readBody(trace);
    if (body !== undefined) return { status: 'ready', trace, body };
    // It was deleted between the two reads, or it is lost, which the log shows.
    return withoutBody(await find(orgId, id)) ?? { status: 'failed', trace, body: null };
  }

  async function find(orgId: string, id: string): Promise<Trace> {
    const trace = assertFound(await db.readInOrg(orgId, (read) => store.findTrace(read, orgId, id)));
    return trace;
  }

  /** A trace expires after exactly thirty days, whenever the sweep runs. */
  function withoutBody(trace: Trace): TraceState | undefined {
    const { status, created_at } = trace;
    const over = now().getTime() - created_at.getTime() >= BODY_RETENTION_MS;
    if (status === 'expired' || over) return { status: 'expired', trace };
    if (status === 'failed') return { status, trace, body: null };
    return status === 'pending' ? { status, trace } : undefined;
  }

  async function readBody({ org_id, id }: Trace): Promise<TraceBody | undefined> {
    const sealed = await blobs.get(bodyKey(org_id, id));
    try {
      return sealed && unpackBody(sealer.open(sealed, bodyAad(org_id, id)));
    } catch (error) {
      log.warn({ err: error, trace_id: id, org_id }, 'body of a trace cannot be read');
      return undefined;
    }
  }

  return {
    record,
    listByScan,
    get,
    maintenance: createMaintenance({ ...deps, body_retention_ms: BODY_RETENTION_MS }),
  };
}

export type Traces = ReturnType<typeof createTraces>;
