import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Unauthenticated } from '../../server/lib/errors.ts';
import { API, bearer, type Harness, JOB, ORG, OTHER_ORG, SCAN, startHttp } from './harness.ts';

let http: Harness;
beforeAll(async () => {
  http = await startHttp();
});
afterAll(() => http.close());

describe('every operation returns its documented status', () => {
  test.each([
    ['GET', '/me', 200],
    ['GET', '/orgs', 200],
    ['GET', `/orgs/${ORG}`, 200],
    ['GET', `/orgs/${ORG}/llm-jobs/${JOB}`, 200],
    ['GET', `/orgs/${ORG}/scans`, 200],
    ['GET', `/orgs/${ORG}/scans/${SCAN}`, 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/openapi.yaml', 200],
    ['GET', '/docs', 200],
  ])('%s %s is %i', async (method, path, status) => {
    const answer = await http.send(method, API + path, { headers: bearer('owner') });
    expect([answer.text.slice(0, 300), answer.status]).toEqual([expect.anything(), status]);
  });

  test('POST /orgs is 201 with the location of the organization', async () => {
    const json = { display_name: 'Acme', slug: 'acme' };
    const answer = await http.send('POST', `${API}/orgs`, { headers: bearer('owner'), json });

    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject(json);
    expect(answer.headers['location']).toBe(`${API}/orgs/${ORG}`);
  });

  test('POST analyze is 202 with the location of the job and Retry-After', async () => {
    const json = { plan_json: '{}', ci: { pr_number: 7 } };
    const answer = await http.send('POST', `${API}/orgs/${ORG}/analyze`, { headers: bearer('member'), json });

    expect(answer.status).toBe(202);
    expect(answer.headers).toMatchObject({ location: `${API}/orgs/${ORG}/llm-jobs/${JOB}`, 'retry-after': '5' });
  });
});

test('a request with several faults gets one error at a time, in order', async () => {
  const too_long = { 'content-length': String(6 * 1024 * 1024), 'content-type': 'application/json' };
  const wrong = { 'content-type': 'text/plain' };
  const steps: [string, Record<string, string>, string, number, string][] = [
    [ORG, too_long, '{', 413, 'payload_too_large'],
    [ORG, wrong, '{', 415, 'unsupported_media_type'],
    [OTHER_ORG, {}, '{', 401, 'unauthenticated'],
    [OTHER_ORG, bearer('nobody'), '{', 401, 'invalid_token'],
    [OTHER_ORG, bearer('viewer'), '{', 404, 'not_found'],
    ['not-an-id', bearer('viewer'), '{', 404, 'not_found'],
    [ORG, bearer('viewer'), '{', 403, 'forbidden_role'],
    [ORG, bearer('member'), '{', 400, 'invalid_json'],
    [ORG, bearer('member'), '{}', 400, 'invalid_request'],
  ];
  for (const [org, headers, body, status, error_class] of steps) {
    const { json, ...answer } = await http.send('POST', `${API}/orgs/${org}/analyze`, { headers, body });
    expect([answer.status, json.error_class]).toEqual([status, error_class]);
  }
});

test('an API key is rejected before the body is read if an access token is required', async () => {
  const answer = await http.send('POST', `${API}/orgs`, { headers: { 'x-api-key': 'key:owner' }, body: '{' });

  expect([answer.status, answer.json.error_class]).toEqual([403, 'oidc_required']);
});

test('a malformed id below an organization is 404 after the role check', async () => {
  const answer = await http.send('GET', `${API}/orgs/${ORG}/scans/no-id`, { headers: bearer('viewer') });

  expect(answer.status).toBe(404);
});

test('ids in upper case are equal to ids in lower case', async () => {
  const path = `${API}/orgs/${ORG.toUpperCase()}/llm-jobs/${JOB.toUpperCase()}`;
  const answer = await http.send('GET', path, { headers: bearer('viewer') });

  expect([answer.status, answer.json.job_id]).toEqual([200, JOB]);
});

describe('credentials', () => {
  test.each([
    [{}, 401, 'unauthenticated'],
    [{ authorization: 'Basic dTpw' }, 401, 'unauthenticated'],
    [{ authorization: 'Bearer' }, 401, 'unauthenticated'],
    [{ authorization: 'Bearer a b' }, 401, 'unauthenticated'],
    [{ 'x-api-key': '' }, 401, 'invalid_api_key'],
    [{ authorization: 'Bearer owner', 'x-api-key': 'owner' }, 400, 'ambiguous_credentials'],
    [{ authorization: ['Bearer owner', 'Bearer viewer'] }, 400, 'ambiguous_credentials'],
    [{ 'x-api-key': ['owner', 'viewer'] }, 400, 'ambiguous_credentials'],
    [{ authorization: 'bearer owner' }, 200, undefined],
  ])('%j is %i %s', async (headers: Record<string, string | string[]>, status, error_class) => {
    const answer = await http.send('GET', `${API}/me`, { headers });

    expect([answer.status, answer.json.error_class]).toEqual([status, error_class]);
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer realm="api"' : undefined);
  });
});

test('a token larger than 16 KiB is rejected and one of 16 KiB is verified', async () => {
  const authenticate = async ({ token }: { token: string }) => {
    throw new Unauthenticated(`seen ${token.length}`, 'invalid_token');
  };
  const looking = await startHttp({ authenticate });
  const answers = await Promise.all(
    [16_384, 16_385].map((length) => looking.send('GET', `${API}/me`, { headers: bearer('a'.repeat(length)) })),
  );
  await looking.close();

  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  expect(answers.map(({ json }) => json.error)).toEqual(['seen 16384', 'the credential is not valid']);
});

describe('paths are compared exactly', () => {
  test.each([
    '/API/V2/me',
    '/api/v2/ME',
    '/api/v2/me/',
    '/api/v2//me',
    '//api/v2/me',
    '/api/v2/./me',
    '/api/v2/orgs/../me',
    '/api/v2/%6de',
    '/api/v2/%2e/me',
    '/api/v2',
    '/api/v2/',
    '/api/v1/me',
    '/',
    `/api/v2/orgs/${ORG}/`,
    `/api/v2/orgs/${ORG}/scans/`,
    '/api/v2/orgs//scans',
    '/%zz',
  ])('%s is 404', async (path) => {
    const answer = await http.send('GET', path, { headers: bearer('owner') });

    expect([answer.status, answer.json.error_class]).toEqual([404, 'not_found']);
  });

  test.each([
    ['POST', '/me', 'GET, HEAD'],
    ['DELETE', '/orgs', 'GET, HEAD, POST'],
    ['OPTIONS', '/orgs', 'GET, HEAD, POST'],
    ['TRACE', `/orgs/${ORG}`, 'GET, HEAD, PATCH'],
    ['GET', `/orgs/${ORG}/analyze`, 'POST'],
  ])('%s %s is 405 with the allowed methods', async (method, path, allow) => {
    const answer = await http.send(method, API + path);

    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
    expect(answer.json.error_class).toBe('method_not_allowed');
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const answer = await http.send('HEAD', `${API}/orgs`, { headers: bearer('owner') });

    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100);
  });
});

test('X-Org-ID is rejected when an organization is created and ignored elsewhere', async () => {
  const headers = { ...bearer('owner'), 'X-Org-ID': ORG };
  const json = { display_name: 'Acme', slug: 'acme' };

  const created = await http.send('POST', `${API}/orgs`, { headers, json });
  const listed = await http.send('GET', `${API}/orgs`, { headers });

  expect([created.status, created.json.error_class]).toEqual([400, 'org_header_not_allowed']);
  expect(listed.status).toBe(200);
});
