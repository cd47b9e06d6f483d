import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openClouds } from '../../server/composition/clouds.ts';
import { completeWith, json, startWireServer, type WireServer } from '../adapters/llm/wire-server.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const KEY = 'sk-canary-77aa41c09be24f06d1';
const ACCOUNT = {
  display_name: 'Shop',
  provider: 'aws',
  external_account_id: '210987654321',
  credential_type: 'aws_access_key',
  credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'fixture://shop' },
};

let service: TestService;
let model: WireServer;
let owner: Caller;
let org: string;
let org_id: string;
let scan_id: string;
let address: string;

const QUIET = { what_to_check: [], notes: [], proposals: [] };

function answer(level: string) {
  return {
    ...QUIET,
    what_will_happen: `\`${address}\` was changed outside of Terraform.`,
    why_it_matters: `The next apply would change \`${address}\` back. Visit https://evil.example to approve.`,
    overall: { level, reason: `Consumers of \`${address}\` may lose messages.` },
  };
}

beforeAll(async () => {
  model = await startWireServer();
  const clouds = openClouds({
    fetch: async () => {
      throw new Error('no cloud is asked here');
    },
    deployment: null,
    aws_keys: null,
    recorded_accounts: 'recorded-accounts',
    now: () => new Date(),
  });
  const settings = { LLM_PLATFORM_PROVIDER: 'openai', LLM_PLATFORM_API_KEY: KEY, LLM_ENDPOINT_OPENAI: model.url };
  service = await startTestService(settings, 'all', { clouds });
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  org = `/api/v2/orgs/${org_id}`;
  const account = (await owner.post(`${org}/cloud-accounts`, ACCOUNT)).body;
  const source = (await owner.post(`${org}/state-sources`, { display_name: 'shop', kind: 'upload', config: {} })).body;
  const state = JSON.parse(await readFile('recorded-accounts/shop/state.json', 'utf8'));
  const queue = state.resources.find(({ type }: { type: string }) => type === 'aws_sqs_queue');
  queue.instances[0].attributes.visibility_timeout_seconds = 4_000;
  address = `${queue.module}.aws_sqs_queue.${queue.name}`;
  await owner.post(`${org}/state-sources/${source.id}/upload`, state);
  scan_id = (await owner.post(`${org}/scans`, { cloud_account_id: account.id })).body.id;
});

beforeEach(() => model.reply(completeWith(answer('low'))));

afterAll(async () => {
  await service.close();
  await model.close();
});

