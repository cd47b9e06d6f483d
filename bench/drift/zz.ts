import { generatePairs, BENCH_ACCOUNT } from './account-generator.ts';
import { createDrift } from '../../engine/drift/index.ts';
const pairs = generatePairs(50000);
for (let k = 0; k < 2; k++) {
const t0 = performance.now();
const c = createDrift({ account: BENCH_ACCOUNT, now: '2026-01-01T00:00:00.000Z' });
for (const { type, attributes } of pairs) if (attributes) c.addInstance({ address: `${type}.r["${attributes.id}"]`, type, name: 'r', module_address: null, mode: 'managed', index: null, deposed: null, tainted: false, provider: 'aws', provider_name: 'hashicorp/aws', schema_version: 1, dependencies: [], sensitive_count: 0 }, { identifiers: { id: String(attributes.id), arn: String(attributes.arn), name: String(attributes.name ?? '') }, attributes, identity: null });
const t1 = performance.now();
for (const { live } of pairs) if (live) c.addLive(live);
const t2 = performance.now();
c.end();
console.log('add', t1 - t0, 'live', t2 - t1, 'end', performance.now() - t2);
}
