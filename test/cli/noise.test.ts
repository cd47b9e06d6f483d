import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { createCommands } from '../../bot/commands/answer.ts';
import { readCommand } from '../../bot/commands/parse.ts';
import {
  fixNoise,
  listNoise,
  listSuppressed,
  showNoise,
  suppressNoise,
  unsuppressNoise,
} from '../../cli/src/commands/noise.ts';
import { declareNoise } from '../../cli/src/commands/noise-arguments.ts';
import { suppressRecurring } from '../../cli/src/commands/noise-bulk.ts';
import type { PlanAnalysis } from '../../engine/index.ts';
import { type Client, createClient } from '../../sdk/src/index.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const ADDRESS = `aws_glue_job.a["it's"]`;
const NAMES = ['DPA_URL', 'DPA_ORG', 'DPA_TOKEN'] as const;
const TEXT = { format: 'text' } as const;

const change = { actions: ['update'], before: { timeout: 80 }, after: { timeout: 90 }, after_unknown: {} };
const job = { address: ADDRESS, mode: 'managed', type: 'aws_glue_job', name: 'a', index: "it's", change };
const PLAN = JSON.stringify({ format_version: '1.2', resource_changes: [job] });

let service: TestService;
let owner: Caller;
/** The scopes of the bot's key: it may read and create analyses. */
let bot: Client;
let org: { id: string; slug: string };
let fingerprint: string;
let result: PlanAnalysis;
const printed: string[] = [];
const before = NAMES.map((name) => [name, process.env[name]] as const);

async function makeKey(scopes: string[]): Promise<string> {
  return (await owner.post(`/api/v2/orgs/${org.id}/api-keys`, { name: scopes.join(' '), scopes })).body.key;
}

const analyze = (commit: string) =>
  bot.analyze({ org_id: org.id, plan: PLAN, ci: { repo_owner: 'acme', repo_name: 'infra', commit_sha: commit } });

beforeAll(async () => {
  service = await startTestService();
  owner = await service.signIn('owner');
  org = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
  bot = createClient({ base_url: service.url, token: await makeKey(['analysis:read', 'analysis:write']) });
  const settings = { recurrence_threshold: 1, window_days: 30 };
  await owner.send('PUT', `/api/v2/orgs/${org.id}/plan-noise/settings`, settings);
  await analyze('a'.repeat(40));
  result = (await analyze('b'.repeat(40))) as PlanAnalysis;
  fingerprint = result.changes[0]?.noise.fingerprints[0] ?? '';
  Object.assign(process.env, {
    DPA_URL: service.url,
    DPA_ORG: 'acme',
    DPA_TOKEN: await makeKey(['analysis:read', 'analysis:write', 'rules:read', 'rules:write']),
  });
});
beforeEach(() => {
  printed.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await service.close();
});

function ask(line: string) {
  const plans = [{ key: 'plan.json', analysis: result }];
  const { answer } = createCommands({ now: () => new Date(), app_url: null });
  return answer(readCommand(line), { dpa: bot, org, dialect: 'github', plans });
}

describe('dpa noise', () => {
  test('list prints recurring patterns as a table, or the response as JSON', async () => {
    await listNoise({ ...TEXT, repo: 'acme/infra' });
    await listNoise({ format: 'json' });
    await listNoise({ ...TEXT, repo: 'acme/other' });

    const [table, json, other] = printed;
    expect(table).toContain(`SEEN  SINCE       FINGERPRINT`);
    expect(table).toMatch(
      new RegExp(`^2     \\d{4}-\\d\\d-\\d\\d  ${fingerprint}  -         acme/infra  timeout    aws_glue`, 'm'),
    );
    expect(JSON.parse(json ?? '')).toMatchObject({ patterns: [{ fingerprint, resource_address: ADDRESS }] });
    expect(other).toBe('no pattern occurred more than 1 times within 30 days\n');
  });

  test('show accepts the first digits of a fingerprint, and reports an unknown fingerprint', async () => {
    await showNoise(fingerprint.slice(0, 8), TEXT);

    expect(printed.join('')).toContain('It is not suppressed.');
    await expect(showNoise('00000000', TEXT)).rejects.toThrow(/no recurring pattern begins with 00000000/);
    await expect(showNoise('nothing', TEXT)).rejects.toThrow(/"nothing" is not a fingerprint/);
    await expect(listNoise({ ...TEXT, repo: 'infra' })).rejects.toThrow(/use <owner>\/<name>/);
  });

  test('fix prints ways to fix a pattern, best first', async () => {
    await fixNoise(fingerprint.slice(0, 8), { ...TEXT, timeout: 20 });

    expect(printed.join('')).toMatch(
      /^1\. .*\(removes the cause\)\n {3}timeout of aws_glue_job[\s\S]*\n2\. .*\(hides the difference\)/,
    );
    expect(printed.join('')).toContain('    add:\n     timeout = 80\n'.slice(1));
  });

  test('suppress runs the command from the answer of the bot, and unsuppress deletes the suppression', async () => {
    const { body } = await ask(`/drift suppress ${fingerprint.slice(0, 8)} 30d It's $HOME, "known" to all`);
    const line = /```sh\ndpa (.*)\n```/.exec(body)?.[1] ?? '';
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
    const reason = `It's $HOME, "known" to all`;
    expect(body).toContain('in `plan.json`: hidden');
    expect(words).toEqual([
      'noise',
      'suppress',
      fingerprint,
      '--for',
      '30d',
      '--reason',
      reason,
      '--org',
      'acme',
      '--address',
      ADDRESS,
    ]);

    await suppressNoise(fingerprint, { format: 'json', for: '30d', reason, address: [ADDRESS] });
    const [made] = JSON.parse(printed[0] ?? '').suppressions;
    expect(made).toMatchObject({ fingerprint, resource_address: ADDRESS, reason, duration: '30d' });
    expect((await analyze('c'.repeat(40))).plan_noise.suppressed).toBe(1);

    await listSuppressed(TEXT);
    expect(printed[1]).toContain(`${made.id}  ${made.expires_at.slice(0, 10)}`);
    await unsuppressNoise(made.id, {});
    await listSuppressed(TEXT);
    expect(printed.slice(2)).toEqual([`${made.id} is deleted: its pattern is shown again\n`, 'no suppressions\n']);
  });

  test('suppress without --address accepts a pattern at every address where it recurs', async () => {
    await suppressNoise(fingerprint.slice(0, 10), { ...TEXT, for: '7d', reason: 'Known.', address: [] });
    expect(printed[0]).toContain(ADDRESS);
  });
});

