/** Turns a report into rows and notes. */
import { createHash, randomUUID } from 'node:crypto';
import type { DriftItem, DriftReport } from '../../../engine/drift/index.ts';
import { toStableKey } from './earlier.ts';
import type { Lives } from './lives.ts';
import { listNotes } from './notes.ts';
import type { DriftItemRow, PackedDrift } from './types.ts';

/** Rows that PostgreSQL reads at once. */
const BATCH = 1_000;

/** How a state was read. */
export interface StateFact {
  display_name: string;
  problem: string | null;
  /** What is missing of it. */
  failures: number;
}

export interface OutcomeDeps {
  states: readonly StateFact[];
  lives: Lives;
}

export function toPackedDrift(report: DriftReport, deps: OutcomeDeps): PackedDrift {
  const { states, lives } = deps;
  const rows = report.items.map((item, position) => toRow(item, position, lives));
  return {
    drift_status: report.drift_status,
    changed_count: report.changed_count,
    extra_count: report.extra_count,
    matched_count: report.matched_count,
    missing_count: report.missing_count,
    parse_failure_count: states.reduce((sum, { failures }) => sum + failures, 0),
    not_checked_count: report.not_checked_count,
    excluded_count: report.apart_count,
    ignored_count: report.ignored_count,
    total_iac: report.total_iac,
    total_live: report.total_live,
    coverage_pct: report.coverage_pct,
    risk_level: report.risk_level,
    narrative: report.narrative,
    notes: listNotes(report, states),
    content_hash: hashContent(rows),
    item_count: rows.length,
    items: toBatches(rows),
    matches: toBatches(lives.listChanged()),
  };
}

function toRow(item: DriftItem, position: number, lives: Lives): DriftItemRow {
  const { key, source, risk, ...shown } = item;
  const of_live = item.live_resource_id === null ? null : item.provider_type;
  return {
    ...shown,
    position,
    id: randomUUID(),
    stable_key: toStableKey(key),
    normalized_type: (of_live === null ? undefined : lives.findNormalizedType(of_live)) ?? 'other',
    state_source_id: source,
    level: risk.level,
    reasons: risk.reasons,
    suppressed: item.ignore_rule_id !== null || item.suppression_id !== null,
  };
}

/** Equal for the same items in every computation. */
function hashContent(rows: readonly DriftItemRow[]): Uint8Array {
  const hash = createHash('sha256');
  for (const { id: _, ...content } of rows) hash.update(JSON.stringify(content)).update('\n');
  return Uint8Array.from(hash.digest());
}

function toBatches(rows: Iterable<unknown>): Uint8Array<ArrayBuffer>[] {
  const batches: Uint8Array<ArrayBuffer>[] = [];
  const encoder = new TextEncoder();
  let batch: unknown[] = [];
  const close = () => {
    if (batch.length > 0) batches.push(encoder.encode(toStorable(batch)));
    batch = [];
  };
  for (const row of rows) {
    batch.push(row);
    if (batch.length === BATCH) close();
  }
  close();
  return batches;
}

/** PostgreSQL stores neither NUL nor unpaired surrogates, and one such name must not fail a snapshot. */
function toStorable(rows: readonly unknown[]): string {
  return JSON.stringify(rows, (_, value) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  );
}
