import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pageLinks } from '../../server/http/request/paging.ts';
import { API, bearer, type Harness, ORG, startHttp, testHandlers } from './harness.ts';

const SCANS = `${API}/orgs/${ORG}/scans`;
const seen: unknown[] = [];

let http: Harness;
beforeAll(async () => {
  const handlers = testHandlers();
  const { listScans } = handlers;
  handlers.listScans = (request) => {
    seen.push(request.query);
    return listScans(request);
  };
  const { listAuditLog, listApiKeys } = handlers;
  handlers.listAuditLog = (request) => {
    seen.push(request.query);
    return listAuditLog(request);
  };
  handlers.listApiKeys = (request) => {
    seen.push(request.query);
    return listApiKeys(request);
  };
  http = await startHttp({ handlers });
});
afterAll(() => http.close());

const list = (query: string) => http.send('GET', `${SCANS}?${query}`, { headers: bearer('viewer') });

test('defaults, conversion and clamping of query parameters', async () => {
  await list('');
  await list('limit=1000&offset=7&pr_number=007&repo_name=a%3Ab&unknown=1');
  await list(`limit=${'9'.repeat(300)}`);

  expect(seen.slice(-3)).toEqual([
    { limit: 50, offset: 0 },
    { limit: 200, offset: 7, pr_number: 7, repo_name: 'a:b' },
    { limit: 200, offset: 0 },
  ]);
});

describe('query parameters', () => {
  test.each([
    'limit=0',
    'limit=-1',
    'limit=',
    'limit',
    'limit=0x10',
    'limit=1e2',
    'limit=1.0',
    'limit=%2B5',
    'limit=+5',
    'limit=%205',
    'limit=%D9%A3',
    'limit=1&limit=2',
    'limit[a]=1',
    'limit[]=1',
    'offset=-1',
    'offset=2147483648',
    'offset=99999999999999999999',
    'offset=1e308',
    `offset=${'9'.repeat(400)}`,
    'pr_number=0',
    'pr_number=1e3',
    'account_id=no-uuid',
    'scan_type=nightly',
    'provider=AWS',
    'status=done&status=error',
    'repo_owner=%00',
    `repo_owner=${'a'.repeat(501)}`,
  ])('an invalid value is 400 (%#): %s', async (query) => {
    const { status, json } = await list(query);

    expect([status, json.error_class]).toEqual([400, 'invalid_request']);
    expect(json.details[0].path).toMatch(/^\/query\/[a-z_]+$/);
  });

  test.each(['__proto__[x]=1', 'constructor=1', '%=1', '&&&', 'a[b][c]=1', '=', 'x=%zz', 'q=%ff'])(
    'unknown parameter names are ignored: %s',
    async (query) => {
      expect((await list(query)).status).toBe(200);
      expect(({} as { x?: number }).x).toBeUndefined();
    },
  );
});

test('a page shows the total and links to the other pages', async () => {
  const { headers, json } = await list('status=done&limit=50&offset=50');

  expect(json).toMatchObject({ total: 120, limit: 50, offset: 50 });
  expect(headers['x-total-count']).toBe('120');
  expect(headers['link']).toBe(
    [
      `<${SCANS}?status=done&limit=50&offset=0>; rel="first"`,
      `<${SCANS}?status=done&limit=50&offset=0>; rel="prev"`,
      `<${SCANS}?status=done&limit=50&offset=100>; rel="next"`,
      `<${SCANS}?status=done&limit=50&offset=100>; rel="last"`,
    ].join(', '),
  );
});

