import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildPrompt, readAnswer } from '../../engine/explain/index.ts';
import { analyzePlan } from '../../engine/index.ts';
import { createBlobStore } from '../../server/adapters/blob/index.ts';
import { aTrace, makeScan, tracesSetup } from '../domains/traces/setup.ts';
import { buildAnswer } from '../engine/explain/model.ts';
import { buildPlan, GRAVE } from '../engine/explain/plans.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { makeOrg } from '../helpers/people.ts';
import { runCli } from './run.ts';

let database: TestDatabase;
let data_dir: string;
let id: string;
let scan_run_id: string;
beforeAll(async () => {
  [database, data_dir] = await Promise.all([openTestDatabase(), mkdtemp(join(tmpdir(), 'dpa-replay-'))]);
  const org_id = await makeOrg(database.admin_db);
  scan_run_id = await makeScan(database, org_id);
  const analysis = analyzePlan(buildPlan(GRAVE));
  await database
    .admin_db('scan_runs')
    .where({ id: scan_run_id })
    .update({ result_json: JSON.stringify(analysis) });

  const { system, user, inputs, known, prompt_version } = buildPrompt(analysis, { send_values: 'redacted' });
  const raw_response = buildAnswer({ what_will_happen: 'A database is deleted.' });
  const parsed = readAnswer(raw_response, analysis, known);
  const body = { system_prompt: system, user_prompt: user, raw_response, parsed, inputs };
  const { traces } = tracesSetup(database, createBlobStore({ kind: 'folder', root: join(data_dir, 'blobs') }));
  id = await traces.record(aTrace(org_id, { scan_run_id, prompt_version, body }));
});
afterAll(async () => {
  await Promise.all([database.close(), rm(data_dir, { recursive: true })]);
});

function replay(...args: string[]) {
  const master_key = Buffer.alloc(32, 7).toString('base64');
  const env = { DATABASE_URL: database.url, DATA_DIR: data_dir, MASTER_KEY: master_key, LOG_LEVEL: 'warn' };
  return runCli(['trace', 'replay', ...args], { env });
}

test('dpa trace replay reports an unchanged narrative, then a difference, then why it cannot compare', async () => {
  expect(await replay(id)).toEqual({
    code: 0,
    stderr: '',
    stdout: `${id}: narrative, prompt narrative-3, model-1\nsame       prompt\nsame       answer\nverdict: same\n`,
  });

  await database.admin_db.raw(
    `update scan_runs set result_json = jsonb_set(result_json::jsonb, '{risk_level}', '"none"')::json where id = ?`,
    [scan_run_id],
  );
  const changed = await replay(id, '--format', 'json');
  expect(changed.code).toBe(2);
  expect(JSON.parse(changed.stdout)).toMatchObject({ verdict: 'different', steps: [{ name: 'prompt' }] });

  await database.admin_db('traces').where({ id }).update({ status: 'expired' });
  expect(await replay(id)).toEqual({
    code: 1,
    stdout: '',
    stderr: `dpa: ${id} cannot be replayed: its status is expired: there is no body to compare with\n`,
  });
});

test('dpa trace replay rejects an invalid trace ID', async () => {
  expect(await replay('trc-1')).toMatchObject({ code: 1, stderr: expect.stringContaining('24 hex digits') });
});
