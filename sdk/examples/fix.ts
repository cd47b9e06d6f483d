import { createClient } from '@dpa/sdk';

const dpa = createClient();

const { patterns } = await dpa.planNoise.list();
console.log(`${patterns.length} recurring patterns`);
for (const { fingerprint, resource_address } of patterns.slice(0, 1)) {
  const { job_id } = await dpa.planNoise.generateFix({ fingerprint });
  const { result } = await dpa.waitForJob({ job_id, kind: 'fix' });
  for (const fix of result.fixes) console.log(`${resource_address}: ${fix.label}`);
}
