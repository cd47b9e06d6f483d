import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { migrate } from '../../server/db/migrate.ts';
import { newId } from '../../server/lib/ids.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { migrateUpTo } from '../helpers/migrate-up-to.ts';

const ADDRESSES: [stored: string, migrated: string][] = [
  ['https://github.com/acme/infra', 'https://github.com/acme/infra'],
  ['https://git.example.com/team@infra?ref=main', 'https://git.example.com/team@infra?ref=main'],
  ['https://ci:t0@ken@git.example.com/a?ref=main', 'https://git.example.com/a?ref=main'],
  ['HTTPS:\\\\ci:t0ken@git.example.com/a', 'HTTPS:\\\\git.example.com/a'],
  ['https://git.example.com/a?ref=main&Private_Token=t0ken#x', 'https://git.example.com/a'],
  ['https://git.example.com/a#access_token=t0ken', 'https://git.example.com/a'],
  ['https://t0ken@git.example.com/a?X-Amz-Signature=t0ken', 'https://git.example.com/a'],
];

test('the schema owner removes credentials from stored URLs and results, and ends pending approvals', async () => {
  const database = await openTestDatabase();
  await migrateUpTo('20261122T0910_link_confirmations', database);
  const { admin_db } = database;
  const org_id = newId();
  const at = new Date();
  await admin_db('orgs').insert({ id: org_id, slug: 'old', display_name: 'Old', noise_key_ct: Buffer.alloc(1) });
  const rows = ADDRESSES.map(([repo_url]) => ({
    id: newId(),
    repo_url,
    result: { risk_level: 'low', scan_run: { repo_url } },
  }));
  for (const { id, repo_url, result } of rows) {
    const run = { id, org_id, kind: 'analysis', scan_type: 'manual', status: 'done', created_at: at, finished_at: at };
    await admin_db('scan_runs').insert({ ...run, repo_url, result_json: JSON.stringify(result) });
  }

  const user_id = newId();
  await admin_db('users').insert({
    id: user_id,
    issuer: 'urn:test',
    subject: 'a',
    email: 'a@example.com',
    display_name: 'A',
  });
  const waiting = { nonce_hash: Buffer.alloc(32), org_id, purpose: 'scm', user_id, account_login: 'ana' };
  await admin_db('oauth_states').insert({ ...waiting, status: 'pending', created_at: at, expires_at: at });

  await migrate({ owner_url: database.owner_url, app_url: database.url, log: pino({ level: 'silent' }) });

  const found = new Map((await admin_db('scan_runs').select()).map((row) => [row.id, row]));
  for (const [index, { id }] of rows.entries()) {
    const repo_url = ADDRESSES[index]?.[1];
    expect(found.get(id)).toMatchObject({
      repo_url,
      risk_level: 'low',
      result_json: { risk_level: 'low', scan_run: { repo_url } },
    });
  }
  expect(await admin_db('oauth_states').pluck('status')).toEqual(['used']);
  const { rows: forced } = await admin_db.raw(
    `select relname from pg_class where relrowsecurity and not relforcerowsecurity`,
  );
  expect(forced).toEqual([]);
  await database.close();
});
