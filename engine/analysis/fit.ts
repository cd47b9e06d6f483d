import type { AttributeDiff, Change, JsonValue, PlanAnalysis } from '../result.ts';

/** openapi.yaml, ScanRun.result_json */
export const MAX_RESULT_BYTES = 8 * 1_048_576;
/** JSON writes a control character as six bytes; no other character needs more. */
const MAX_BYTES_PER_CHARACTER = 6;
/** A change without its attributes, texts from the plan left out. */
const CHANGE_BYTES = 4096;
const DIFF_BYTES = 512;

/**
 * Makes the result at most 8 MiB of JSON, in place: attributes are dropped first, those of drift before those of changes,
 * and of both the lowest in rank first; then whole outputs and, if names alone are that long, whole entries.
 */
export function fitResult(analysis: PlanAnalysis, most = MAX_RESULT_BYTES): void {
  if (estimate(analysis) <= most) return;
  let excess = bytesOf(analysis) - most;
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
  const saved = bytesOf(change.attributes) - 2;
  if (saved === 0) return 0;
  change.attributes = [];
  change.attributes_truncated = true;
  return saved;
}

function dropLast(list: unknown[], excess: number): number {
  let saved = 0;
  while (saved < excess && list.length > 0) saved += bytesOf(list.pop()) + 1;
  return saved;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Never too low, and much cheaper than to write the JSON; most results are far from the limit. */
function estimate({ changes, resource_drift, output_changes, narrative, plan_noise }: PlanAnalysis): number {
  let characters = narrative.length;
  for (const address of plan_noise.addresses.known_benign) characters += address.length + 3;
  for (const output of output_changes) {
    characters += DIFF_BYTES + output.name.length + sizeOf(output.before) + sizeOf(output.after);
  }
  for (const list of [changes, resource_drift]) for (const change of list) characters += sizeOfChange(change);
  return characters * MAX_BYTES_PER_CHARACTER;
}

function sizeOfChange(change: Change): number {
  let characters = CHANGE_BYTES / MAX_BYTES_PER_CHARACTER + 3 * change.address.length;
  for (const path of change.replace_paths) characters += path.length + 3;
  for (const { message, path } of change.risk.reasons) characters += 100 + message.length + (path?.length ?? 0);
  for (const fingerprint of change.noise.fingerprints) characters += fingerprint.length + 3;
  for (const diff of change.attributes) characters += sizeOfDiff(diff);
  return characters;
}

function sizeOfDiff(diff: AttributeDiff): number {
  return DIFF_BYTES / MAX_BYTES_PER_CHARACTER + 3 * diff.path.length + sizeOf(diff.before) + sizeOf(diff.after);
}

function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object') return 25;
  let characters = 2;
  for (const key of Object.keys(value))
    characters += key.length + 4 + sizeOf((value as Record<string, JsonValue>)[key]!);
  return characters;
}
