/** Runs the action and the GitLab template without a service, with the packed command. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildStepEnv, gitlabScript, gitlabVariables, packCommand, ROOT, runScript, step } from './ci-files.ts';
import { BUNDLED_PLAN, type RunResult } from './run.ts';

const EMPTY_PLAN = '{"format_version":"1.2","resource_changes":[]}';
/** Blocks only on one branch of one repository. */
const RULES = `
rules:
  - id: frozen
    name: Frozen
    enabled: true
    match: { repos: [acme/infra], branches: [main] }
    effect: block
    reason: Frozen.
`;

let shared: string;
let command: string;
let folder: string;

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'dpa-ci-command-'));
  command = packCommand(shared);
});
afterAll(() => rm(shared, { recursive: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpa-ci-offline-'));
  await mkdir(join(folder, 'plans'));
  await writeFile(join(folder, 'plans/quiet.json'), EMPTY_PLAN);
  await copyFile(BUNDLED_PLAN, join(folder, 'plans/shop.json'));
  await writeFile(join(folder, 'rules.yaml'), RULES);
});
afterEach(() => rm(folder, { recursive: true }));

describe('the action without a service', () => {
  function github(inputs: Record<string, string>, runner: Record<string, string> = {}): Promise<RunResult> {
    const files = { GITHUB_STEP_SUMMARY: join(folder, 'summary.md'), GITHUB_OUTPUT: join(folder, 'output') };
    const env = {
      ...{ HOME: shared, GITHUB_ACTIONS: 'true', RUNNER_TEMP: folder, GITHUB_ACTION_PATH: ROOT, ...files, ...runner },
      ...buildStepEnv({ plans: 'plans/*.json', package: command, ...inputs }),
    };
    return runScript('bash', step.run, { env, cwd: folder });
  }

  test('writes one verdict for several plans to summary and outputs, and fails at the level', async () => {
    const { code, stdout, stderr } = await github({ 'fail-on': 'critical' });

    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: expect.stringMatching(/^CRITICAL RISK {2}2 plans\n/),
      stderr: '',
    });
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('## `plans/shop.json`');
    const output = await readFile(join(folder, 'output'), 'utf8');
    expect(output).toMatch(/^risk-level=critical\njob-ids=\nresult=\/.+\/result\.json\n$/);
    const result = JSON.parse(await readFile(/result=(.+)/.exec(output)?.[1] ?? '', 'utf8'));
    expect(result).toMatchObject({ risk_level: 'critical', plans: [{ state: 'done' }, { state: 'done' }] });
  });

  test('succeeds below the level', async () => {
    const { code } = await github({ plans: 'plans/quiet.json', 'fail-on': 'low' });

    expect(code).toBe(0);
    expect(await readFile(join(folder, 'output'), 'utf8')).toMatch(/^risk-level=none\n/);
  });

  test('names a file that is not a plan in its summary, and fails with 1', async () => {
    const { code, stderr } = await github({ plans: 'rules.yaml' });

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^dpa: /) });
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('rules.yaml was not analyzed');
    expect(await readFile(join(folder, 'output'), 'utf8')).toMatch(/^risk-level=\n/);
  });

  test.each([
    ['main', 2],
    ['topic', 0],
  ])('applies rules that match the detected repository and branch: %s', async (branch, code) => {
    const runner = { GITHUB_REPOSITORY: 'acme/infra', GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: branch };

    expect(await github({ rules: 'rules.yaml' }, runner)).toMatchObject({ code, stderr: '' });
  });

  test.each(['org', 'token', 'audience'])('fails if %s is given without a url', async (input) => {
    const { code, stdout } = await github({ [input]: 'given' });

    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^::error::url is missing/) });
    expect(existsSync(join(folder, 'output'))).toBe(false);
  });
});

describe('the GitLab template without a service', () => {
  function gitlab(given: Record<string, string>): Promise<RunResult> {
    const env = { HOME: shared, GITLAB_CI: 'true', DPA_PACKAGE: command, ...gitlabVariables, ...given };
    return runScript('sh', gitlabScript.join('\n'), { env, cwd: folder });
  }

  test('writes one verdict for several plans to artifacts, and fails at the level', async () => {
    const { code, stdout } = await gitlab({ DPA_PLANS: 'plans/*.json', DPA_FAIL_ON: 'critical' });

    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringMatching(/^CRITICAL RISK {2}2 plans\n/) });
    expect(await readFile(join(folder, 'dpa-result.md'), 'utf8')).toContain('## `plans/shop.json`');
    const result = JSON.parse(await readFile(join(folder, 'dpa-result.json'), 'utf8'));
    expect(result).toMatchObject({ risk_level: 'critical', plans: [{ state: 'done' }, { state: 'done' }] });
  });

  test.each([
    ['main', 2],
    ['topic', 0],
  ])('applies rules that match the detected project and branch: %s', async (branch, code) => {
    const job = { CI_PROJECT_PATH: 'acme/infra', CI_COMMIT_BRANCH: branch };

    expect(await gitlab({ ...job, DPA_PLANS: 'plans/shop.json', DPA_RULES: 'rules.yaml' })).toMatchObject({ code });
  });

  test.each([
    ['DPA_ORG without DPA_URL', { DPA_ORG: 'acme' }, /^DPA_URL is missing/],
    ['DPA_URL without DPA_ORG', { DPA_URL: 'http://127.0.0.1:1' }, /^DPA_ORG is missing/],
    [
      'rules beside a service',
      { DPA_URL: 'http://127.0.0.1:1', DPA_ORG: 'x', DPA_RULES: 'x' },
      /^DPA_RULES works only without a service/,
    ],
  ])('fails with advice for %s', async (_name, given, expected) => {
    const { code, stderr } = await gitlab({ DPA_PLANS: 'plans/quiet.json', ...given });

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(expected) });
  });
});
