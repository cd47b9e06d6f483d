/**
 * A process of the audit benchmark that runs several writers. Each writer waits for its event before it writes the
 * next.
 */
import { openDatabase } from '../../server/db/index.ts';
import { createAuditWriter } from '../../server/domains/audit/write-service.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';
import { createMetrics } from '../../server/metrics.ts';

export interface WritersTask {
  url: string;
  /** `plain`: each event is one INSERT into a table of the same shape, on its own connection. */
  mode: 'chain' | 'plain';
  /** The organization of each writer. */
  orgs: string[];
  events: number;
}

export interface WritersResult {
  /** Latency of each event. */
  latencies_ms: number[];
  lost: number;
}

const detail = { membership_id: newId(), user_id: newId() };
const event = (org_id: string) => ({
  action: 'membership.removed' as const,
  org_id,
  actor_email: 'ana@example.com',
  detail,
});

process.on('message', async (task: WritersTask) => process.send?.(await run(task)));
process.send?.('ready');

async function run({ url, mode, orgs, events }: WritersTask): Promise<WritersResult> {
  const metrics = createMetrics();
  const log = createLogger({ log_level: 'fatal' });
  const { db, close } = openDatabase({ url, max: mode === 'plain' ? orgs.length : 1, log });
  const writer = createAuditWriter({ audit_db: db, log, metrics, now: () => new Date(), isKept: () => true });
  const insert = (org_id: string) =>
    db.raw(
      `insert into audit_plain (id, org_id, actor_email, action, detail, created_at, prev_hash, hash)
       values (?, ?, 'ana@example.com', 'membership.removed', ?, ?, ?, ?)`,
      [newId(), org_id, JSON.stringify(detail), new Date(), '0'.repeat(64), '0'.repeat(64)],
    );
  const write = mode === 'plain' ? insert : (org_id: string) => writer.record(event(org_id));

  const latencies_ms: number[] = [];
  await Promise.all(
    orgs.map(async (org_id) => {
      for (let n = 0; n < events; n++) {
        const from = performance.now();
        await write(org_id);
        latencies_ms.push(performance.now() - from);
      }
    }),
  );
  await close();
  const { values } = await metrics.audit_write_failures.get();
  return { latencies_ms, lost: values.reduce((sum, { value }) => sum + value, 0) };
}
