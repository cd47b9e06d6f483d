import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openConnection } from '../../../cli/src/connection.ts';
import { type Login, resolveLoginPath, writeLogin } from '../../../cli/src/login/file.ts';
import { newId } from '../../../server/lib/ids.ts';
import { AUDIENCE, GITHUB_CLAIMS } from '../../domains/federation/ci-issuer.ts';
import { withoutVariables } from '../../helpers/environment.ts';
import { CONNECTION_VARIABLES, type RemoteFixtures } from './fixtures.ts';

export function describeConnection(fixtures: () => RemoteFixtures): void {
  let folder: string;
  withoutVariables(CONNECTION_VARIABLES);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpa-config-'));
    process.env['XDG_CONFIG_HOME'] = folder;
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  describe('with DPA_URL and DPA_TOKEN', () => {
    beforeEach(
      () => void Object.assign(process.env, { DPA_URL: `${fixtures().service.url}/`, DPA_TOKEN: fixtures().token }),
    );

    test('an organization is found by its slug', async () => {
      const { org_id, org_slug, dpa } = await openConnection({ org: 'side' });

      expect({ org_id, org_slug }).toEqual({ org_id: fixtures().orgs.side, org_slug: 'side' });
      expect((await dpa.call('getOrg', { path: { id: org_id } })).slug).toBe('side');
    });

    test('an organization ID is used without a request', async () => {
      process.env['DPA_URL'] = 'http://127.0.0.1:1';
      const id = newId();

      expect(await openConnection({ org: id })).toMatchObject({ org_id: id, org_slug: null });
    });

    test('the organization of the API key is the default', async () => {
      process.env['DPA_TOKEN'] = fixtures().keys.acme;

      expect(await openConnection({})).toMatchObject({ org_id: fixtures().orgs.acme, org_slug: 'acme' });
      await expect(openConnection({ org: 'side' })).rejects.toThrow('is not a member of the organization "side"');
    });

    test('several organizations are listed, and DPA_ORG selects one', async () => {
      await expect(openConnection({})).rejects.toThrow(
        'no organization selected: set DPA_ORG or --org to one of acme, side',
      );

      process.env['DPA_ORG'] = 'acme';
      expect(await openConnection({})).toMatchObject({ org_id: fixtures().orgs.acme });
      expect(await openConnection({ org: 'side' })).toMatchObject({ org_id: fixtures().orgs.side });
    });

    test.each(['dpa.example.com', 'ftp://dpa.example.com', 'https://x.example/?a=b'])(
      '%s is not a valid service address',
      async (url) => {
        await expect(openConnection({ url, org: 'acme' })).rejects.toThrow('is not a valid service address');
      },
    );

    test.each([
      'https://ana:secret@dpa.example.com',
      'https://:secret@dpa.example.com',
      'https://dpa.example.com/?token=secret',
    ])('an address with credentials is rejected without repeating it: %s', async (url) => {
      const refused = openConnection({ url, org: 'acme' });

      await expect(refused).rejects.toThrow('must not contain a user name, password or token');
      await expect(refused).rejects.not.toThrow('secret');
    });
  });

  describe('with a login', () => {
    test('a missing login is reported', async () => {
      await expect(openConnection({})).rejects.toThrow('set DPA_URL or --url, or run `dpa login --url <url>`');
      await expect(openConnection({ url: fixtures().service.url })).rejects.toThrow(
        'set DPA_TOKEN to an API key, or run `dpa login`',
      );
    });

    test('no other setting is needed, and its organization is only a default', async () => {
      await writeLogin(
        buildLogin(fixtures(), {
          org_id: fixtures().orgs.side,
          org_slug: 'side',
          credential: buildCredential(fixtures()),
        }),
      );

      expect(await openConnection({})).toMatchObject({ org_id: fixtures().orgs.side, org_slug: 'side' });
      expect(await openConnection({ org: 'acme' })).toMatchObject({ org_id: fixtures().orgs.acme, org_slug: 'acme' });
    });

    test('the token is not sent to another service', async () => {
      await writeLogin(buildLogin(fixtures()));

      await expect(openConnection({ url: 'https://evil.example' })).rejects.toThrow(
        `has a login for ${fixtures().service.url}, not for https://evil.example`,
      );
    });

    test('other users cannot read the file and its folder', async () => {
      await writeLogin(buildLogin(fixtures()));

      const modes = await Promise.all(
        [resolveLoginPath(), join(folder, 'dpa')].map(async (path) => (await stat(path)).mode),
      );
      expect(modes.map((mode) => mode & 0o777)).toEqual([0o600, 0o700]);
    });

    test('a file that other users can read is rejected, with the command to fix it', async () => {
      await writeLogin(buildLogin(fixtures()));
      await chmod(resolveLoginPath(), 0o640);

      await expect(openConnection({})).rejects.toThrow(`run \`chmod 600 ${resolveLoginPath()}\``);
    });

    test('an invalid login file is reported with its path', async () => {
      await mkdir(join(folder, 'dpa'), { mode: 0o700 });
      await writeFile(resolveLoginPath(), '{"url": 1}', { mode: 0o600 });

      await expect(openConnection({})).rejects.toThrow(`${resolveLoginPath()} is not a valid login file`);
    });
  });

  describe('in a CI job without DPA_TOKEN', () => {
    beforeEach(async () => {
      Object.assign(process.env, { DPA_URL: fixtures().service.url, DPA_AUDIENCE: AUDIENCE });
      process.env['DPA_ID_TOKEN'] = await fixtures().ci.sign(GITHUB_CLAIMS);
    });

    test('the token of the job is exchanged for a key once', async () => {
      const { dpa, org_id } = await openConnection({ org: fixtures().orgs.acme });

      for (const _ of [1, 2]) expect((await dpa.call('getMe')).auth.org_id).toBe(org_id);
    });

    test('the ID of the organization is required', async () => {
      await expect(openConnection({ org: 'acme' })).rejects.toThrow('needs the ID of the organization');
    });

    test('a token without a matching trust is explained', async () => {
      const { dpa } = await openConnection({ org: fixtures().orgs.side });

      await expect(dpa.call('getMe')).rejects.toThrow(
        /rejected the token of this CI job: .*no trust .* matches this token/,
      );
    });
  });
}

function buildLogin({ service, orgs, keys }: RemoteFixtures, more: Partial<Login> = {}): Login {
  return {
    url: service.url,
    email: 'ana@example.com',
    org_id: orgs.acme,
    org_slug: 'acme',
    credential: { kind: 'api_key', api_key: keys.acme },
    ...more,
  };
}

function buildCredential({ token }: RemoteFixtures): Login['credential'] {
  const issuer = 'http://127.0.0.1:1';
  const ends = { expires_at: Date.now() + 600_000, refresh_token: null };
  return { kind: 'oidc', issuer, client_id: 'cli', parameters: {}, access_token: token, ...ends };
}
