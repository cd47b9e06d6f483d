import { createClient } from '@dpa/sdk';

const { DPA_URL = '', DPA_TOKEN = '', DPA_ORG = '' } = process.env;
const dpa = createClient({ base_url: DPA_URL, token: () => DPA_TOKEN, user_agent: 'weekly-report/1.0' });

const org = await dpa.call('getOrg', { path: { id: DPA_ORG } });
console.log(`scans of ${org.slug}:`);
for await (const scan of dpa.paginate('listScans', {
  path: { id: org.id },
  query: { limit: 100, status: 'done' },
}))
  console.log(`${scan.created_at}\t${scan.id}`);
