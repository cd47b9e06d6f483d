import { createClient, DpaError } from '@dpa/sdk';

const dpa = createClient({
  user_agent: 'weekly-report/1.0',
  on_response: ({ method, path, status, attempt, duration_ms, request_id }) =>
    console.error(`${method} ${path} ${status} attempt ${attempt} ${duration_ms} ms ${request_id}`),
});

try {
  const org = await dpa.orgs.get();
  console.log(`scans of ${org.slug}:`);
  for await (const scan of dpa.scans.list({ status: 'done', limit: 100 })) {
    const { created_at, result_json } = await dpa.scans.get({ scan_id: scan.id });
    console.log(`${created_at}\t${scan.id}\t${result_json === null ? 'no result' : 'judged'}`);
  }
} catch (error) {
  if (!(error instanceof DpaError)) throw error;
  console.error(`${error.name}: ${error.message}`);
}
