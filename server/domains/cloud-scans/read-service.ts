import { CloudError, type ScanPage } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { createFairLimit } from '../../lib/concurrency-limit.ts';
import type { ScanSession } from '../cloud-accounts/index.ts';
import type { Inventory } from '../resources/index.ts';
import { addFaults, toPartFault } from './faults.ts';
import * as store from './parts-store.ts';
import type { PartFault, ScanClaim, StoredPart } from './types.ts';

/** Parts that are read at once. @see the contract decisions, D82 */
const PARTS_AT_ONCE = 8;

/** Thrown when another process has taken the scan, or when it has ended. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

export interface ReaderDeps extends Pick<ServiceDeps, 'db' | 'log'> {
  inventory: Pick<Inventory, 'openScan'>;
}

type Writer = Awaited<ReturnType<Inventory['openScan']>>;

interface Reading {
  claim: ScanClaim;
  session: Pick<ScanSession, 'readPage'>;
  writer: Writer;
  signal: AbortSignal;
}

/** Reads the parts of an account into the inventory. */
export function createReader({ db, inventory, log }: ReaderDeps) {
  /**
   * Reads the parts that are not read yet, each from the page that comes next. Regions and services take turns. A part
   * that cannot be read does not stop the others.
   *
   * @throws ClaimLost; CloudError `credential_error` if the cloud rejects the credentials; the reason of `signal`
   */
  async function read(
    claim: ScanClaim,
    session: Pick<ScanSession, 'readPage'>,
    parts: readonly StoredPart[],
    signal: AbortSignal,
  ): Promise<void> {
    const { org_id, cloud_account_id, id: scan_id, provider } = claim;
    const writer = await inventory.openScan({ org_id, cloud_account_id, scan_id, provider });
    const stop = new AbortController();
    const reading: Reading = { claim, session, writer, signal: AbortSignal.any([signal, stop.signal]) };
    const unread = parts.filter(({ status }) => status === 'pending');
    const lanes = new Set(unread.map(toLane)).size;
    // While there are enough regions and services, one request at a time is sent to each.
    const limit = createFairLimit({
      max: PARTS_AT_ONCE,
      max_per_key: Math.max(1, Math.ceil(PARTS_AT_ONCE / Math.max(1, lanes))),
    });
    const readOrStop = async (part: StoredPart) => {
      try {
        if (!reading.signal.aborted) await readPart(reading, part);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    };
    await Promise.allSettled(unread.map((part) => limit.run(toLane(part), () => readOrStop(part))));
    reading.signal.throwIfAborted();
  }

  async function readPart(reading: Reading, part: StoredPart): Promise<void> {
    for (let at = part; at.status === 'pending'; ) {
      const answer = await ask(reading, at);
      const next = moveOn(at, answer);
      await save(reading, { before: at, after: next, resources: answer.page?.resources ?? [] });
      at = next;
    }
  }

  /** @throws errors that end the whole scan */
  async function ask({ session, signal }: Reading, part: StoredPart): Promise<Answer> {
    signal.throwIfAborted();
    try {
      return { page: await session.readPage(part, part.cursor, signal) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CloudError && error.fault.code === 'credential_error') throw error;
      if (!(error instanceof CloudError)) log.warn({ err: error, part: part.key }, 'part of a scan not read');
      return { fault: toPartFault(error, part) };
    }
  }

  /** The resources of a page and the place of the next one, or neither. */
  async function save({ claim, writer }: Reading, { before, after, resources }: Step): Promise<void> {
    const page = await writer.prepare(before.key, resources);
    const moved = await db.inOrg(claim.org_id, async (trx) => {
      if (!(await store.movePart(trx, claim, before, after))) return false;
      await writer.write(trx, page);
      return true;
    });
    if (!moved) throw new ClaimLost('the scan has ended, or another process reads it');
  }

  return read;
}

export type ReadScan = ReturnType<typeof createReader>;

type Answer = { page: ScanPage; fault?: undefined } | { page?: undefined; fault: PartFault };

interface Step {
  before: StoredPart;
  after: StoredPart;
  resources: ScanPage['resources'];
}

function moveOn(part: StoredPart, { page, fault }: Answer): StoredPart {
  if (fault !== undefined) return { ...part, status: 'failed', faults: addFaults(part.faults, [fault]) };
  const { resources, next_cursor: cursor, faults, restarted = false } = page;
  return {
    ...part,
    cursor,
    status: cursor === null ? 'done' : 'pending',
    page_count: part.page_count + 1,
    resource_count: (restarted ? 0 : part.resource_count) + resources.length,
    faults: addFaults(
      part.faults,
      faults.map((one) => ({ ...one, service: one.service ?? part.service, region: one.region ?? part.region })),
    ),
  };
}

/** Clouds limit requests to each service in each region. */
function toLane({ service, region }: StoredPart): string {
  return `${service}/${region ?? ''}`;
}
