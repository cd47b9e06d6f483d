import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { createPlanPool, createPlanReader } from '../../../server/adapters/plan-pool/index.ts';
import { createZip } from '../../fakes/zip.ts';

const PLAN = readFileSync(new URL('../../fixtures/plans/every-action.json', import.meta.url));
const ORG = '019b7a10-0000-7000-8000-000000000003';
const OPTIONS = { name: 'tfplan', patterns: null, max_plans: 20, max_bytes: 50 * 1_048_576 };

const pool = createPlanPool({ threads: 1, intake_threads: 1, heap_mb: 256 });
const reader = createPlanReader(pool);
afterAll(() => pool.close());

async function open(content: string | Buffer) {
  const { plans } = await reader.openArchive(ORG, await createZip({ 'tfplan.json': content }), OPTIONS);
  return plans[0]!.payload!;
}

test('a plan found in an archive is evaluated with the built-in rules', async () => {
  const payload = await open(PLAN);
  const kept = Buffer.from(payload);

  expect(await reader.judge(ORG, payload, { book: null, repo: 'acme/infra', branch: null })).toMatchObject({
    risk_level: 'medium',
    risk: { policy_version: 0 },
  });
  expect(Buffer.compare(payload, kept)).toBe(0);
});

test('a fault inside a change is reported in words', async () => {
  const payload = await open('{"format_version":"1.2","resource_changes":[{"type":1}]}');

  expect(await reader.judge(ORG, payload, { book: null, repo: 'acme/infra', branch: 'main' })).toEqual({
    error: expect.stringContaining('The plan is not valid: resource_changes[0].type is not a string'),
  });
});

test('a small delivery is passed on unchanged; a large one is trimmed on a thread', async () => {
  const small = Buffer.from('{"action" : "opened"}');
  expect(await reader.readPayload(ORG, small)).toBe(small);

  const large = Buffer.from(`{"action":"opened","deep":${'['.repeat(300_000)}${']'.repeat(300_000)}}`);
  const read = await reader.readPayload(ORG, large);
  expect(read.length).toBeLessThan(100);
  expect(JSON.parse(read.toString())).toMatchObject({ action: 'opened' });

  expect((await reader.readPayload(ORG, Buffer.alloc(300_000, '{'))).toString()).toBe('null');
});
