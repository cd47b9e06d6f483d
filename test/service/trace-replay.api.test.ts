import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createFolderStore } from '../../server/adapters/blob/folder.ts';
import { replayTrace } from '../../server/domains/traces/index.ts';
import { createSealer } from '../../server/lib/seal.ts';
import { json, startWireServer, type WireServer } from '../adapters/llm/wire-server.ts';
import { buildAnswer } from '../engine/explain/model.ts';
import { type Caller, planText, startTestService, type TestService } from '../helpers/service.ts';

const ADDRESS = 'terraform_data.replaced';
const RAISING = buildAnswer({
  what_will_happen: `\`${ADDRESS}\` is destroyed and created again. Then 4711 more follow.`,
  proposals: [{ address: ADDRESS, level: 'critical', reason: 'It is destroyed.' }],
  overall: { level: 'critical', reason: 'It is destroyed.' },
  concerns: [{ address: ADDRESS }],
});

describe('replaying traces of the service', () => {
  let service: TestService;
  let model: WireServer;
  let ana: Caller;
  beforeAll(async () => {
    model = await startWireServer();
    service = await startTestService({
      LLM_PLATFORM_PROVIDER: 'openai',
      LLM_PLATFORM_API_KEY: 'sk-test',
      LLM_ENDPOINT_OPENAI: model.url,
    });
    ana = await service.signIn('ana');
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  async function replay(id: string) {
    const { admin_db, data_dir } = service;
    const key = Buffer.from(await readFile(join(data_dir, 'master-key'), 'utf8'), 'base64');
    const result = (_org: string, run: string) =>
      admin_db('scan_runs').where({ id: run }).first('status', admin_db.raw('result_json::text as result_text'));
    const blobs = createFolderStore(join(data_dir, 'blobs'));
    const scans = { analysisRun: { result } };
    return replayTrace({ platform_db: admin_db, scans, blobs, sealer: createSealer([key]) }, id);
  }

  test.each([
    ['values', 'redacted', RAISING, ['llm']],
    ['names', 'names_only', RAISING, ['llm']],
    ['nothing of use', 'redacted', 'Sure! Everything is fine.', []],
  ])('a replay is "same" if the model was shown %s', async (name, send_values_to_llm, text, raised_by) => {
    const slug = `replay-${name.slice(0, 5)}`;
    const org = (await ana.post('/api/v2/orgs', { slug, display_name: 'Replay' })).headers.get('location') ?? '';
    expect((await ana.send('PATCH', `${org}/settings`, { send_values_to_llm })).status).toBe(200);
    model.reply(says(text));

    const plan_json = await planText('every-action.json');
    const { headers } = await ana.post(`${org}/analyze`, { plan_json });
    const { result } = (await service.waitForJob(ana, headers.get('location') ?? '')).body;

    const levels: { risk: { raised_by: string | null } }[] = result.changes;
    expect(levels.flatMap(({ risk }) => risk.raised_by ?? [])).toEqual(raised_by);
    expect(result.trace_ids.length).toBeGreaterThan(0);
    for (const id of result.trace_ids) {
      expect(await replay(id)).toMatchObject({ verdict: 'same', steps: [{ differences: [] }, { differences: [] }] });
    }
  });
});

/** The responses of the provider's API. */
function says(content: string) {
  return json(200, {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5.4-mini',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: { prompt_tokens: 120, completion_tokens: 34, total_tokens: 154 },
  });
}
