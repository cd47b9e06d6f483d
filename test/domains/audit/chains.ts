import { PassThrough } from 'node:stream';
import type { Knex } from 'knex';
import { openDatabase } from '../../../server/db/index.ts';
import { type Audit, type AuditEvent, createAudit } from '../../../server/domains/audit/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import { createLogger } from '../../../server/log.ts';
import { createMetrics } from '../../../server/metrics.ts';
import type { TestDatabase } from '../../helpers/database.ts';

export interface TestAudit extends Audit {
  metrics: ReturnType<typeof createMetrics>;
  audit_db: Knex;
  /** The lines logged so far. */
  lines(): Record<string, unknown>[];
  blobs: Map<string, Uint8Array>;
  /** Also closes its connection. */
  end(): Promise<void>;
}

/** An instance of the audit log, like that of one process of the service. */
export function makeAudit(
  database: TestDatabase,
  options: { deadline_ms?: number; isKept?: (action: string) => boolean; now?: () => Date } = {},
): TestAudit {
  const sink = new PassThrough();
  let text = '';
  sink.on('data', (chunk) => {
    text += chunk;
  });
  const log = createLogger({ log_level: 'info' }, sink);
  const metrics = createMetrics();
  const blobs = new Map<string, Uint8Array>();
  const { db: audit_db, close } = openDatabase({
    url: database.url,
    max: 1,
    log: createLogger({ log_level: 'silent' }),
  });
  const audit = createAudit({
    db: database.db,
    platform_db: database.platform_db,
    audit_db,
    sweep_db: database.sweeper_db,
    blobs: { put: async (key, bytes) => void blobs.set(key, bytes) },
    log,
    metrics,
    now: () => new Date(),
    isKept: () => true,
    ...options,
  });
  return {
    ...audit,
    metrics,
    audit_db,
    blobs,
    lines: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    async end() {
      await audit.close();
      await close();
    },
  };
}

export async function makeBareOrg(admin_db: Knex, created_at = new Date()): Promise<string> {
  const id = newId();
  const slug = `org-${id.slice(-12)}`;
  await admin_db('orgs').insert({ id, slug, display_name: slug, noise_key_ct: Buffer.alloc(1), created_at });
  return id;
}

/** A unique event. */
export function someEvent(org_id: string | null, name: string): AuditEvent {
  return org_id === null
    ? { action: 'domain.added', org_id, actor_email: 'root@example.com', detail: { domain: name } }
    : { action: 'org.created', org_id, actor_email: 'ana@example.com', detail: { slug: name } };
}
