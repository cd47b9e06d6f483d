import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Submission } from '../../../cli/src/submission/types.ts';
import { newId } from '../../../server/lib/ids.ts';
import { startScriptedServer } from '../../sdk/scripted-server.ts';
import { BUNDLED_PLAN, type RunResult, runCli } from '../run.ts';
import type { RemoteWorld } from './world.ts';

export function describeSubmit(world: () => RemoteWorld): void {
  const run = (args: string[], more: Record<string, string> = {}, input = '') => {
    const { service, keys, folder } = world();
    const env = { DPA_URL: service.url, DPA_TOKEN: keys.acme, XDG_CONFIG_HOME: folder };
    return runCli(args, { env: { ...env, ...more }, input });
  };

  test('waits for the verdicts of several plans, prints them and exits with 2 at the level', async () => {
    const report = join(world().folder, 'result.md');
    const { code, stdout, stderr } = await run([
      'submit',
      world().quiet_plan,
      BUNDLED_PLAN,
      '--fail-on',
      'high',
      '--report',
      report,
    ]);

    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toContain(`== ${world().quiet_plan}\nNO RISK`);
    expect(stdout).toContain(`== ${BUNDLED_PLAN}\nCRITICAL RISK`);
    expect(await readFile(report, 'utf8')).toMatch(/^## `.*quiet\.json`\n\n### Plan review[\s\S]+critical risk/);
  });

  test('what is no plan is told beside those that are, with exit code 1', async () => {
    const { code, stdout } = await run(
      ['submit', '-', world().quiet_plan, '--wait', '--format', 'json'],
      {},
      '{"a": 1}',
    );

    const { plans, risk_level } = JSON.parse(stdout) as Submission;
    expect({ code, risk_level, states: plans.map(({ state }) => state) }).toEqual({
      code: 1,
      risk_level: 'none',
      states: ['failed', 'done'],
    });
    expect(plans[0]?.note).toContain('analyzePlan was answered with 400');
  });

  test('a step that is repeated finds the same analysis; the next attempt makes another', async () => {
    const job = { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/infra' };
    const attempt = (n: string) => ({ ...job, GITHUB_RUN_ID: '1', GITHUB_RUN_ATTEMPT: n, GITHUB_JOB: 'plan' });
    const args = ['submit', world().quiet_plan, '--format', 'json', '--pr', '7'];
    const runs = [await run(args, attempt('1')), await run(args, attempt('1')), await run(args, attempt('2'))];

    const [first, again, next] = runs.map((one) => submissionOf(one).plans[0]);
    expect(first).toMatchObject({ state: 'queued', result: null });
    expect(again?.job_id).toBe(first?.job_id);
    expect(next?.job_id).not.toBe(first?.job_id);
    const scan = (await world().ana.get(`/api/v2/orgs/${world().orgs.acme}/scans/${first?.scan_run_id}`)).body;
    expect(scan).toMatchObject({ repo_owner: 'acme', repo_url: 'https://github.com/acme/infra', pr_number: 7 });

    const shown = await run(['jobs', first?.job_id ?? '', '--wait']);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^NO RISK/) });
    const listed = await run(['jobs', '--repo', 'acme/infra', '--limit', '2']);
    expect(listed.stdout.split('\n')).toEqual([
      expect.stringContaining(`acme/infra#7  -  -  ${next?.scan_run_id}`),
      expect.stringContaining(`acme/infra#7  -  -  ${first?.scan_run_id}`),
      '',
    ]);
  });

  test.each([
    [429, 'analyze_rate_limited', { 'retry-after': '1800' }, 'the service may take it from '],
    [402, 'plan_hard_off', {}, 'without those of the organization\n'],
  ])(
    'what is refused for now with %d is judged here, and its level decides',
    async (status, error_class, headers, said) => {
      const full = await startScriptedServer();
      full.play({ status, headers, body: { error: 'no more for now', error_class, request_id: 'r-1' } });
      const refused = await run(['submit', BUNDLED_PLAN, '--fail-on', 'high'], { DPA_URL: full.url, DPA_ORG: newId() });
      full.close();

      expect(refused.code).toBe(2);
      expect(refused.stdout).toContain(`analyzePlan was answered with ${status}: no more for now`);
      expect(refused.stdout).toContain(said);
      expect(refused.stdout).toContain('CRITICAL RISK');
    },
  );

  test('whom the service does not know is told so, with exit code 1', async () => {
    const { code, stderr } = await run(['submit', world().quiet_plan], {
      DPA_TOKEN: 'nobody',
      DPA_ORG: world().orgs.acme,
    });

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^dpa: analyzePlan was answered with 401/),
    });
  });
}

function submissionOf({ stdout }: RunResult): Submission {
  return JSON.parse(stdout);
}
