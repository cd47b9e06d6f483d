import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { newId } from '../../server/lib/ids.ts';
import { AUDIENCE, type CiIssuer, GITHUB_CLAIMS, startCi } from '../domains/ci-issuer.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { BUNDLED_PLAN, type RunResult } from './run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'cli/bin/dpa.js');
const QUIET_PLAN = '{"format_version":"1.2","resource_changes":[]}';

interface Step {
  run: string;
  shell: string;
  env: Record<string, string>;
}
interface Action {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}
interface GitLabJob {
  id_tokens: Record<string, { aud: string }>;
  variables: Record<string, string>;
  script: string[];
}

const action: Action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8'));
const template: Record<'.dpa' | 'dpa', GitLabJob> = parse(await readFile(join(ROOT, 'ci/dpa.gitlab-ci.yml'), 'utf8'));
const [step] = action.runs.steps as [Step];

describe('what CI runs', () => {
  test('the action hands values over as environment variables alone', () => {
    const { outputs, runs } = action;
    const without_env = {
      ...action,
      outputs: {},
      runs: { ...runs, steps: runs.steps.map((one) => ({ ...one, env: {} })) },
    };

    expect(JSON.stringify(without_env)).not.toContain('${{');
    for (const { value } of Object.values(outputs))
      expect(value).toMatch(/^\$\{\{ steps\.submit\.outputs\.[\w-]+ \}\}$/);
    expect(runs.using).toBe('composite');
  });

  test('both name the very version of the command', async () => {
    const { name, version } = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'));

    expect(action.inputs['version']?.default).toBe(version);
    expect(template['.dpa'].variables['DPA_VERSION']).toBe(version);
    const scripts = [await readFile(join(ROOT, 'ci/github-submit.sh'), 'utf8'), ...template['.dpa'].script];
    for (const script of scripts)
      expect(script).toMatch(new RegExp(`npx --prefix \\S+.* --yes "${name}@\\$(DPA_)?VERSION"`));
  });

  test('the scripts are well-formed', () => {
    execFileSync('bash', ['-n', join(ROOT, 'ci/github-submit.sh')]);
    for (const script of template['.dpa'].script) execFileSync('sh', ['-n'], { input: script });
  });
});

describe('a job without a secret', () => {
  let ci: CiIssuer;
  let service: TestService;
  let tokens: Server;
  let folder: string;
  let org: string;
  let base: Record<string, string>;

  beforeAll(async () => {
    ci = await startCi();
    service = await startTestService({ API_URL: AUDIENCE, FEDERATION_TRUSTED_ISSUERS: ci.issuer });
    org = await makeOrgThatTrusts(service, ci.issuer);
    // Where a runner of GitHub asks for a token of its job.
    tokens = createServer(async (request, response) => {
      const url = new URL(request.url ?? '', 'http://runner');
      const known = request.headers.authorization === 'bearer runner' && url.searchParams.get('api-version') === '2.0';
      const value = await ci.sign({ ...GITHUB_CLAIMS, aud: url.searchParams.get('audience') });
      response.writeHead(known ? 200 : 401).end(JSON.stringify({ value }));
    });
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
    folder = await mkdtemp(join(tmpdir(), 'dpa-ci-'));
    await mkdir(join(folder, 'plans of ours'));
    await writeFile(join(folder, 'plans of ours/quiet.json'), QUIET_PLAN);
    base = { ...(await withNpx(folder)), HOME: folder, DPA_URL: service.url, DPA_ORG: org };
  }, 60_000);
  afterAll(async () => {
    tokens.close();
    await Promise.all([service.close(), ci.close()]);
    await rm(folder, { recursive: true });
  });

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
      ...stepEnv({ url: service.url, org, audience: AUDIENCE, ...inputs }),
    };
    return runScript('bash', step.run, { env, cwd: folder });
  }

  test('of GitHub gets its verdict in summary and outputs, and fails at the level', async () => {
    const { code, stdout } = await github({ plans: `plans of ours/*.json\n${BUNDLED_PLAN}\n`, 'fail-on': 'critical' });

    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('CRITICAL RISK') });
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('## `plans of ours/quiet.json`');
    const output = await readFile(join(folder, 'output'), 'utf8');
    expect(output).toMatch(/^risk-level=critical\njob-ids=[0-9a-f-]{36},[0-9a-f-]{36}\nresult=\/.+\/result\.json\n$/);
  });

  test.each([
    ['plans', 'none/*.json', '::error::no file is named by plans'],
    ['version', 'latest', '::error::version must be exact'],
    ['version', '0.1.0; touch owned', '::error::version must be exact'],
    ['plans', '$(touch owned)\n`touch owned`', 'there is no such file'],
  ])('of GitHub takes nothing of %s for a command: %j', async (name, value, said) => {
    const { code, stdout, stderr } = await github({ plans: 'plans of ours/*.json', [name]: value });

    expect({ code, said: stdout + stderr }).toEqual({ code: 1, said: expect.stringContaining(said) });
    await expect(readFile(join(folder, 'owned'))).rejects.toThrow('ENOENT');
  });

  test('of GitLab leaves its verdict as artifacts', async () => {
    const { variables, script, id_tokens } = template['.dpa'];
    const token = { DPA_ID_TOKEN: await ci.sign({ ...GITHUB_CLAIMS, aud: AUDIENCE }), GITLAB_CI: 'true' };
    const env = { ...base, ...variables, ...token, DPA_PLANS: `${BUNDLED_PLAN}\nplans of ours/*.json` };
    const { code, stdout } = await runScript('sh', script.join('\n'), { env, cwd: folder });

    expect(Object.keys(id_tokens)).toEqual(['DPA_ID_TOKEN']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('CRITICAL RISK') });
    const result = JSON.parse(await readFile(join(folder, 'dpa-result.json'), 'utf8'));
    expect(result).toMatchObject({ risk_level: 'critical', plans: [{ state: 'done' }, { state: 'done' }] });
  });
});

/** The variables of the step, as GitHub fills them in from the inputs. */
function stepEnv(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(step.env).map(([name, text]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1] ?? '';
      return [name, given[input] ?? action.inputs[input]?.default ?? ''];
    }),
  );
}

/** A PATH on which npx runs this build instead of fetching the package, as it would: in the same folder, by its arguments. */
async function withNpx(folder: string): Promise<{ PATH: string }> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const check = '[ "$1" = --prefix ] && [ "$3" = --yes ] && [ "$4" = @dpa/cli@0.1.0 ] || exit 99';
  await writeFile(join(bin, 'npx'), `#!/bin/sh\n${check}\nshift 4\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  await chmod(join(bin, 'npx'), 0o755);
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}

function runScript(
  shell: 'bash' | 'sh',
  script: string,
  options: { env: Record<string, string>; cwd: string },
): Promise<RunResult> {
  // As the runners start them.
  const child = spawn(shell, ['-e', '-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
  });
}

async function makeOrgThatTrusts(service: TestService, issuer: string): Promise<string> {
  const ana = await service.as('ana');
  const { id: org_id } = (await ana.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
  const { user } = (await ana.get('/api/v2/me')).body;
  const conditions = JSON.stringify([{ claim: 'repository_id', op: 'eq', value: GITHUB_CLAIMS.repository_id }]);
  const scopes = ['analysis:read', 'analysis:write'];
  // Over HTTP an issuer must be https.
  const trust = { name: 'CI', issuer, conditions, scopes, ttl_seconds: 300, created_by: user.id };
  await service.admin_db('federation_trusts').insert({ ...trust, id: newId(), org_id });
  return org_id;
}
