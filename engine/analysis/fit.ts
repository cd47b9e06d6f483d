import type { AttributeDiff, Change, JsonValue, PlanAnalysis } from '../model/result.ts';

/** openapi.yaml, ScanRun.result_json */
export const MAX_RESULT_BYTES = 8 * 1_048_576;
/** JSON escapes a control character as six bytes, the maximum for any character. */
const MAX_BYTES_PER_CHARACTER = 6;
/** Upper bounds for a result, a change and a diff without text from the plan. */
const RESULT_BYTES = 4096;
const CHANGE_BYTES = 1280;
const DIFF_BYTES = 330;
const NUMBER_BYTES = 25;

/**
 * Limits the result to 8 MiB of JSON, in place. Drops attributes of drift first, then of changes, lowest rank first;
 * then outputs; then whole entries if names alone exceed the limit.
 */
export function fitResult(analysis: PlanAnalysis, max_bytes = MAX_RESULT_BYTES): void {
  if (estimate(analysis) <= max_bytes) return;
  let excess = countBytes(analysis) - max_bytes;
  for (const change of [...analysis.changes, ...analysis.resource_drift].reverse()) {
    if (excess <= 0) return;
    excess -= dropAttributes(change);
  }
  excess -= dropLast(analysis.output_changes, excess);
  excess -= dropLast(analysis.resource_drift, excess);
  if (excess > 0) analysis.changes_truncated = true;
  dropLast(analysis.changes, excess);
}

function dropAttributes(change: Change): number {
  const saved = countBytes(change.attributes) - 2;
  if (saved === 0) return 0;
  change.attributes = [];
  change.attributes_truncated = true;
  return saved;
}

function dropLast(list: unknown[], excess: number): number {
  let saved = 0;
  while (saved < excess && list.length > 0) saved += countBytes(list.pop()) + 1;
  return saved;
}

function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Upper bound, much cheaper than serializing; most results are far below the limit. */
function estimate(analysis: PlanAnalysis): number {
  const { changes, resource_drift, output_changes, narrative, plan_noise, checks, not_evaluated } = analysis;
  let bytes = RESULT_BYTES + textBytes(narrative);
  for (const { address, problems } of checks) for (const text of [address, ...problems]) bytes += 100 + textBytes(text);
  for (const { address, paths } of not_evaluated.resources) {
    for (const text of [address, ...paths]) bytes += 100 + textBytes(text);
  }
  for (const address of plan_noise.addresses.known_benign) bytes += textBytes(address);
  for (const output of output_changes) {
    bytes += DIFF_BYTES + textBytes(output.name) + valueBytes(output.before) + valueBytes(output.after);
  }
  for (const list of [changes, resource_drift]) for (const change of list) bytes += changeBytes(change);
  return bytes;
}

function changeBytes(change: Change): number {
  let bytes = CHANGE_BYTES + 3 * textBytes(change.address) + textBytes(change.previous_address ?? '');
  bytes += 2 * textBytes(change.type) + textBytes(change.importing?.id ?? '');
  for (const path of change.replace_paths) bytes += textBytes(path);
  for (const { message, short_message, path } of change.risk.reasons) {
    bytes += DIFF_BYTES + textBytes(message) + textBytes(short_message ?? '') + textBytes(path ?? '');
  }
  for (const path of change.reverts_drift?.paths ?? []) bytes += textBytes(path);
  bytes += liveBytes(change);
  for (const fingerprint of change.noise.fingerprints) bytes += textBytes(fingerprint);
  for (const diff of change.attributes) bytes += diffBytes(diff);
  return bytes;
}

function liveBytes({ live }: Change): number {
  if (live === undefined) return 0;
  let bytes = 2 * DIFF_BYTES + textBytes(live.exposure?.message ?? '');
  for (const path of live.drift?.paths ?? []) bytes += textBytes(path);
  return bytes;
}

/** A path is included twice: as text and as quoted segments. */
function diffBytes({ path, before, after, inside = [] }: AttributeDiff): number {
  let bytes = DIFF_BYTES + textBytes(path) * 2 + path.length * 2 + valueBytes(before) + valueBytes(after);
  for (const one of inside) bytes += DIFF_BYTES + textBytes(one.path) + valueBytes(one.before) + valueBytes(one.after);
  return bytes;
}

function textBytes(text: string): number {
  return text.length * MAX_BYTES_PER_CHARACTER + 3;
}

function valueBytes(value: JsonValue): number {
  if (typeof value === 'string') return textBytes(value);
  if (value === null || typeof value !== 'object') return NUMBER_BYTES;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) bytes += 1 + valueBytes(item);
    return bytes;
  }
  for (const key of Object.keys(value)) {
    bytes += textBytes(key) + 2 + valueBytes((value as Record<string, JsonValue>)[key]!);
  }
  return bytes;
}
