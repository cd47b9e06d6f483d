import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSealer } from '../../server/lib/seal.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { makeOrg } from '../helpers/people.ts';
import { runCli } from './run.ts';

const [NEW_KEY, OLD_KEY] = [randomBytes(32), randomBytes(32)];
const aad = (id: string) => `orgs.noise_key_ct|${id}`;

const SEALED = [
  'orgs.noise_key_ct',
  'llm_configs.config_ct',
  'webhook_configs.secret_ct',
  'webhook_configs.prev_secret_ct',
  'webhook_configs.api_token_ct',
  'webhook_configs.api_key_ct',
  'webhook_configs.target_ct',
  'webhook_deliveries.payload_ct',
  'notification_targets.url_ct',
  'notification_deliveries.mail_ct',
  'scm_installations.api_key_ct',
  'chat_installations.token_ct',
  'chat_requests.body_ct',
  'cloud_accounts.credentials_ct',
  'state_sources.config_ct',
  'live_resources.properties_ct',
  'live_resources.listed_ct',
  'audit_checkpoint_destinations.secret_access_key_ct',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function rotate(...keys: Buffer[]) {
  const MASTER_KEY = keys.map((key) => key.toString('base64')).join(',');
  return runCli(['keys', 'rotate'], { env: { DATABASE_URL: database.url, LOG_LEVEL: 'warn', MASTER_KEY } });
}

test('dpa keys rotate encrypts records of another key again, once, and fails if no key decrypts a record', async () => {
  const id = await makeOrg(database.admin_db);
  const noise_key_ct = createSealer([OLD_KEY]).seal(Buffer.from('key'), aad(id));
  await database.admin_db('orgs').where({ id }).update({ noise_key_ct });

  const blind = await rotate(NEW_KEY);
  const first = await rotate(NEW_KEY, OLD_KEY);
  const second = await rotate(NEW_KEY);

  const none = SEALED.map((column) => `${column}: 0 encrypted again\n`).join('');
  expect(blind).toEqual({
    code: 2,
    stdout: none,
    stderr: `orgs.noise_key_ct of ${id} could not be decrypted: key_unavailable\n`,
  });
  expect(first).toEqual({ code: 0, stdout: none.replace('0', '1'), stderr: '' });
  expect(second).toEqual({ code: 0, stdout: none, stderr: '' });
  const row = await database.admin_db('orgs').where({ id }).first();
  expect(createSealer([NEW_KEY]).open(row.noise_key_ct, aad(id)).toString()).toBe('key');
});
