import { copyFile, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AUDIENCE, GITHUB_CLAIMS } from '../../domains/federation/ci-issuer.ts';
import {
  buildStepEnv,
  gitlabJobs,
  gitlabScript,
  gitlabVariables,
  packCommand,
  ROOT,
  runScript,
  step,
} from '../ci-files.ts';
import { BUNDLED_PLAN, type RunResult } from '../run.ts';
import type { RemoteFixtures } from './fixtures.ts';

export function describeCiJobs(fixtures: () => RemoteFixtures): void {
  let tokens: Server;
  let folder: string;
  let command: string;
  let base: Record<string, string>;

  beforeAll(async () => {
    const { service, orgs, ci } = fixtures();
    // The endpoint from which a GitHub job requests its token.
    tokens = createServer(async (request, response) => {
      const url = new URL(request.url ?? '', 'http://runner');
      const known = request.headers.authorization === 'bearer runner' && url.searchParams.get('api-version') === '2.0';
      const value = await ci.sign({ ...GITHUB_CLAIMS, aud: url.searchParams.get('audience') });
      response.writeHead(known ? 200 : 401).end(JSON.stringify({ value }));
    });
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
    folder = await mkdtemp(join(fixtures().folder, 'ci-'));
    await mkdir(join(folder, 'plans of ours'));
    await copyFile(fixtures().empty_plan, join(folder, 'plans of ours/quiet.json'));
    command = packCommand(folder);
    base = { HOME: folder, DPA_URL: service.url, DPA_ORG: orgs.acme };
  });
  afterAll(() => void tokens.close());

  function github(inputs: Record<string, string>): Promise<RunResult> {
    const url = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token?api-version=2.0`;
    const runner = { GITHUB_ACTIONS: 'true', RUNNER_TEMP: folder, GITHUB_ACTION_PATH: ROOT };
    const files = { GITHUB_STEP_SUMMARY: join(folder, 'summary.md'), GITHUB_OUTPUT: join(folder, 'output') };
    const request = { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner' };
    const env = {
      ...base,
      ...runner,
      ...files,
      ...request,
      ...buildStepEnv({
        url: fixtures().service.url,
        org: fixtures().orgs.acme,
        audience: AUDIENCE,
        package: command,
        ...inputs,
      }),
    };
    return runScript('bash', step.run, { env, cwd: folder });
  }

  test('the GitHub step writes its verdict to summary and outputs, and fails at the level', async () => {
    const { code, stdout } = await github({ plans: `plans of ours/*.json\n${BUNDLED_PLAN}\n`, 'fail-on': 'critical' });

    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('CRITICAL RISK') });
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('## `plans of ours/quiet.json`');
    const output = await readFile(join(folder, 'output'), 'utf8');
    expect(output).toMatch(/^risk-level=critical\njob-ids=[0-9a-f-]{36},[0-9a-f-]{36}\nresult=\/.+\/result\.json\n$/);
  });

  test.each([
    ['plans', 'none/*.json', '::error::plans matches no file'],
    ['package', '; touch owned', '::error::package must be the path or the address of a .tgz tarball'],
    ['org', '', '::error::org is missing'],
    ['rules', 'rules.yaml', '::error::rules works only without a service'],
    ['plans', '$(touch owned)\n`touch owned`', 'the file does not exist'],
  ])('the GitHub step does not execute %s as a command: %j', async (name, value, output) => {
    const { code, stdout, stderr } = await github({ plans: 'plans of ours/*.json', [name]: value });

    expect({ code, output: stdout + stderr }).toEqual({ code: 1, output: expect.stringContaining(output) });
    await expect(readFile(join(folder, 'owned'))).rejects.toThrow('ENOENT');
  });

  test.each(['latest', '0.1.0; touch owned'])(
    'the GitHub step rejects a version that is not exact: %j',
    async (version) => {
      const { code, stdout } = await github({ plans: BUNDLED_PLAN, package: '', version });

      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringContaining('::error::version must be an exact version'),
      });
      await expect(readFile(join(folder, 'owned'))).rejects.toThrow('ENOENT');
    },
  );

  test('the GitLab job writes its verdict to artifacts', async () => {
    const token = { DPA_ID_TOKEN: await fixtures().ci.sign({ ...GITHUB_CLAIMS, aud: AUDIENCE }), GITLAB_CI: 'true' };
    const job = { DPA_PACKAGE: command, DPA_PLANS: `${BUNDLED_PLAN}\nplans of ours/*.json` };
    const env = { ...base, ...gitlabVariables, ...token, ...job };
    const { code, stdout } = await runScript('sh', gitlabScript.join('\n'), { env, cwd: folder });

    expect(Object.keys(gitlabJobs['.dpa'].id_tokens ?? {})).toEqual(['DPA_ID_TOKEN']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('CRITICAL RISK') });
    const result = JSON.parse(await readFile(join(folder, 'dpa-result.json'), 'utf8'));
    expect(result).toMatchObject({ risk_level: 'critical', plans: [{ state: 'done' }, { state: 'done' }] });
  });
}
