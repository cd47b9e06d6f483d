import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Login } from '../../../cli/src/login/file.ts';
import { type ScriptedServer, type Step, startScriptedServer } from '../../sdk/scripted-server.ts';
import { OPERATIONS } from '../../service/operations.ts';
import { BUNDLED_PLAN, runCli } from '../run.ts';
import type { RemoteFixtures } from './fixtures.ts';

/** The commands before and after the first plan. */
export function describeFirstSteps(fixtures: () => RemoteFixtures): void {
  const run = (args: string[], more: Record<string, string> = {}, input = '') => {
    const { service, token, folder } = fixtures();
    const env = { DPA_URL: service.url, DPA_TOKEN: token, XDG_CONFIG_HOME: folder, ...more };
    return runCli(args, { env, input });
  };
  const useKey = () => ({ DPA_TOKEN: fixtures().keys.acme });

  describe('dpa org', () => {
    test('create creates an organization that list shows with the caller as owner', async () => {
      const created = await run(['org', 'create', 'first-steps', '--name', 'First Steps']);
      const listed = await run(['org', 'list']);

      expect(created).toMatchObject({ code: 0, stderr: '' });
      const id = /^created the organization first-steps \((.{36})\); you are its owner\n$/.exec(created.stdout)?.[1];
      expect(listed.stdout).toMatch(/^SLUG +ROLE +PLAN +ID +NAME\n/);
      expect(listed.stdout).toMatch(new RegExp(`^first-steps +owner +free +${id} +First Steps$`, 'm'));
    });

    test('create and list print the response as JSON', async () => {
      const created = await run(['org', 'create', 'first-json', '--format', 'json']);
      const listed = await run(['org', 'list', '--format', 'json']);

      expect(JSON.parse(created.stdout)).toMatchObject({ slug: 'first-json', display_name: 'first-json' });
      expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ slug: 'first-json', role: 'owner' }));
    });

    test.each([
      ['a slug that is taken', ['create', 'acme'], {}, /acme.* \(status 409/],
      ['a slug that is none', ['create', 'No Slug'], {}, /status 400/],
      ['no slug', ['create'], {}, /missing required argument 'slug'/],
      ['settings of an unknown value', ['settings', '--pr-fail-on', 'odd'], {}, /Allowed choices are never, none, low/],
      [
        'settings of several organizations',
        ['settings'],
        {},
        /no organization selected: set DPA_ORG or --org to one of/,
      ],
      ['settings of another’s organization', ['settings', '--org', 'solo'], {}, /is not a member of .*"solo"/],
    ])('with %s fails with 1 and prints the reason', async (_what, args, env, message) => {
      const { code, stdout, stderr } = await run(['org', ...args], env);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(message);
    });

    test('create with an API key is rejected', async () => {
      const { code, stderr } = await run(['org', 'create', 'by-a-key'], useKey());

      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('403') });
    });

    test('settings shows the settings for pull requests with their meaning, and changes the given ones', async () => {
      const before = await run(['org', 'settings', '--org', 'acme']);
      const options = [
        '--pr-fail-on',
        'high',
        '--fork-pr-policy',
        'ignore',
        '--pr-comment-mode',
        'new',
        '--count-llm-concerns',
        'yes',
      ];
      const changed = await run(['org', 'settings', '--org', 'acme', ...options]);
      const json = await run(['org', 'settings', '--org', 'acme', '--pr-fail-on', 'never', '--format', 'json']);

      expect(before.stdout).toMatch(/^pr_fail_on +never +no level fails the check; a critical plan makes it neutral$/m);
      expect(changed.stdout).toMatch(/^pr_fail_on +high +plans of level high and above fail the check$/m);
      expect(changed.stdout).toMatch(/^fork_pr_policy +ignore +a pull request from a fork is not analyzed$/m);
      expect(changed.stdout).toMatch(/^pr_comment_mode +new +a new comment for each analysis$/m);
      expect(before.stdout).toMatch(
        /^count_llm_concerns +no +concerns of a language model are shown, and fail nothing$/m,
      );
      expect(changed.stdout).toMatch(
        /^count_llm_concerns +yes +concerns of a language model can fail checks and commands$/m,
      );
      expect(JSON.parse(json.stdout)).toMatchObject({ pr_fail_on: null, fork_pr_policy: 'ignore' });
    });
  });

  describe('dpa token', () => {
    test('prints only the token of the environment', async () => {
      expect(await run(['token'])).toEqual({ code: 0, stdout: `${fixtures().token}\n`, stderr: '' });
    });

    test('prints the credential of the login, which the service accepts', async () => {
      const { service, keys, folder } = fixtures();
      const config_home = await mkdtemp(join(folder, 'login-'));
      const env = { XDG_CONFIG_HOME: config_home, DPA_TOKEN: '' };
      await run(['login', '--token-stdin'], env, keys.acme);

      const { code, stdout } = await run(['token'], { ...env, DPA_URL: '' });

      expect({ code, stdout }).toEqual({ code: 0, stdout: `${keys.acme}\n` });
      const me = await service.withHeaders({ 'x-api-key': stdout.trim() }).get('/api/v2/me');
      expect(me.status).toBe(200);
    });

    test('with an expired login says how to log in again', async () => {
      const { service, provider, folder } = fixtures();
      const config_home = await mkdtemp(join(folder, 'renewed-'));
      await writeEndedLogin(config_home, service.url, provider.issuer);

      const { code, stdout, stderr } = await run(['token'], { XDG_CONFIG_HOME: config_home, DPA_TOKEN: '' });

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(
        `the login for ${service.url} has expired; run \`dpa login --url ${service.url}\` again`,
      );
    });

    test('without a login or DPA_TOKEN says what to set', async () => {
      const config_home = await mkdtemp(join(fixtures().folder, 'nobody-'));
      const { code, stdout, stderr } = await run(['token'], { XDG_CONFIG_HOME: config_home, DPA_TOKEN: '' });

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('set DPA_TOKEN to an API key, or run `dpa login`');
    });
  });

  describe('dpa keys', () => {
    // A separate organization: the free plan allows three keys.
    const org_args = ['--org', 'keyed'];
    beforeAll(async () => {
      await fixtures().ana.post('/api/v2/orgs', { slug: 'keyed', display_name: 'Keyed' });
    });

    test('create prints only a key, which works within its scopes; list shows everything except the key', async () => {
      const scopes = ['--scope', 'scans:read', '--scope', 'analysis:read'];
      const { code, stdout, stderr } = await run(['keys', 'create', ...org_args, '--name', 'report', ...scopes]);
      const listed = await run(['keys', 'list', ...org_args]);
      const key = stdout.trim();

      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^dpa_\w{42}\n$/) });
      expect(stderr).toMatch(
        /^created the key "report" \(.{36}\) with .*scans:read.*; it expires at .* shown only once\n$/,
      );
      expect((await run(['jobs'], { DPA_TOKEN: key })).code).toBe(0);
      expect(listed.stdout).toMatch(/^ID +BEGINS +STATUS +EXPIRES +LAST USED +SCOPES +NAME\n/);
      expect(listed.stdout).toMatch(/active .*scans:read.* +report$/m);
      expect(listed.stdout).not.toContain(key);
    });

    test.each([
      ['never', null],
      ['366d', 366],
    ])('create accepts %s as the expiry', async (expires, days) => {
      const args = ['--name', expires, '--expires', expires, '--format', 'json'];
      const { stdout, stderr } = await run(['keys', 'create', ...org_args, ...args]);

      expect(stderr).toContain('analysis:write, analysis:read');
      const { expires_at, created_at } = JSON.parse(stdout);
      const lasts = expires_at === null ? null : (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000;
      if (days === null) expect(lasts).toBeNull();
      else expect(lasts).toBeCloseTo(days, 1);
    });

    test.each([
      ['an end in the past', ['--expires', '2020-01-01'], /--expires 2020-01-01: use a number of days/],
      ['no days at all', ['--expires', '0d'], /--expires 0d/],
      ['an end too far ahead', ['--expires', '367d'], /at most 366 days/],
      ['an end that is none', ['--expires', 'soon'], /--expires soon/],
      ['a scope that does not exist', ['--scope', 'everything'], /scopes.*\(status 400/],
    ])('create with %s fails with 1 and prints the reason', async (_what, args, message) => {
      const { code, stdout, stderr } = await run(['keys', 'create', ...org_args, '--name', 'x', ...args]);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(message);
    });

    test('create --help explains each scope that an operation requires', async () => {
      const { stdout } = await run(['keys', 'create', '--help']);

      const scopes_in_use = OPERATIONS.map(({ access }) => access.scope).filter((scope) => scope !== undefined);
      expect(scopes_in_use.length).toBeGreaterThan(5);
      for (const scope of scopes_in_use) expect(stdout).toMatch(new RegExp(`^  ${scope} +\\w`, 'm'));
    });

    test('create without a name, or with an API key, is rejected', async () => {
      const nameless = await run(['keys', 'create', ...org_args]);
      const by_key = await run(['keys', 'create', '--name', 'x'], useKey());

      expect(nameless).toMatchObject({ code: 1, stderr: expect.stringContaining("required option '--name <name>'") });
      expect(by_key).toMatchObject({ code: 1, stderr: expect.stringContaining('403') });
    });
  });

  describe('dpa jobs', () => {
    test('lists job IDs that dpa jobs accepts, with level, source and age under a header', async () => {
      const args = ['submit', BUNDLED_PLAN, '--repo', 'acme/listed', '--pr', '12', '--branch', 'main', '--wait'];
      await run([...args, '--format', 'json'], useKey());

      const listed = await run(['jobs', '--repo', 'acme/listed'], useKey());
      const [header, row] = listed.stdout.split('\n');
      const shown = await run(['jobs', row?.split(' ')[0] ?? ''], useKey());

      expect(header).toMatch(/^JOB +STATUS +LEVEL +AGE +SOURCE +BRANCH +COMMIT$/);
      expect(row).toMatch(/^[0-9a-f-]{36} +done +critical +\d+[smh] +acme\/listed#12 +main +-$/);
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^CRITICAL RISK/) });
    });

    test('reports a repository without analyses', async () => {
      expect(await run(['jobs', '--repo', 'acme/none'], useKey())).toMatchObject({
        code: 0,
        stdout: 'no analyses yet\n',
      });
    });

    test('fails for an ID that does not exist', async () => {
      const { code, stderr } = await run(['jobs', '019b7a10-0000-7000-8000-000000000099'], useKey());

      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('404') });
    });
  });

  describe('a server that is not a dpa service', () => {
    const html = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Welcome</title>' };
    const NOT_OURS: [string, Step][] = [
      ['a page', html],
      ['a page not found', { ...html, status: 404 }],
      ['JSON that says not found', { status: 404, body: { message: 'no such route' } }],
      ['JSON of another service', { body: { ok: true } }],
    ];
    const COMMANDS = [
      ['org', 'list'],
      ['keys', 'list'],
      ['jobs'],
      ['jobs', '019b7a10-0000-7000-8000-000000000005', '--org', '019b7a10-0000-7000-8000-000000000003'],
      ['jobs', '--org', '019b7a10-0000-7000-8000-000000000003'],
      ['login', '--token-stdin'],
    ];
    const cases = NOT_OURS.flatMap(([what, step]) =>
      COMMANDS.map((args) => [args.slice(0, 2).join(' '), what, args, step] as const),
    );

    test.each(cases)('is detected by dpa %s: %s', async (_name, _what, args, step) => {
      const other: ScriptedServer = await startScriptedServer();
      other.play(step);
      const config_home = await mkdtemp(join(fixtures().folder, 'other-'));
      const env = { DPA_URL: other.url, DPA_TOKEN: 'dpa_x', XDG_CONFIG_HOME: config_home };
      const { code, stdout, stderr } = await run([...args], env, fixtures().keys.acme);
      other.close();

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/not a dpa service.*check DPA_URL or --url/);
    });
  });
}

async function writeEndedLogin(config_home: string, url: string, issuer: string): Promise<void> {
  await mkdir(join(config_home, 'dpa'), { mode: 0o700 });
  const ended = { access_token: 'a.b.c', expires_at: 1, refresh_token: null };
  const login: Login = {
    url,
    email: 'ana@example.com',
    org_id: null,
    org_slug: null,
    credential: { kind: 'oidc', issuer, client_id: 'cli', parameters: {}, ...ended },
  };
  await writeFile(join(config_home, 'dpa', 'config.json'), JSON.stringify(login), { mode: 0o600 });
}
