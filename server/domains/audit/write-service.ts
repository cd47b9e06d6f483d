import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import { currentRequestId } from '../../lib/request-context.ts';
import type { Logger } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import { toEventRow } from './event-row.ts';
import * as store from './store.ts';
import type { AuditEvent, AuditWriter, EventRow } from './types.ts';
import { classifyFailure } from './write-failure.ts';
import { type Batch, WriteQueue } from './write-queue.ts';

const DEADLINE_MS = 10_000;
const MAX_BATCH = 256;
/** Maximum wait of a batch of many chains for a locked one, and of a chain that is written alone. */
const LOCK_MS = { batch: 500, alone: 100 };
/** Delay before a locked chain, or an unavailable database, is retried. */
const PAUSE_MS = { locked: 250, unavailable: 100 };
/** The part of an event's deadline that is reserved for the commit and the response. */
const RETURN_SHARE = 0.03;

export interface AuditWriterDeps {
  /** A pool with a single connection that is used for nothing else. */
  audit_db: Db;
  log: Logger;
  metrics: Pick<Metrics, 'audit_write_failures'>;
  now: () => Date;
  /** Whether this deployment records an action. @throws Error for an action that no domain declares */
  isKept: (action: string) => boolean;
  deadline_ms?: number;
}

interface PendingEvent {
  row: EventRow;
  /** When it counts as lost, by `performance.now()`. */
  deadline: number;
  settled: boolean;
  /** A statement with this row ended without a response: the row may be written. */
  uncertain: boolean;
  /** Why the last attempt failed. */
  failure: unknown;
  settle(): void;
  lose(error: unknown): void;
}

/**
 * Writes the events of this process to all chains over one connection: while one batch is being written, the next one
 * is collected. Each chain keeps the order of its events.
 */
export function createAuditWriter(deps: AuditWriterDeps): AuditWriter & { close(): Promise<void> } {
  const { audit_db, log, metrics, now, isKept, deadline_ms = DEADLINE_MS } = deps;
  const return_ms = deadline_ms * RETURN_SHARE;
  const queue = new WriteQueue<PendingEvent>(MAX_BATCH);
  const open = new Set<Promise<void>>();
  let running = false;

  async function record(event: AuditEvent): Promise<void> {
    const request_id = currentRequestId();
    const lose = (error: unknown) => {
      const { action, org_id } = event;
      metrics.audit_write_failures.inc({ action });
      log.error({ action, request_id, org_id, reason: String(error) }, 'audit log write failed');
    };
    let row: EventRow;
    try {
      if (!isKept(event.action)) return;
      row = toEventRow(event, { id: newId(), now: now() });
    } catch (error) {
      return lose(error);
    }
    const written = enqueue(row, lose);
    open.add(written);
    await written;
    open.delete(written);
  }

  function enqueue(row: EventRow, lose: (error: unknown) => void): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        event.settled = true;
        resolve();
      };
      const event: PendingEvent = {
        row,
        deadline: performance.now() + deadline_ms,
        settled: false,
        uncertain: false,
        failure: undefined,
        settle,
        lose(error) {
          if (event.settled) return;
          lose(error);
          settle();
        },
      };
      const timer = setTimeout(() => {
        queue.drop(event);
        event.lose(event.failure ?? new Error(`the row was not written within ${deadline_ms} ms`));
      }, deadline_ms);
      queue.add(event);
      if (!running) void run();
    });
  }

  async function run(): Promise<void> {
    running = true;
    // Events of the same event-loop turn are combined.
    await turn();
    while (queue.size > 0) {
      const batch = queue.take(performance.now());
      if (batch.events.length > 0) await write(batch);
      else await wait(Math.max(1, queue.nextAt() - performance.now()));
    }
    running = false;
  }

  async function write(batch: Batch<PendingEvent>): Promise<void> {
    try {
      const missing = await withoutWritten(batch.events.filter(isInTime));
      if (missing.length === 0) return;
      const deadline = Math.min(...missing.map((event) => event.deadline));
      const left_ms = () => deadline - return_ms - performance.now();
      const rows = missing.map((event) => event.row);
      await store.appendInTime(audit_db, rows, batch.suspect ? LOCK_MS.alone : LOCK_MS.batch, { left_ms, return_ms });
      for (const event of missing) event.settle();
      queue.trust(missing);
    } catch (error) {
      await recover(batch, error);
    }
  }

  /** A later event is logged at its deadline and no longer sent. */
  function isInTime(event: PendingEvent): boolean {
    return !event.settled && event.deadline - performance.now() > return_ms;
  }

  /** Resolves those events whose row was written by an attempt without a response. */
  async function withoutWritten(events: PendingEvent[]): Promise<PendingEvent[]> {
    const uncertain = events.filter((event) => event.uncertain);
    if (uncertain.length === 0) return events;
    const there = await store.findExisting(
      audit_db,
      uncertain.map((event) => event.row.id),
      return_ms,
    );
    for (const event of uncertain) {
      event.uncertain = false;
      if (there.has(event.row.id)) event.settle();
    }
    return events.filter((event) => !event.settled);
  }

  async function recover(batch: Batch<PendingEvent>, error: unknown): Promise<void> {
    const events = batch.events.filter((event) => !event.settled);
    const failure = classifyFailure(error);
    if (failure === 'refused' && events.length === 1) return events[0]?.lose(error);
    for (const event of events) {
      event.failure = error;
      event.uncertain ||= failure === 'away';
    }
    queue.giveBack(events);
    // One row of the batch is invalid; written alone, it does not affect the others.
    if (failure === 'refused') queue.single(events.length);
    if (failure === 'held') queue.suspect(events, performance.now() + (batch.suspect ? PAUSE_MS.locked : 0));
    if (failure === 'away') await wait(PAUSE_MS.unavailable);
  }

  async function recordIn(trx: Db, event: AuditEvent): Promise<void> {
    if (!isKept(event.action)) return;
    const row = toEventRow(event, { id: newId(), now: now() });
    await store.append(trx, [row], DEADLINE_MS);
  }

  return {
    record,
    recordIn,
    async close() {
      await Promise.all(open);
    },
  };
}
