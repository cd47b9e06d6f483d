/** What scans know about a resource, in words. Nothing is stated as certain that only an old or a single scan has seen. */
import { findAge } from './age.ts';
import type { LiveDrift, LiveExposure, LiveFacts } from './result.ts';

/** A scan within this time says what is so now. */
const CURRENT_DAYS = 1;

/** A clause and, in parentheses, how old the knowledge is: `already gone in the cloud (first seen missing 3 days ago)`. */
export function describeGone(drift: LiveDrift, as_of: string): string {
  const certain = drift.certainty === 'confirmed' && isCurrent(drift.scanned_at, drift, as_of);
  const seen = `first seen missing ${findAge(drift.first_detected_at, as_of).ago}`;
  return `${certain ? 'already gone' : 'possibly gone'} in the cloud (${seen}${describeScan(drift, as_of)})`;
}

/** Since when a resource differs: `first seen 3 days ago`. */
export function describeSince(drift: LiveDrift, as_of: string): string {
  return `first seen ${findAge(drift.first_detected_at, as_of).ago}${describeScan(drift, as_of)}`;
}

/** `public right now (seen 2 hours ago)`; an older scan says only what was so then. */
export function describeExposure(exposure: LiveExposure, as_of: string): string {
  const { group_id, seen_at, later_scan_failed } = exposure;
  const { ago } = findAge(seen_at, as_of);
  const in_group = (verb: string) => `in the security group ${group_id}, which ${verb} open to the internet`;
  if (isCurrent(seen_at, exposure, as_of))
    return group_id === null ? `public right now (seen ${ago})` : `${in_group('is')} (seen ${ago})`;
  const what = group_id === null ? 'public' : in_group('was');
  return `${what} when last seen (${ago}${later_scan_failed ? '; the last scan failed' : ''})`;
}

/** Whether a change is about an object that a scan did not find. */
export function isGone({ action, live }: { action: string; live?: LiveFacts | undefined }): boolean {
  return live?.drift?.drift_type === 'missing' && action !== 'create' && action !== 'forget';
}

function isCurrent(at: string, { later_scan_failed }: { later_scan_failed: boolean }, as_of: string): boolean {
  return !later_scan_failed && findAge(at, as_of).days <= CURRENT_DAYS;
}

/** Says nothing about a current scan. */
function describeScan(drift: LiveDrift, as_of: string): string {
  if (drift.later_scan_failed)
    return `; the scan is from ${findAge(drift.scanned_at, as_of).ago} and the next one failed`;
  return isCurrent(drift.scanned_at, drift, as_of) ? '' : `; the last scan was ${findAge(drift.scanned_at, as_of).ago}`;
}
