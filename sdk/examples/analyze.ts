import { readFile } from 'node:fs/promises';
import { createClient, DpaJobError, isDpaError } from '@dpa/sdk';

const { DPA_URL = '', DPA_TOKEN = '', DPA_ORG = '', PLAN = 'plan.json' } = process.env;
const dpa = createClient({ base_url: DPA_URL, token: DPA_TOKEN });

try {
  const verdict = await dpa.analyze({
    org_id: DPA_ORG,
    plan: await readFile(PLAN),
    ci: { repo_owner: 'acme', repo_name: 'infra', pr_number: 7 },
  });
  console.log(`risk: ${verdict.risk_level}`);
  for (const change of verdict.changes) console.log(`${change.risk.level}\t${change.address}`);
} catch (error) {
  if (isDpaError(error, 'analyze_rate_limited')) console.error(`full for ${error.retry_after} seconds`);
  else if (isDpaError(error, 'invalid_plan_json') || error instanceof DpaJobError) console.error(error.message);
  else throw error;
}
