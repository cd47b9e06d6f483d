import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as samples from '../engine/inventory/samples.ts';
import { runCli } from './run.ts';

const SHOP = fileURLToPath(new URL('../../recorded-accounts/shop', import.meta.url));
const STATE = join(SHOP, 'state.json');
const DRIFTED = join(SHOP, 'drifted-state.json');
const IGNORE = join(SHOP, 'drift-ignore.yaml');
const folder = mkdtempSync(join(tmpdir(), 'dpa-drift-'));

afterAll(() => rmSync(folder, { recursive: true }));

function drift(...args: string[]) {
  return runCli(['drift', ...args]);
}

function save(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

interface Entry {
  type: string;
  instances: { attributes: Record<string, unknown> }[];
}

/** A part of the state of the bundled account. */
function saveState(name: string, edit: (resources: Entry[]) => Entry[]): string {
  const state = JSON.parse(readFileSync(STATE, 'utf8')) as { resources: Entry[] };
  return save(name, { ...state, resources: edit(state.resources) });
}

/** A state with one queue, as `samples.QUEUE` shows it. */
function saveQueue(name: string, attributes: Record<string, unknown> = {}): string {
  const id = 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders';
  const arn = 'arn:aws:sqs:eu-west-1:123456789012:orders';
  const held = { id, url: id, arn, name: 'orders', delay_seconds: 5, ...attributes };
  const provider = 'provider["registry.terraform.io/hashicorp/aws"]';
  const instances = [{ schema_version: 0, attributes: held }];
  const resources = [{ mode: 'managed', type: 'aws_sqs_queue', name: 'orders', provider, instances }];
  return save(name, { version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'x', outputs: {}, resources });
}

async function readJson(...args: string[]) {
  const { stdout } = await drift(...args, '--json');
  return JSON.parse(stdout);
}

describe('dpa drift with recorded accounts', () => {
  test('finds no difference between the bundled account and the state that declares it', async () => {
    const { reports, not_compared, refused } = await readJson('--state', STATE, '--inventory', SHOP);

    expect(reports).toMatchObject([
      // The keys of one region may not be read, so that the account is never in sync as a whole.
      { account: { provider: 'aws' }, items: [], matched_count: 189, not_checked_count: 0, drift_status: 'incomplete' },
      { account: { provider: 'azure' }, items: [], matched_count: 96, not_checked_count: 0, drift_status: 'in_sync' },
      { account: { provider: 'gcp' }, items: [], matched_count: 91, not_checked_count: 0, drift_status: 'in_sync' },
    ]);
    expect([not_compared, refused]).toEqual([[], []]);
  });

  test('shows every kind of drift of the demo, and what was accepted and not checked', async () => {
    const { code, stdout, stderr } = await drift('--state', DRIFTED, '--inventory', SHOP, '--ignore', IGNORE);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/~ changed +!! +high +module\.eu_west_1\.aws_db_instance\.search_prod\n/);
    expect(stdout).toMatch(/publicly_accessible: false -> true\n/);
    expect(stdout).toMatch(/- missing +!! +high +google_pubsub_topic\.refunds\n/);
    expect(stdout).toMatch(/\+ new +low +aws_s3_bucket acme-tmp-jane\n/);
    expect(stdout).toMatch(/Accepted by ignore rules \(2\)\n.*shop_api: Autoscaling changes the number of tasks\.\n/);
    expect(stdout).toMatch(
      /Not checked \(1 part of the account and 1 resource\)\n +module\.eu_west_1\.aws_kms_key\.orders: /,
    );
    expect(stdout).toContain('Listed apart, not counted: ');
    expect(stdout).toMatch(/\n! .*state\.json is a state that was not compared\./);
  });

  test('prints Markdown', async () => {
    const { stdout } = await drift('--state', DRIFTED, '--inventory', join(SHOP, 'gcp'), '--format', 'markdown');

    expect(stdout).toContain('### 🟠 Drift of Google Cloud `acme-shop-4711`: **high risk**\n');
    expect(stdout).toContain('| 🟠\u00a0**High** | **missing**<br>`google_pubsub_topic.refunds` |');
    expect(stdout).toContain('↳ `public_access_prevention`: `"enforced"` → `"inherited"`');
    expect(stdout).toContain('```hcl\nimport {\n');
    expect(stdout).toMatch(
      /> \d+ resources of AWS 210987654321 were not compared: the inventory has nothing of it\.\n/,
    );
  });

  test('reads several states, and names the one of each item', async () => {
    const [first, second] = [0, 1].map((half) =>
      saveState(`half-${half}.json`, (resources) => resources.filter((_, i) => i % 2 === half)),
    ) as [string, string];

    expect((await readJson('--state', first, second, '--inventory', join(SHOP, 'gcp'))).reports).toMatchObject([
      { items: [], matched_count: 91 },
    ]);
  });

  test('does not call a resource missing if a page of the recording is', async () => {
    const copy = join(folder, 'copy');
    cpSync(join(SHOP, 'azure'), copy, { recursive: true });
    rmSync(join(copy, 'pages/0001.json'));

    const { reports } = await readJson('--state', STATE, '--inventory', copy);

    expect(reports).toMatchObject([{ missing_count: 0, drift_status: 'incomplete' }]);
    expect(reports[0].unread).toMatchObject([{ message: expect.stringContaining('pages/0001.json is missing') }]);
  });
});

