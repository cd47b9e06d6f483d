import { readFile } from 'node:fs/promises';
import { createClient, DpaJobError, isApiError } from '@dpa/sdk';

const dpa = createClient();

try {
  const verdict = await dpa.analyze({
    plan: await readFile(process.env['PLAN'] ?? 'plan.json'),
    ci: { repo_owner: 'acme', repo_name: 'infra', pr_number: 7 },
  });
  console.log(`risk: ${verdict.risk_level}`);
  for (const change of verdict.changes) console.log(`${change.risk.level}\t${change.address}`);
} catch (error) {
  if (isApiError(error, 'analyze_rate_limited')) console.error(`full for ${error.retry_after} seconds`);
  else if (isApiError(error, 'invalid_plan_json') || error instanceof DpaJobError) console.error(error.message);
  else throw error;
}