describe('answers of the bot from a real service', () => {
  test('list recurring noise and fixes with a key that cannot create suppressions', async () => {
    const { body: noise } = await ask('/drift noise');
    const { body: fix } = await ask(`/drift fix ${fingerprint.slice(0, 8)}`);

    expect(noise).toContain(`| \`${fingerprint}\` |`);
    expect(fix).toMatch(/\*\*1\. .*\*\* \(removes the cause\): `timeout` of `aws_glue_job/);
    expect(fix).toContain('```hcl\ntimeout = 80\n```');
    await expect(
      bot.call('suppressPlanNoise', {
        path: { id: org.id },
        body: { fingerprints: [fingerprint], resource_addresses: [ADDRESS], reason: 'x', duration: '7d' },
      }),
    ).rejects.toMatchObject({ status: 403 });
  });
});

describe('the arguments of dpa noise', () => {
  const run = async (...args: string[]) => {
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    declareNoise(program, Number);
    for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
      command.exitOverride().configureOutput({ writeErr: () => undefined });
    }
    await program.parseAsync(['noise', ...args], { from: 'user' });
  };

  test('are sent to the service', async () => {
    await run(
      'suppress',
      fingerprint,
      '--for',
      'forever',
      '--reason',
      'Known.',
      '--address',
      'a.b',
      '--address',
      'a.c',
    );
    await run('suppressions', '--all', '--format', 'json');

    const addresses = JSON.parse(printed[1] ?? '').suppressions.map(
      (one: { resource_address: string }) => one.resource_address,
    );
    expect(addresses).toEqual(expect.arrayContaining(['a.b', 'a.c']));
  });

  test.each([
    [['suppress', 'a'.repeat(32), '--for', '12h', '--reason', 'x'], /Allowed choices are 7d, 30d, 90d, forever/],
    [['suppress', 'a'.repeat(32), '--for', '7d'], /required option '--reason <text>'/],
    [['show'], /missing required argument 'fingerprint'/],
  ])('%j are rejected', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });
});

describe('dpa noise suppress-recurring', () => {
  const buildUpdate = (address: string, attribute: string, before: unknown, after: unknown) => ({
    address,
    mode: 'managed',
    type: address.split('.')[0],
    name: address.split('.')[1],
    change: { actions: ['update'], before: { [attribute]: before }, after: { [attribute]: after }, after_unknown: {} },
  });
  const plan = JSON.stringify({
    format_version: '1.2',
    resource_changes: [
      buildUpdate('aws_cloudwatch_dashboard.shop', 'dashboard_body', '{"a":1,"b":2}', '{"b":2,"a":1}'),
      buildUpdate(
        'aws_iam_role.ci',
        'assume_role_policy',
        '{"Statement":[],"Version":"1"}',
        '{"Version":"1","Statement":[]}',
      ),
      buildUpdate('aws_glue_job.z', 'timeout', 1, 2),
    ],
  });
  const suppressBulk = (more = {}) =>
    suppressRecurring({ ...TEXT, for: '30d', reason: 'The provider.', repo: 'acme/bulk', also: [], ...more });
  const countSuppressions = async () =>
    (await owner.get(`/api/v2/orgs/${org.id}/plan-noise/suppressions`)).body.suppressions.length;

  beforeAll(async () => {
    for (const pr_number of [1, 2]) {
      await bot.analyze({ org_id: org.id, plan, ci: { repo_owner: 'acme', repo_name: 'bulk', pr_number } });
    }
  });

  test('without --apply lists what it would suppress and leave out, and changes nothing', async () => {
    const already = await countSuppressions();
    await suppressBulk();

    expect(printed.join('')).toMatch(/^1 patterns would be suppressed, in 1 groups\nCOUNT .*\n1 .*dashboard_body /);
    expect(printed.join('')).toMatch(/security, identity, encryption or network {2}assume_role_policy/);
    expect(printed.join('')).toMatch(/no rule knows it .* timeout /);
    expect(printed.join('')).toContain('nothing was changed; to suppress these patterns, add --apply');
    expect(await countSuppressions()).toBe(already);
  });

  test('suppresses a guarded path if --also selects it, and rejects an invalid fingerprint', async () => {
    await suppressBulk({ format: 'json' });
    const { left_out } = JSON.parse(printed.join(''));
    const guarded = left_out.find(({ why }: { why: string }) => why === 'guarded').pattern.fingerprint;
    const already = await countSuppressions();
    await suppressBulk({ also: [guarded], apply: true });

    expect(printed.at(-1)).toMatch(/^2 patterns are suppressed, in 2 groups/);
    expect(await countSuppressions()).toBe(already + 2);
    await expect(suppressBulk({ also: ['abc'] })).rejects.toThrow(/--also abc: use the full fingerprint/);
  });
});