describe('dpa drift with files that commands of the clouds print', () => {
  test('compares one resource, and reads it from standard input', async () => {
    const same = await runCli(['drift', '--state', saveQueue('queue.json'), '--inventory', '-', '--json'], {
      input: JSON.stringify(samples.QUEUE),
    });
    const state = saveQueue('late.json', { delay_seconds: 60 });
    const changed = await readJson('--state', state, '--inventory', save('one/queue.json', samples.QUEUE));

    expect(JSON.parse(same.stdout).reports).toMatchObject([{ items: [], matched_count: 1, drift_status: 'in_sync' }]);
    expect(changed.reports).toMatchObject([
      { items: [{ drift_type: 'changed', attributes: [{ path: 'delay_seconds', before: 60, after: 5 }] }] },
    ]);
  });

  test('recognizes the state beside the files, and exits with 3 for what it cannot read', async () => {
    const state = saveQueue('mixed/state.json');
    save('mixed/queues.json', samples.LISTED_QUEUES);
    const clean = await drift('--state', state, '--inventory', join(folder, 'mixed'));
    save('mixed/vpcs.json', { Vpcs: [] });
    const partly = await drift('--state', state, '--inventory', join(folder, 'mixed'));

    expect(clean.code).toBe(0);
    expect(clean.stdout).not.toContain('is a state');
    expect(partly.code).toBe(3);
    expect(partly.stdout).toMatch(/\n! .*vpcs\.json was not read: This is the output of `aws ec2 describe-vpcs`/);
  });
});

describe('options of dpa drift', () => {
  const DEMO = ['--state', DRIFTED, '--inventory', join(SHOP, 'azure')];

  test.each([
    [['--fail-on', 'missing,new'], 2],
    [['--fail-on', 'critical', '--fail-on', 'changed'], 2],
    [['--fail-on', 'critical'], 0],
    [['--fail-on', 'incomplete'], 0],
    [['--fail-on', 'new', '--type', 'microsoft.compute/*'], 2],
    [['--fail-on', 'low', '--address', 'module.other.*'], 0],
  ])('%j exits with %d', async (args, code) => {
    expect((await drift(...DEMO, ...args)).code).toBe(code);
  });

  test('an unknown condition of --fail-on is refused with those that exist', async () => {
    const { code, stderr } = await drift(...DEMO, '--fail-on', 'high,drift');

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('"drift" is not one of new, changed'),
    });
  });

  test('filters say how many differences they hide', async () => {
    const { stdout } = await drift(...DEMO, '--min-level', 'high');

    expect(stdout).toContain('1 changed resource.\n');
    expect(stdout).toContain('! The filters hide 1 difference.\n');
  });

  test('accepted drift does not fail, and rules that ended or are wrong are named', async () => {
    const rule = { address: 'azurerm_storage_account.*', reason: 'Known.' };
    const accepted = save('accept.yaml', { ignore_rules: [rule] });
    const ended = save('ended.yaml', { ignore_rules: [{ ...rule, expires_at: '2020-01-01T00:00:00Z' }] });
    const wrong = save('wrong.yaml', 'ignore_rules:\n  - reason: Anything.\n  - address: a\n');
    const run = (path: string) => drift(...DEMO, '--ignore', path, '--fail-on', 'changed');

    expect(await run(accepted)).toMatchObject({ code: 0, stdout: expect.stringContaining('acmewiki12a4: Known.') });
    expect(await run(ended)).toMatchObject({ code: 2, stdout: expect.stringContaining('rule 1 ended at 2020-01-01') });
    const { code, stderr } = await run(wrong);
    expect(code).toBe(1);
    expect(stderr).toMatch(/\/ignore_rules\/0: needs one of resource_type, address/);
    expect(stderr).toMatch(/\/ignore_rules\/1\/reason: /);
  });

  test('says what to pass instead of a missing folder, a folder without an inventory, and a file that is no state', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    saveQueue('states/state.json');
    const run = async (state: string, inventory: string) => {
      const { code, stderr } = await drift('--state', state, '--inventory', inventory);
      return `${code} ${stderr}`;
    };

    expect(await run(STATE, empty)).toMatch(/^1 dpa: .*no \.json file found/);
    expect(await run(STATE, join(folder, 'nothing'))).toMatch(/^1 dpa: .*the file does not exist/);
    expect(await run(STATE, join(folder, 'states'))).toMatch(/^1 dpa: .*there are only states, and no inventory/);
    expect(await run(STATE, STATE)).toMatch(/^1 dpa: .*This is a state of Terraform, not an inventory/);
    expect(await run(join(SHOP, 'aws/account.json'), SHOP)).toMatch(/^1 dpa: .*account\.json: /);
  });
});
