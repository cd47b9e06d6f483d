import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openConnection } from '../../../cli/src/connection.ts';
import {
  type Login,
  type OidcCredential,
  readLogin,
  resolveLoginPath,
  writeLogin,
} from '../../../cli/src/login/file.ts';
import { readSecret } from '../../../cli/src/login/secret.ts';
import { DEVICE_CLIENT, RESOURCE, startCertifiedProvider } from '../../adapters/oidc/certified-provider.ts';
import { withoutVariables } from '../../helpers/environment.ts';
import { type RunResult, startCli } from '../run.ts';
import { CONNECTION_VARIABLES, type RemoteFixtures } from './fixtures.ts';

interface Running {
  ended: Promise<RunResult>;
  /** The address that it prints. */
  shown: Promise<string>;
  stop(): void;
}

export function describeLogin(fixtures: () => RemoteFixtures): void {
  let folder: string;
  withoutVariables(CONNECTION_VARIABLES);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpa-login-'));
    process.env['XDG_CONFIG_HOME'] = folder;
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  function runLogin(args: string[], input = ''): Running {
    const child = startCli(args, { env: { XDG_CONFIG_HOME: folder, DPA_URL: fixtures().service.url } });
    const output = { stdout: '', stderr: '' };
    child.stdin?.on('error', () => undefined).end(input);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    const shown = new Promise<string>((resolve) => {
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        output.stderr += text;
        const url = /^Open (\S+)\n/.exec(output.stderr)?.[1];
        if (url !== undefined) resolve(url);
      });
    });
    const ended = new Promise<RunResult>((resolve) => child.on('close', (code) => resolve({ code, ...output })));
    return { shown, ended, stop: () => child.kill('SIGINT') };
  }

  function startDeviceLogin(): Running {
    const client = ['--issuer', fixtures().provider.issuer, '--client-id', DEVICE_CLIENT];
    return runLogin(['login', ...client, '--scope', 'openid offline_access api', '--resource', RESOURCE]);
  }

  async function completeDeviceLogin(): Promise<Login & { credential: OidcCredential }> {
    const running = startDeviceLogin();
    await fixtures().provider.confirm(await running.shown, 'eve');
    await running.ended;
    return (await readLogin()) as Login & { credential: OidcCredential };
  }

  const listFiles = () => readdir(folder, { recursive: true });
  const countRenewals = () => fixtures().provider.requests.filter((url) => url === '/token').length;

  describe('with an identity provider', () => {
    test('a confirmed code logs the user in, and no token is shown', async () => {
      const running = startDeviceLogin();
      await fixtures().provider.confirm(await running.shown, 'eve');
      const { code, stdout, stderr } = await running.ended;

      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `logged in at ${fixtures().service.url} as eve@example.com, organization solo; stored in ${resolveLoginPath()}\n`,
      });
      expect(stderr).toMatch(/^Open \S+\nin any browser and confirm the code [A-Z]{4}-[A-Z]{4} within 10 min …\n$/);
      expect(await listFiles()).toEqual(['dpa', 'dpa/config.json']);
      const { dpa, org_slug } = await openConnection({});
      expect({ org_slug, email: (await dpa.call('getMe')).user.email }).toEqual({
        org_slug: 'solo',
        email: 'eve@example.com',
      });
    });

    test('an expired login is renewed once by concurrent commands, and logout revokes it everywhere', async () => {
      const made = await completeDeviceLogin();
      await writeLogin({ ...made, credential: { ...made.credential, expires_at: 0 } });
      const count = countRenewals();

      const both = await Promise.all([openConnection({}), openConnection({})]);
      await Promise.all(both.map(({ dpa }) => dpa.call('getMe')));

      const renewed = (await readLogin()) as typeof made;
      expect(countRenewals() - count).toBe(1);
      expect(renewed.credential.refresh_token).not.toBe(made.credential.refresh_token);

      expect(await runLogin(['logout']).ended).toMatchObject({
        code: 0,
        stdout: `logged out of ${fixtures().service.url}\n`,
      });
      expect(await listFiles()).toEqual(['dpa']);

      await writeLogin({ ...renewed, credential: { ...renewed.credential, expires_at: 0 } });
      const { dpa } = await openConnection({});
      await expect(dpa.call('getMe')).rejects.toThrow(
        `has expired; run \`dpa login --url ${fixtures().service.url}\` again`,
      );
    });

    test('a user who declines the code is not logged in', async () => {
      const running = startDeviceLogin();
      await fixtures().provider.confirm(await running.shown, 'eve', 'abort');

      expect(await running.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/the login was denied\n$/) });
      expect(await listFiles()).toEqual([]);
    });

    test('Ctrl-C stores nothing', async () => {
      const running = startDeviceLogin();
      await running.shown;
      running.stop();

      expect(await running.ended).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/stopped; nothing was saved\n$/),
      });
      expect(await listFiles()).toEqual([]);
    });
  });

  describe('with an API key', () => {
    test('a piped key is confirmed and stored with private permissions, and logout deletes it', async () => {
      expect(await runLogin(['login', '--token-stdin'], `${fixtures().keys.solo}\n`).ended).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('as eve@example.com, organization solo;'),
        stderr: '',
      });
      expect(JSON.parse(await readFile(resolveLoginPath(), 'utf8'))).toMatchObject({
        credential: { kind: 'api_key', api_key: fixtures().keys.solo },
      });
      expect((await runLogin(['logout']).ended).stdout).toContain('the API key stays valid');
      expect((await runLogin(['logout']).ended).stdout).toBe('you were not logged in\n');
    });

    test.each([
      ['dpa_0000000000000000000000000000000000000000aa', /getMe failed: .*\(status 401/],
      ['hunter2-hunter2', /this is not an API key: API keys begin with dpa_/],
      ['', /no API key was entered/],
    ])('%j is rejected, not repeated and not stored', async (text, message) => {
      const { code, stderr } = await runLogin(['login', '--token-stdin'], text).ended;

      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
      if (text !== '') expect(stderr).not.toContain(text);
      expect(await listFiles()).toEqual([]);
    });

    test('the key is requested if the provider does not support device codes', async () => {
      const plain = await startCertifiedProvider({ device: false });
      const { stdout, stderr } = await runLogin(
        ['login', '--issuer', plain.issuer, '--client-id', 'x'],
        fixtures().keys.solo,
      ).ended;
      await plain.close();

      expect(stderr).toContain('does not support login with a device code');
      expect(stdout).toContain('logged in at');
    });

    test('input on a terminal is hidden', async () => {
      const written: string[] = [];
      const screen = jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
      const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
      const secret = readSecret('API key: ', { input: terminal, signal: new AbortController().signal });
      terminal.write('dpa_typed\r');

      expect(await secret).toBe('dpa_typed');
      screen.mockRestore();
      expect(written.join('')).toBe('API key: \n');
    });
  });
}
