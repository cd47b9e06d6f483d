import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { StateLocation } from '../../../server/adapters/state-backend/types.ts';
import { HTML_PAGE, type RestServer, startRestServer } from '../../fakes/cloud/rest-server.ts';
import { BACKEND_TEXT } from '../../fakes/state/gcs.ts';
import { type FakeTfc, startFakeTfc, TFC_LIMITED } from '../../fakes/state/tfc.ts';
import { createTestBackend, findFailure, readAll, STATE, TOKEN } from './setup.ts';

const ID = 'ws-6fHMCom98SDXSQUv';
let tfc: FakeTfc;
let archive: RestServer;
beforeAll(async () => {
  tfc = await startFakeTfc();
  archive = await startRestServer(({ path }) => ({
    name: path,
    answer: () => ({ status: 200, text: STATE }),
  }));
});
beforeEach(() => {
  tfc.workspaces = new Map([[ID, { organization: 'acme', name: 'prod_web-1', state: STATE }]]);
  tfc.tokens = new Set([TOKEN]);
  tfc.download_origin = tfc.url;
  for (const server of [tfc, archive]) {
    server.troubles.length = 0;
    server.calls.length = 0;
    server.requests.length = 0;
  }
});
afterAll(async () => {
  await tfc.close();
  await archive.close();
});

const open = (deps = {}) => createTestBackend([tfc, archive], deps);
const locate = (workspace = ID, endpoint = tfc.url): StateLocation => ({
  kind: 'tfc',
  endpoint,
  workspace,
  token: TOKEN,
});
const read = (location = locate(), deps = {}) => readAll(open(deps), location, null);

test('the state of a workspace is read by its ID', async () => {
  expect(await read()).toEqual({ text: STATE, etag: 'sv-DmoXecHePnNznaA4' });
  expect(tfc.calls).toEqual(['state-versions.current', 'archivist']);
});

test('a workspace can be given by organization and name, and the address with the path of the API', async () => {
  expect((await read(locate('acme/prod_web-1', `${tfc.url}/api/v2`))).text).toBe(STATE);
  expect(tfc.calls).toEqual(['workspaces.show', 'state-versions.current', 'archivist']);
});

test('HCP Terraform is asked if no address is given', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return new Response('{}', { status: 404 });
  };

  await findFailure(readAll(createTestBackend([], { fetch }), { kind: 'tfc', workspace: ID, token: TOKEN }, null));

  expect(asked[0]).toBe(`https://app.terraform.io/api/v2/workspaces/${ID}/current-state-version`);
});

describe('a state that is not found', () => {
  test('because nothing was applied: the workspace is known to exist', async () => {
    tfc.workspaces.get(ID)!.state = null;

    expect(await findFailure(read())).toEqual([
      'not_found',
      `The workspace "${ID}" exists, but has no state yet. Run an apply.`,
    ]);
  });

  test('because the token cannot read states: what to grant is named', async () => {
    tfc.workspaces.get(ID)!.can_read_states = false;

    expect(await findFailure(read(locate('acme/prod_web-1')))).toEqual([
      'access_denied',
      'The token sees the workspace "acme/prod_web-1", but is not allowed to read its states. Give its team or user the permission to read state versions.',
    ]);
  });

  test.each([
    ['of an unknown workspace ID', 'ws-gone', 'does not see the workspace "ws-gone". Check its ID'],
    ['of an unknown workspace', 'acme/other', 'The organization "acme" exists, but the token does not see a workspace'],
    ['of an unknown organization', 'other/prod', 'does not see an organization "other". Check its name'],
  ])('%s: what is known, and what to check', async (_title, workspace, message) => {
    expect(await findFailure(read(locate(workspace)))).toEqual(['not_found', expect.stringContaining(message)]);
  });
});

test('a revoked token is rejected', async () => {
  tfc.tokens.clear();

  expect(await findFailure(read())).toEqual([
    'credential_rejected',
    `Terraform Enterprise at ${new URL(tfc.url).host} rejects the token. It has expired, or was revoked. Save the state source with a new one.`,
  ]);
});

