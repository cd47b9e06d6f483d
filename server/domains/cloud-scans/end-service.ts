import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import type { Inventory } from '../resources/index.ts';
import type { ScanError } from '../scans/index.ts';
import { toOutcome, toScanErrors } from './faults.ts';
import * as partsStore from './parts-store.ts';
import * as runsStore from './runs-store.ts';
import type { CloudRun, PartFault, StoredPart } from './types.ts';

const NOWHERE = { service: null, region: null, provider_type: null, permission: null };
/** The reason of parts that are still unread when every part should have been read. */
const UNREAD: PartFault = { code: 'internal', message: 'This part was not read.', ...NOWHERE, retryable: true };

/** Why a scan ends before it has read everything. */
export interface EarlyEnd {
  code: ScanError['code'];
  /** Whole sentences. */
  message: string;
  retryable: boolean;
  /** Parts that the scan did not read count as parts that could not be read. */
  fails_parts?: boolean;
}

/** A scan that has ended; one that was canceled has not failed. */
export interface EndedScan extends runsStore.RunRef {
  cloud_account_id: string;
  outcome: 'done' | 'failed' | 'canceled';
}

export interface EndingDeps extends Pick<ServiceDeps, 'now'> {
  inventory: Pick<Inventory, 'conclude'>;
  /** Queues a scan once `trx` has committed. */
  enqueue: (trx: Db, run: runsStore.RunRef) => Promise<void>;
  /** Called in the transaction that ends a scan. */
  onEnded: (trx: Db, scan: EndedScan) => Promise<void>;
}

export function createEnding({ inventory, enqueue, onEnded, now }: EndingDeps) {
  /**
   * Ends a scan: draws the conclusions of what it has read, and wakes the next scan of its account.
   *
   * @param run with `attempts`: only if this claim still holds
   * @param early why the scan ends early; undefined after it has read every part
   * @returns false if the scan has ended already, or the claim was lost
   */
  async function end(trx: Db, run: runsStore.RunRef & { attempts?: number }, early?: EarlyEnd): Promise<boolean> {
    await lockOrg(trx, run.org_id);
    const locked = await runsStore.lockUnfinished(trx, run, run.attempts);
    if (locked === undefined) return false;
    const parts = await partsStore.lockParts(trx, run);
    const resource_count = await conclude(trx, locked, parts, early);
    await partsStore.deleteParts(trx, run);
    const status = isFailure(parts, early) ? 'error' : 'done';
    const scan_errors = listErrors(locked, parts, early);
    await runsStore.endRun(trx, run, { status, resource_count, scan_errors, finished_at: now() });
    const next = await runsStore.findWaiting(trx, run.org_id, locked.cloud_account_id);
    if (next !== undefined) await enqueue(trx, { org_id: run.org_id, id: next });
    const { org_id, id, cloud_account_id } = locked;
    await onEnded(trx, { org_id, id, cloud_account_id, outcome: findOutcome(status, early) });
    return true;
  }

  async function conclude(trx: Db, run: CloudRun, parts: readonly StoredPart[], early?: EarlyEnd): Promise<number> {
    const { org_id, cloud_account_id, id: scan_id, provider } = run;
    const scan = { org_id, cloud_account_id, scan_id, provider };
    const outcomes = parts.map((part) => {
      const outcome = toOutcome(part, toUnread(early));
      return outcome.outcome === 'untried' && early?.fails_parts === true
        ? { ...outcome, outcome: 'incomplete' as const }
        : outcome;
    });
    const extent = { regions: run.read_regions ?? [], is_filtered: run.filter_regions.length > 0 };
    return inventory.conclude(trx, scan, outcomes, extent);
  }

  return end;
}

export type EndScan = ReturnType<typeof createEnding>;

/** A scan has failed if nothing was read to its end; a canceled or lost one has always failed. */
function isFailure(parts: readonly StoredPart[], early: EarlyEnd | undefined): boolean {
  if (early !== undefined && early.fails_parts !== true) return true;
  return (early !== undefined || parts.length > 0) && parts.every(({ status }) => status !== 'done');
}

function findOutcome(status: 'done' | 'error', early: EarlyEnd | undefined): EndedScan['outcome'] {
  if (status === 'done') return 'done';
  return early?.code === 'cancelled' ? 'canceled' : 'failed';
}

function listErrors({ provider }: CloudRun, parts: readonly StoredPart[], early: EarlyEnd | undefined): ScanError[] {
  const faults = parts.flatMap((part) => part.faults);
  if (early === undefined) return toScanErrors(faults, provider);
  const { code, message, retryable } = early;
  const unread = parts.filter(({ status }) => status === 'pending').length;
  const count = early.fails_parts === true ? Math.max(1, unread) : 1;
  const first: ScanError = {
    code,
    message,
    provider,
    region: null,
    service: null,
    resource_type: null,
    retryable,
    count,
  };
  // The contract allows 200.
  return [first, ...toScanErrors(faults, provider).slice(0, 199)];
}

/** The ledger knows only faults of the cloud. */
function toUnread(early: EarlyEnd | undefined): PartFault {
  if (early === undefined) return UNREAD;
  const { code, message, retryable } = early;
  const is_own = code === 'cancelled' || code === 'internal';
  return is_own
    ? { code: 'internal', message: `This part was not read. ${message}`, ...NOWHERE, retryable: true }
    : { code, message, ...NOWHERE, retryable };
}
