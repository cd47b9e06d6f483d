import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runCli } from './run.ts';

const SHOP = fileURLToPath(new URL('../../recorded-accounts/shop', import.meta.url));
const STATE = join(SHOP, 'state.json');
const folder = mkdtempSync(join(tmpdir(), 'dpa-drift-'));

afterAll(() => rmSync(folder, { recursive: true }));

function drift(...args: string[]) {
  return runCli(['drift', ...args]);
}

interface Entry {
  type: string;
  instances: { attributes: Record<string, unknown> }[];
}

/** The state of the bundled account after an edit. */
function saveState(name: string, edit: (resources: Entry[]) => Entry[]): string {
  const state = JSON.parse(readFileSync(STATE, 'utf8')) as { resources: Entry[] };
  state.resources = edit(state.resources);
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(state));
  return path;
}

async function report(...args: string[]) {
  const { stdout } = await drift(...args, '--json');
  return (JSON.parse(stdout) as { reports: Record<string, unknown>[] }).reports;
}

describe('dpa drift', () => {
  test('finds no difference between the bundled account and the state that declares it', async () => {
    const reports = await report('--state', STATE, '--account', SHOP);

    expect(reports).toMatchObject([
      // The keys of one region may not be read, so that the account is never in sync as a whole.
      { account: { provider: 'aws' }, items: [], matched_count: 189, not_checked_count: 0, drift_status: 'incomplete' },
      { account: { provider: 'azure' }, items: [], matched_count: 96, not_checked_count: 0, drift_status: 'in_sync' },
      { account: { provider: 'gcp' }, items: [], matched_count: 91, not_checked_count: 0, drift_status: 'in_sync' },
    ]);
  });

  test('shows what differs, what is gone and what nobody declared, and fails on a level', async () => {
    const state = saveState('drifted.json', (resources) => {
      const rest = resources.filter(({ instances }) => instances[0]?.attributes['bucket'] !== 'acme-tmp-jane');
      const group = rest.find(({ instances }) => instances[0]?.attributes['name'] === 'search-web');
      const rules = group?.instances[0]?.attributes['ingress'] as { cidr_blocks: string[] }[];
      rules[0]!.cidr_blocks = ['10.0.0.0/8'];
      const gone = { id: 'gone', function_name: 'gone', arn: 'arn:aws:lambda:eu-west-1:210987654321:function:gone' };
      return [...rest, { ...rest[0]!, type: 'aws_lambda_function', name: 'gone', instances: [{ attributes: gone }] }];
    });
    const { code, stdout, stderr } = await drift('--state', state, '--account', join(SHOP, 'aws'), '--fail-on', 'high');

    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toMatch(/1 changed, 1 missing and 1 undeclared resources\.\n/);
    expect(stdout).toMatch(/~ changed +!+ +medium +aws_security_group\./);
    expect(stdout).toMatch(/- missing +!+ +\w+ +aws_lambda_function\.gone/);
    expect(stdout).toMatch(/\+ new +!* +\w+ +aws_s3_bucket acme-tmp-jane/);
    expect((await drift('--state', STATE, '--account', SHOP, '--fail-on', 'low')).code).toBe(0);
  });

  test('reads several states, and names the one of each item', async () => {
    const [first, second] = [0, 1].map((half) =>
      saveState(`half-${half}.json`, (resources) => resources.filter((_, i) => i % 2 === half)),
    ) as [string, string];

    expect(await report('--state', first, '--state', second, '--account', join(SHOP, 'gcp'))).toMatchObject([
      { items: [], matched_count: 91 },
    ]);
  });

  test('says what to pass instead of a folder without an account, a damaged one, and a file that is no state', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const damaged = join(folder, 'damaged');
    mkdirSync(damaged);
    writeFileSync(join(damaged, 'account.json'), '{');
    const run = async (state: string, account: string) => {
      const { code, stderr } = await drift('--state', state, '--account', account);
      return `${code} ${stderr}`;
    };

    expect(await run(STATE, empty)).toMatch(/^1 dpa: .*no recorded account; pass a folder with account\.json/);
    expect(await run(STATE, join(folder, 'nothing'))).toMatch(/^1 dpa: .*there is no such folder/);
    expect(await run(STATE, damaged)).toMatch(/^1 dpa: .*this is not JSON; record the account again/);
    expect(await run(join(SHOP, 'aws/account.json'), SHOP)).toMatch(/^1 dpa: .*account\.json: /);
  });
});
