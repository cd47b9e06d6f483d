import { CloudError } from '../../adapters/cloud/types.ts';
import type { PartOutcome } from '../resources/index.ts';
import type { Provider, ScanError } from '../scans/index.ts';
import type { CountedFault, PartFault, StoredPart } from './types.ts';

/** The most that a run shows. @see openapi.yaml, ScanRun.scan_errors */
const MOST_ERRORS = 200;
/** The most that is stored for one part; a part has one cause, or few. */
const MOST_FAULTS = 20;

/** Counts faults together with those that occurred before. */
export function addFaults(before: readonly CountedFault[], added: readonly PartFault[]): CountedFault[] {
  const counted = added.map((fault) => ({ ...pickFault(fault), count: 1 }));
  return merge([...before, ...counted], (fault) => fault).slice(0, MOST_FAULTS);
}

/** What an adapter threw while it read a part. */
export function toPartFault(error: unknown, { service, region, provider_type }: StoredPart): PartFault {
  if (error instanceof CloudError) {
    const { fault } = error;
    return {
      ...pickFault(fault),
      service: fault.service ?? service,
      region: fault.region ?? region,
      provider_type: fault.provider_type ?? provider_type,
    };
  }
  const message = 'The service could not read this part because of an error of its own. Report it.';
  return { code: 'internal', message, service, region, provider_type, permission: null, retryable: true };
}

/**
 * The errors of a run: equal ones are counted, and missing permissions are named. If there are more than 200, those that
 * differ only in their region are counted together, then those that differ only in their resource type, and the last
 * entry counts the rest.
 */
export function toScanErrors(faults: readonly CountedFault[], provider: Provider): ScanError[] {
  const errors = faults.map((fault) => toScanError(fault, provider));
  const levels = [
    (error: ScanError): ScanError => error,
    (error: ScanError): ScanError => ({ ...error, region: null }),
    (error: ScanError): ScanError => ({ ...error, region: null, resource_type: null }),
  ];
  let merged: ScanError[] = [];
  for (const widen of levels) {
    merged = merge(errors, widen);
    if (merged.length <= MOST_ERRORS) return merged;
  }
  return cut(merged, provider);
}

function cut(errors: readonly ScanError[], provider: Provider): ScanError[] {
  const sorted = [...errors].sort((a, b) => b.count - a.count);
  const count = sorted.slice(MOST_ERRORS - 1).reduce((sum, error) => sum + error.count, 0);
  const message = 'More errors are not listed here. Correct those that are listed, and scan again.';
  const nowhere = { provider, region: null, service: null, resource_type: null };
  return [...sorted.slice(0, MOST_ERRORS - 1), { code: 'truncated', message, ...nowhere, retryable: true, count }];
}

function toScanError(fault: CountedFault, provider: Provider): ScanError {
  const { code, message, permission, region, service, provider_type, retryable, count } = fault;
  const names_it = permission === null || message.includes(permission);
  return {
    code,
    message: names_it ? message : `${message} Missing permission: ${permission}.`,
    provider,
    region,
    service,
    resource_type: provider_type,
    retryable,
    count,
  };
}

/** Adds the counts of items that are equal after `widen`. */
function merge<T extends { count: number }>(items: readonly T[], widen: (item: T) => T): T[] {
  const merged = new Map<string, T>();
  for (const item of items) {
    const wide = widen(item);
    const key = JSON.stringify({ ...wide, count: 0 });
    const known = merged.get(key);
    merged.set(key, { ...wide, count: wide.count + (known?.count ?? 0) });
  }
  return [...merged.values()];
}

function pickFault({ code, message, service, region, provider_type, permission, retryable }: PartFault): PartFault {
  return { code, message, service, region, provider_type, permission, retryable };
}

/** How a scan that ends leaves a part. @param unread the reason of parts that it did not read */
export function toOutcome(part: StoredPart, unread: PartFault): PartOutcome {
  const { key, service, region, provider_type, by_region, resource_count, status, faults } = part;
  const base = { key, service, region, provider_type, by_region, resource_count };
  if (status === 'pending') return { ...base, outcome: 'untried', reason: toReason(faults[0] ?? unread) };
  const reason = faults[0] === undefined ? null : toReason(faults[0]);
  return reason === null ? { ...base, outcome: 'complete', reason } : { ...base, outcome: 'incomplete', reason };
}

function toReason({ code, message, permission, retryable }: PartFault) {
  return { code, message, permission, retryable };
}
