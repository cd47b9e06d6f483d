/** What was read of an account: only where it was read to its end, a resource that was not found is missing. */
import { toTypeKey } from './type-rules.ts';
import type { AccountPart, DriftAccount, UnreadPart } from './types.ts';

export interface Ledger {
  /**
   * Why it is not known whether an object of one of these types exists in a region, as a sentence; null if it is known.
   *
   * @param region null if it may be in any region
   */
  findGap(cloud_types: readonly string[], region: string | null): string | null;
  /** Whether the service itself listed this type. */
  isTypeRead(cloud_type: string): boolean;
  /** Whether the parts with these types are only assumed to be read to their end. */
  isAssumed(cloud_types: readonly string[], region: string | null): boolean;
  /** Parts that should have been read. */
  readonly failures: readonly UnreadPart[];
}

export function createLedger({ provider, parts, unread }: DriftAccount): Ledger {
  const failures = unread.filter(isFailure);
  const read = indexParts(parts, provider);
  const failed = indexParts(
    unread.filter(({ provider_type }) => provider_type !== null),
    provider,
  );
  const whole = failures.find(({ provider_type }) => provider_type === null);
  // Only these clouds list all types at once; for AWS, such a part only adds what other parts leave out.
  const lists_all = provider !== 'aws' && parts.some(({ provider_type }) => provider_type === null);

  function findGap(cloud_types: readonly string[], region: string | null): string | null {
    const keys = cloud_types.map((type) => toTypeKey(provider, type));
    const fault = keys.flatMap((key) => failed.get(key) ?? []).find((part) => mayHold(part, region));
    if (fault !== undefined) return describeFault(fault as UnreadPart);
    if (whole !== undefined && provider !== 'aws') return describeFault(whole);
    if (lists_all) return null;
    const found = keys.flatMap((key) => read.get(key) ?? []);
    if (found.length === 0) return `No complete listing of ${cloud_types[0]} was read.`;
    if (found.some((part) => mayHold(part, region))) return null;
    return `No complete listing of ${cloud_types[0]} in ${region} was read.`;
  }

  function isTypeRead(cloud_type: string): boolean {
    return (read.get(toTypeKey(provider, cloud_type)) ?? []).some(({ is_assumed }) => is_assumed !== true);
  }

  function isAssumed(cloud_types: readonly string[], region: string | null): boolean {
    if (lists_all) return false;
    const found = cloud_types.flatMap((type) => read.get(toTypeKey(provider, type)) ?? []);
    const covering = found.filter((part) => mayHold(part, region));
    return covering.length > 0 && covering.every(({ is_assumed }) => is_assumed === true);
  }

  return { findGap, isTypeRead, isAssumed, failures };
}

/** What no scan of this cloud reads describes the limits of the scanner, and is no failure of this scan. */
function isFailure({ code }: UnreadPart): boolean {
  return code !== 'unsupported_type';
}

function mayHold(part: AccountPart, region: string | null): boolean {
  return part.region === null || region === null || part.region === region;
}

function indexParts(parts: readonly AccountPart[], provider: DriftAccount['provider']): Map<string, AccountPart[]> {
  const index = new Map<string, AccountPart[]>();
  for (const part of parts) {
    if (part.provider_type === null) continue;
    const key = toTypeKey(provider, part.provider_type);
    const known = index.get(key);
    if (known === undefined) index.set(key, [part]);
    else known.push(part);
  }
  return index;
}

/** Why nothing in a part is known. */
export function describeFault({ provider_type, region, message }: UnreadPart): string {
  const what = provider_type === null ? 'A part of the account' : `${provider_type}`;
  return `${what}${region === null ? '' : ` in ${region}`} was not read: ${message}`;
}
