import { expect, test } from '@jest/globals';
import { openClouds } from '../../server/composition/clouds.ts';
import { ConfigError, loadConfig } from '../../server/config/index.ts';
import { startTestService } from '../helpers/service.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nnot a key\n-----END PRIVATE KEY-----\n';
const ACCOUNTS = [
  {
    provider: 'aws',
    external_account_id: '210987654321',
    credential_type: 'aws_access_key',
    credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'fixture://shop' },
  },
  {
    provider: 'gcp',
    external_account_id: 'acme-shop-4711',
    credential_type: 'gcp_service_account_key',
    credentials: {
      service_account_json: JSON.stringify({
        type: 'service_account',
        private_key: KEY,
        private_key_id: 'fixture://shop',
        client_email: 'dpa@acme-shop-4711.iam.gserviceaccount.com',
      }),
    },
  },
  {
    provider: 'azure',
    external_account_id: '5f2c9a1e-0b3d-4c55-9e7a-6d1f2b3c4d5e',
    credential_type: 'azure_client_secret',
    credentials: {
      tenant_id: '5f0c1d2e-3b4a-4958-8677-a6b5c4d3e2f1',
      client_id: '5f0c1d2e-3b4a-4958-8677-a6b5c4d3e2f1',
      client_secret: 'fixture://shop',
    },
  },
];

const open = (recorded_accounts: string | null) =>
  openClouds({
    fetch: async () => {
      throw new Error('no cloud is asked here');
    },
    deployment: null,
    aws_keys: null,
    recorded_accounts,
    now: () => new Date(),
  });

test('the bundled account is connected and scanned in three clouds', async () => {
  const service = await startTestService({}, 'all', { clouds: open('recorded-accounts') });
  try {
    const owner = await service.signIn('owner');
    const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
    await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
    const path = `/api/v2/orgs/${id}`;
    for (const account of ACCOUNTS) {
      const added = await owner.post(`${path}/cloud-accounts`, { display_name: account.provider, ...account });
      expect(added).toMatchObject({ status: 201, body: { status: 'active' } });
    }
    const { body } = await owner.post(`${path}/scans/bulk`, {});
    expect(body.count).toBe(3);
    let found = 0;
    for (const scan_id of body.scan_ids) {
      let run = (await owner.get(`${path}/scans/${scan_id}`)).body;
      while (run.status !== 'done' && run.status !== 'error') {
        await new Promise((resolve) => setTimeout(resolve, 50));
        run = (await owner.get(`${path}/scans/${scan_id}`)).body;
      }
      expect([run.provider, run.status]).toEqual([run.provider, 'done']);
      found += run.resource_count;
    }
    expect(found).toBeGreaterThan(350);
    expect(await service.admin_db('live_resources').where({ org_id: id })).toHaveLength(found);
  } finally {
    await service.close();
  }
});

test('a recorded account is refused with a clear error where they are turned off', async () => {
  const service = await startTestService({}, 'all', { clouds: open(null) });
  try {
    const owner = await service.signIn('owner');
    const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
    const refused = await owner.post(`/api/v2/orgs/${id}/cloud-accounts`, { display_name: 'Shop', ...ACCOUNTS[0] });

    expect(refused).toMatchObject({ status: 422, body: { error_class: 'cloud_credentials_rejected' } });
    expect(JSON.stringify(refused.body)).toContain('Recorded accounts are turned off');
  } finally {
    await service.close();
  }
});

test('production does not start with recorded accounts', () => {
  const load = () => loadConfig({ NODE_ENV: 'production', RECORDED_ACCOUNTS: 'recorded-accounts' });

  expect(load).toThrow(ConfigError);
  expect(load).toThrow('RECORDED_ACCOUNTS must not be set');
});