test('a rate limit says when to try again', async () => {
  tfc.troubles.push({ operation: 'state-versions.current', how: TFC_LIMITED });

  const [reason, message] = await findFailure(read());

  expect([reason, message]).toEqual(['throttled', expect.stringContaining('Try again in 1 seconds.')]);
});

test.each([
  ['workspaces.show', 'a web page', HTML_PAGE, 'unusable'],
  ['workspaces.show', 'an ID that is none', { status: 200, body: { data: { id: '../../admin' } } }, 'unusable'],
  ['state-versions.current', 'a web page', HTML_PAGE, 'unusable'],
  ['state-versions.current', 'a document without data', { status: 200, body: {} }, 'unusable'],
  [
    'state-versions.current',
    'a state that is being uploaded',
    { status: 200, body: { data: { attributes: {} } } },
    'unusable',
  ],
  ['state-versions.current', 'a document that ends in the middle', 'cut', 'unreachable'],
  ['state-versions.current', 'a server error', { status: 500, text: BACKEND_TEXT }, 'unreachable'],
  ['state-versions.current', 'a refusal', { status: 403, text: BACKEND_TEXT }, 'access_denied'],
  ['state-versions.current', 'a bad request', { status: 422, text: BACKEND_TEXT }, 'unusable'],
  ['archivist', 'an expired address', { status: 404, text: BACKEND_TEXT }, 'unreachable'],
  ['archivist', 'a web page', HTML_PAGE, 'unusable'],
  ['archivist', 'a state that ends in the middle', 'cut', 'unreachable'],
  [
    'archivist',
    'a state of 1 GB',
    { status: 200, text: '{', headers: { 'content-length': '1073741824' } },
    'too_large',
  ],
] as const)('in response to %s, %s is an error that says so', async (operation, _title, how, reason) => {
  tfc.troubles.push({ operation, how });

  expect((await findFailure(read(locate('acme/prod_web-1'))))[0]).toBe(reason);
});

test('a document that never ends is not read into memory', async () => {
  const text = `{"data":"${'x'.repeat(17_000_000)}"}`;
  tfc.troubles.push({ operation: 'state-versions.current', how: { status: 200, text } });

  expect((await findFailure(read()))[0]).toBe('too_large');
});

describe('other servers', () => {
  test('a download from another server is asked for without the token', async () => {
    tfc.download_origin = archive.url;

    expect((await read()).text).toBe(STATE);
    expect(archive.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(tfc.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`]);
  });

  test('a redirect to another server is followed without the token', async () => {
    const how = { status: 302, text: '', headers: { location: `${archive.url}/signed?x=1` } };
    tfc.troubles.push({ operation: 'archivist', how });

    expect((await read()).text).toBe(STATE);
    expect(archive.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('another server that redirects back does not get the token, and neither does the path that it chose', async () => {
    tfc.download_origin = archive.url;
    const path = `/_archivist/v1/object/${Buffer.from(ID).toString('base64url')}`;
    archive.troubles.push({
      operation: path,
      how: { status: 307, text: '', headers: { location: `${tfc.url}${path}` } },
    });

    expect((await read()).text).toBe(STATE);
    expect(archive.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(tfc.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, undefined]);
  });

  test('three redirects are followed, and a fourth is not', async () => {
    const back = { status: 302, text: '', headers: { location: '/_archivist/v1/object/x' } };
    const last = { status: 302, text: '', headers: { location: `${archive.url}/signed` } };
    tfc.troubles.push({ operation: 'archivist', how: back, times: 2 }, { operation: 'archivist', how: last });

    expect((await read()).text).toBe(STATE);

    tfc.troubles.push({ operation: 'archivist', how: back, times: 3 }, { operation: 'archivist', how: last });
    const calls_before = archive.calls.length;

    expect((await findFailure(read()))[0]).toBe('unusable');
    expect(archive.calls.length).toBe(calls_before);
  });

  test.each(['http://[', ''])('a redirect to %j is not followed', async (location) => {
    tfc.troubles.push({
      operation: 'archivist',
      how: { status: 302, text: '', headers: location === '' ? {} : { location } },
    });

    expect((await findFailure(read()))[0]).toBe('not_allowed');
  });
});