describe('paging links', () => {
  test.each([
    [{ total: 0, limit: 10, offset: 0 }, 'first 0, last 0'],
    [{ total: 10, limit: 10, offset: 0 }, 'first 0, last 0'],
    [{ total: 11, limit: 10, offset: 0 }, 'first 0, next 10, last 10'],
    [{ total: 11, limit: 10, offset: 10 }, 'first 0, prev 0, last 10'],
    [{ total: 30, limit: 10, offset: 5 }, 'first 0, prev 0, next 15, last 20'],
    [{ total: 30, limit: 10, offset: 500 }, 'first 0, prev 20, last 20'],
  ])('%j', (page, expected) => {
    const found = [...pageLinks('/x', page).matchAll(/offset=(\d+)>; rel="(\w+)"/g)];

    expect(found.map(([, offset, rel]) => `${rel} ${offset}`).join(', ')).toBe(expected);
  });
});

describe('a page without an envelope', () => {
  test('a page without an envelope shows its position in the headers', async () => {
    const answer = await http.send('GET', `${API}/admin/users?limit=50&offset=50&q=an`, { headers: bearer('root') });

    expect(Array.isArray(answer.json)).toBe(true);
    expect(answer.headers['x-total-count']).toBe('120');
    expect(answer.headers['link']).toBe(
      [
        '</api/v2/admin/users?limit=50&offset=0&q=an>; rel="first"',
        '</api/v2/admin/users?limit=50&offset=0&q=an>; rel="prev"',
        '</api/v2/admin/users?limit=50&offset=100&q=an>; rel="next"',
        '</api/v2/admin/users?limit=50&offset=100&q=an>; rel="last"',
      ].join(', '),
    );
  });

  test('a list without pages has no paging headers', async () => {
    const { headers } = await http.send('GET', `${API}/admin/domains`, { headers: bearer('root') });

    expect([headers['x-total-count'], headers['link']]).toEqual([undefined, undefined]);
  });
});

describe('timestamps', () => {
  const log = (query: string) => http.send('GET', `${API}/admin/audit-log?${query}`, { headers: bearer('root') });

  test.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.6789%2B05:30', '2026-01-01T21:34:05.678Z'],
    ['2026-01-02t03:04:05-00:00', '2026-01-02T03:04:05.000Z'],
  ])('%s reaches the handler in UTC', async (since, expected) => {
    const answer = await log(`since=${since}`);

    expect([answer.text.slice(0, 200), answer.status]).toEqual([expect.anything(), 200]);
    expect(seen.at(-1)).toMatchObject({ since: expected });
  });

  test.each([
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-01-02T03:04:05+01:00',
    '2026-02-30T03:04:05Z',
    '2026-01-02T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '1767323045',
    'yesterday',
    '',
  ])('%s is 400', async (until) => {
    const answer = await log(`until=${until}`);

    expect([answer.status, answer.json.details[0].path]).toEqual([400, '/query/until']);
  });

  test('a timestamp in a body must also exist', async () => {
    const json = { name: 'CI', scopes: ['read'], expires_at: '2016-12-31T23:59:60Z' };
    const answer = await http.send('POST', `${API}/orgs/${ORG}/api-keys`, { headers: bearer('owner'), json });

    expect([answer.status, answer.json.details[0].path]).toEqual([400, '/body/expires_at']);
  });
});

test('flags accept only true and false', async () => {
  const keys = (query: string) =>
    http.send('GET', `${API}/orgs/${ORG}/api-keys?${query}`, { headers: bearer('owner') });
  await keys('include_revoked=true');

  expect(seen.at(-1)).toEqual({ include_ephemeral: false, include_revoked: true, limit: 50, offset: 0 });
  for (const odd of ['1', 'yes', '', 'TRUE']) expect((await keys(`include_revoked=${odd}`)).status).toBe(400);
});

test('expected_min_seq can be as large as the largest exact integer', async () => {
  const verify = (seq: string) =>
    http.send('GET', `${API}/orgs/${ORG}/audit-log/verify?expected_min_seq=${seq}`, { headers: bearer('owner') });

  expect((await verify('9007199254740991')).status).toBe(200);
  for (const seq of ['9007199254740992', '-1', '1.5', 'x']) expect((await verify(seq)).status).toBe(400);
});
