import { expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { migrate } from '../../server/db/migrate.ts';
import { newId } from '../../server/lib/ids.ts';
import { makeAudit } from '../domains/audit/chains.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { migrateUpTo } from '../helpers/migrate-up-to.ts';

const AUDIT_LOG = '20261121T0910_audit_log';

test('organizations older than the log get the first row of their chain', async () => {
  const database = await openTestDatabase();
  await migrateUpTo(AUDIT_LOG, database);
  const made = new Date('2026-01-02T03:04:05.678Z');
  const owned = await makeOldOrg(database.admin_db, made, ['first@example.com', 'second@example.com']);
  const abandoned = await makeOldOrg(database.admin_db, made, []);

  const applied = await migrate({
    owner_url: database.owner_url,
    app_url: database.url,
    log: pino({ level: 'silent' }),
  });

  expect(applied[0]).toBe(AUDIT_LOG);
  const audit = makeAudit(database);
  for (const org_id of [owned, abandoned]) {
    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok', checked: 1 });
    const { entries } = await audit.list({ org_id }, { limit: 50, offset: 0 });
    expect(entries).toMatchObject([
      {
        action: 'org.created',
        actor_email: org_id === owned ? 'first@example.com' : '',
        detail: { slug: `old-${org_id.slice(-12)}` },
        created_at: made,
      },
    ]);
  }
  expect(await database.db.inOrg(owned, (trx) => trx('orgs').pluck('id'))).toEqual([owned]);
  await audit.end();
  await database.close();
});

async function makeOldOrg(db: Knex, created_at: Date, owners: string[]): Promise<string> {
  const id = newId();
  const slug = `old-${id.slice(-12)}`;
  await db('orgs').insert({ id, slug, display_name: slug, noise_key_ct: Buffer.alloc(1), created_at });
  for (const [n, email] of owners.entries()) {
    const user_id = newId();
    await db('users').insert({ id: user_id, issuer: 'urn:test', subject: user_id, email, display_name: email });
    const since = new Date(created_at.getTime() + n);
    await db('memberships').insert({ id: newId(), org_id: id, user_id, role: 'owner', created_at: since });
  }
  return id;
}
