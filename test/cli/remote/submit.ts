import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Submission } from '../../../cli/src/submission/types.ts';
import { newId } from '../../../server/lib/ids.ts';
import { entry, planText } from '../../engine/analysis/plans.ts';
import { startScriptedServer } from '../../sdk/scripted-server.ts';
import { BUNDLED_PLAN, type RunResult, runCli } from '../run.ts';
import type { RemoteFixtures } from './fixtures.ts';

export function describeSubmit(fixtures: () => RemoteFixtures): void {
  const run = (args: string[], more: Record<string, string> = {}, input = '') => {
    const { service, keys, folder } = fixtures();
    const env = { DPA_URL: service.url, DPA_TOKEN: keys.acme, XDG_CONFIG_HOME: folder };
    return runCli(args, { env: { ...env, ...more }, input });
  };

  test('waits for the verdicts of several plans, prints them and exits with 2 at the level', async () => {
    const report = join(fixtures().folder, 'result.md');
    const { code, stdout, stderr } = await run([
      'submit',
      fixtures().empty_plan,
      BUNDLED_PLAN,
      '--fail-on',
      'high',
      '--report',
      report,
    ]);

    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toContain(`== ${fixtures().empty_plan}\nNO RISK`);
    expect(stdout).toContain(`== ${BUNDLED_PLAN}\nCRITICAL RISK`);
    expect(await readFile(report, 'utf8')).toMatch(/^## `.*quiet\.json`\n\n### ⚪ Plan review[\s\S]+critical risk/);
  });

  test('a file that is not a plan is reported next to the other plans, with exit code 1', async () => {
    const { code, stdout } = await run(
      ['submit', '-', fixtures().empty_plan, '--wait', '--format', 'json'],
      {},
      '{"a": 1}',
    );

    const { plans, risk_level } = JSON.parse(stdout) as Submission;
    expect({ code, risk_level, states: plans.map(({ state }) => state) }).toEqual({
      code: 1,
      risk_level: 'none',
      states: ['failed', 'done'],
    });
    expect(plans[0]?.note).toContain('The service rejected the plan: ');
  });

  test('a repeated step finds the same analysis, and the next attempt creates another', async () => {
    const job = { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/infra' };
    const attempt = (n: string) => ({ ...job, GITHUB_RUN_ID: '1', GITHUB_RUN_ATTEMPT: n, GITHUB_JOB: 'plan' });
    const args = ['submit', fixtures().empty_plan, '--format', 'json', '--pr', '7'];
    const runs = [await run(args, attempt('1')), await run(args, attempt('1')), await run(args, attempt('2'))];

    const [first, again, next] = runs.map((one) => parseSubmission(one).plans[0]);
    expect(first).toMatchObject({ state: 'queued', result: null });
    expect(again?.job_id).toBe(first?.job_id);
    expect(next?.job_id).not.toBe(first?.job_id);
    const scan = (await fixtures().ana.get(`/api/v2/orgs/${fixtures().orgs.acme}/scans/${first?.scan_run_id}`)).body;
    expect(scan).toMatchObject({ repo_owner: 'acme', repo_url: 'https://github.com/acme/infra', pr_number: 7 });

    const shown = await run(['jobs', first?.job_id ?? '', '--wait']);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^NO RISK/) });
    const listed = await run(['jobs', '--repo', 'acme/infra', '--limit', '2']);
    const ids = listed.stdout.split('\n').map((line) => line.split(' ')[0]);
    expect(ids).toEqual(['JOB', next?.job_id, first?.job_id, '']);
  });

  describe('a plan that the service rejects for now', () => {
    let blocked_plan: string;
    let key: string;
    beforeAll(async () => {
      const { ana, orgs, folder } = fixtures();
      const rule = { id: 'frozen', name: 'Frozen', enabled: true, match: { resource_types: ['aws_s3_bucket'] } };
      const policy = { rules: [{ ...rule, effect: 'block', reason: 'The buckets are frozen.' }] };
      const path = `/api/v2/orgs/${orgs.side}`;
      expect((await ana.send('PUT', `${path}/risk-policy`, policy)).status).toBe(200);
      key = (await ana.post(`${path}/api-keys`, { name: 'limited', scopes: ['analysis:write'] })).body.key;
      blocked_plan = join(folder, 'blocked.json');
      const change = { before: { tags: { a: '1' } }, after: { tags: { a: '2' } } };
      await writeFile(blocked_plan, planText({ resource_changes: [entry('aws_s3_bucket', 'logs', change)] }));
    });

    test.each([
      [402, 'plan_hard_off', {}],
      [402, 'plan_weekly_quota_exhausted', {}],
      [429, 'analyze_rate_limited', { 'retry-after': '1800' }],
      [429, 'plan_hourly_rate_limit', { 'retry-after': '1800' }],
      [429, 'byok_rate_limited', { 'retry-after': '900' }],
      [413, 'payload_too_large', {}],
    ])('is still blocked by the policy of the organization: %d %s', async (status, error_class, headers) => {
      const { service, orgs } = fixtures();
      const book = await service.withHeaders({ 'x-api-key': key }).get(`/api/v2/orgs/${orgs.side}/rule-book`);
      const stub = await startScriptedServer();
      const refusal = { status, headers, body: { error: 'no more for now', error_class, request_id: 'r-1' } };
      stub.play(refusal, { status: 200, body: book.body });
      const refused = await run(['submit', blocked_plan, '--wait'], { DPA_URL: stub.url, DPA_ORG: orgs.side });
      stub.close();

      expect(refused.code).toBe(2);
      expect(refused.stdout).toMatch(/^BLOCKED {2}NO RISK/);
      expect(refused.stdout).toContain(`The service rejected the plan: no more for now`);
      expect(refused.stdout).toContain(
        'with the rules of the organization; only the explanation of a language model is missing',
      );
      expect(refused.stdout).toContain('The buckets are frozen.');
    });

    test('because of its size is analyzed with the rule book of the service', async () => {
      const { folder, orgs } = fixtures();
      const large_plan = join(folder, 'large.json');
      const filler = { before: { a: 'x'.repeat(6_000_000) }, after: { a: 'y'.repeat(6_000_000) } };
      const changes = [entry('terraform_data', 'a', filler), entry('aws_s3_bucket', 'logs', { after: {} })];
      await writeFile(large_plan, planText({ resource_changes: changes }));
      const refused = await run(['submit', large_plan, '--wait'], { DPA_TOKEN: key, DPA_ORG: orgs.side });

      expect(refused.code).toBe(2);
      expect(refused.stdout).toContain('The service rejected the plan: ');
      expect(refused.stdout).toContain('The buckets are frozen.');
    });

    test('fails with exit code 1 if the rules of the organization cannot be read', async () => {
      const stub = await startScriptedServer();
      const refusal = { status: 402, body: { error: 'no more', error_class: 'plan_hard_off', request_id: 'r-1' } };
      stub.play(refusal, { status: 500, body: { error: 'broken', error_class: 'internal', request_id: 'r-2' } });
      const refused = await run(['submit', blocked_plan, '--wait'], { DPA_URL: stub.url, DPA_ORG: newId() });
      stub.close();

      expect(refused.code).toBe(1);
      expect(refused.stdout).toContain(
        '; the rules of the organization could not be read either: getRuleBook failed: ',
      );
    });
  });

  test('an unknown credential is reported, with exit code 1', async () => {
    const { code, stderr } = await run(['submit', fixtures().empty_plan], {
      DPA_TOKEN: 'nobody',
      DPA_ORG: fixtures().orgs.acme,
    });

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^dpa: analyzePlan failed: .*\(status 401/),
    });
  });
}

function parseSubmission({ stdout }: RunResult): Submission {
  return JSON.parse(stdout);
}