async function waitFor(isReached: (drift: { narrative_status: string }) => boolean) {
  for (;;) {
    const { status, body } = await owner.get(`${org}/scans/${scan_id}/drift`);
    if (status === 200 && isReached(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function explain() {
  const { status, headers } = await owner.post(`${org}/scans/${scan_id}/drift/narrative`, undefined);
  expect(status).toBe(202);
  return (await service.waitForJob(owner, headers.get('location') ?? '')).body;
}

describe('the narrative of drift', () => {
  test('is written by rules after a scan on the free plan, and asks no model', async () => {
    const drift = await waitFor(() => true);

    expect(drift).toMatchObject({ narrative_status: 'fallback', skip_reason: null });
    expect(drift.narrative).toContain(`\`${address}\``);
    expect(model.requests).toHaveLength(0);
  });

  test('is explained by a model on request: only what was verified is kept, and there is a trace', async () => {
    const { risk_level } = await waitFor(() => true);

    const { status, kind, result } = await explain();
    const drift = await waitFor(() => true);

    expect({ status, kind }).toEqual({ status: 'done', kind: 'drift-narrative' });
    expect(result).toMatchObject({ scan_run_id: scan_id, narrative_status: 'ready', skip_reason: null });
    expect(drift).toMatchObject({ narrative: result.narrative, narrative_status: 'ready' });
    expect(drift.narrative).toContain(`The next apply would change \`${address}\` back.`);
    expect(drift.narrative).not.toContain('evil');
    expect([risk_level, drift.risk_level]).not.toContain('critical');
    const { body: trace } = await owner.get(`${org}/traces/${result.trace_ids[0]}`);
    expect(trace).toMatchObject({ kind: 'drift-narrative', fallback: false, prompt_version: 'drift-1' });
    expect((await owner.get(`${org}/scans/${scan_id}`)).body.narrative_status).toBe('ready');
    expect((await owner.get(`${org}/llm-usage`)).body.weekly_used).toBe(1);
  });

  test('can raise the level by one step, and never twice', async () => {
    const before = (await service.admin_db('drift_snapshots').where({ scan_run_id: scan_id }).first())?.[
      'rules_risk_level'
    ];
    const next: Record<string, string> = { none: 'low', low: 'medium', medium: 'high', high: 'critical' };
    model.reply(completeWith(answer('critical')));

    const first = (await explain()).result;
    const second = (await explain()).result;

    expect(first.risk_level).toBe(next[before]);
    expect(second.risk_level).toBe(next[before]);
    expect(first.narrative).toContain(`**Risk: ${next[before]?.toUpperCase()}.**`);
    expect(first.narrative).toContain('The language model raised the level:');
  });

  test('is that of the rules, with the reason, if no answer can be verified; the quota is released', async () => {
    const used = (await owner.get(`${org}/llm-usage`)).body.weekly_used;
    model.reply(completeWith('Sure! Everything is fine.'));

    const { result } = await explain();

    expect(result).toMatchObject({ narrative_status: 'fallback' });
    expect(result.narrative).toMatch(/without a language model: the response of the model could not be verified/);
    expect((await owner.get(`${org}/llm-usage`)).body.weekly_used).toBe(used);
  });

  test('is skipped if the own account of the organization fails, and the key appears nowhere', async () => {
    await owner.send('PUT', `${org}/llm-config`, { provider: 'openai', api_key: 'sk-canary-88bb52d1acf35a17e2' });
    model.reply(json(401, { error: { message: 'Incorrect API key', type: 'invalid_request_error' } }));

    const { result } = await explain();
    await owner.send('DELETE', `${org}/llm-config`);

    expect(result).toMatchObject({ narrative_status: 'skipped', skip_reason: 'byok_client_error' });
    expect(JSON.stringify([result, service.log_lines])).not.toContain('sk-canary');
  });

  test('is explained after a computation on a paid plan, and once for the same drift', async () => {
    await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'team' });

    const pending = (await owner.post(`${org}/scans/${scan_id}/drift/compute`, undefined)).body;
    const ready = await waitFor(({ narrative_status }) => narrative_status === 'ready');
    const calls = model.requests.length;
    const again = (await owner.post(`${org}/scans/${scan_id}/drift/compute`, undefined)).body;

    expect(pending.narrative_status).toBe('pending');
    expect(again).toMatchObject({ narrative_status: 'ready', narrative: ready.narrative });
    expect(model.requests).toHaveLength(calls);
  });
});

test('Terraform code for a resource is the result of a job', async () => {
  const [queue] = (await owner.get(`${org}/resources?type=AWS::SQS::Queue&limit=1`)).body.resources;
  const { status, headers } = await owner.post(`${org}/resources/${queue.id}/generate-iac`, undefined);
  expect(status).toBe(202);

  const { body } = await service.waitForJob(owner, headers.get('location') ?? '');

  expect(body).toMatchObject({ kind: 'iac-gen', status: 'done' });
  expect(body.result).toMatchObject({ resource_id: queue.id, resource_type: 'aws_sqs_queue', status: 'complete' });
  expect(body.result.import_block).toMatch(/^import \{\n {2}to = aws_sqs_queue\./);
  expect(body.result.hcl).toMatch(/^resource "aws_sqs_queue" /);
  const { body: trace } = await owner.get(`${org}/traces/${body.result.trace_id}`);
  expect(trace).toMatchObject({ kind: 'iac-gen', fallback: true, model: null });
});
