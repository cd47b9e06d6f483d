/** Every operation of the contract with every type of caller, and with every way to write its path. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Access, OperationObject } from '../../server/http/contract/openapi-types.ts';
import { ROLES } from '../../server/lib/principal.ts';
import { API, bearer, document, type Harness, JOB, ORG, startHttp } from './harness.ts';

const IDS: Record<string, string> = {
  fingerprint: 'f'.repeat(32),
  handle: '0'.repeat(48),
  trace_id: `trc-${'0'.repeat(24)}`,
  provider: 'aws',
};

const operations = Object.entries(document.api.paths).flatMap(([template, { parameters: _shared, ...methods }]) =>
  Object.entries(methods).map(([method, object]) => ({
    id: object.operationId,
    method: method.toUpperCase(),
    path: API + template.replace('/orgs/{id}', `/orgs/${ORG}`).replaceAll(/\{(\w+)\}/g, (_, name) => IDS[name] ?? JOB),
    in_org: template.startsWith('/orgs/{id}'),
    object,
  })),
);

let http: Harness;
beforeAll(async () => {
  const rateLimiter = { take: async () => ({ allowed: true, remaining: 1 }) };
  http = await startHttp({ rateLimiter });
});
afterAll(() => http.close());

type Headers = Record<string, string>;

function call(method: string, path: string, object: OperationObject, headers: Headers) {
  const { example, examples = {} } = object.requestBody?.content['application/json'] ?? {};
  const json = example ?? Object.values(examples)[0]?.value;
  return http.send(method, path + buildQuery(object), { headers, ...(json === undefined ? {} : { json }) });
}

/** The examples of the query parameters that the operation requires. */
function buildQuery({ parameters = [] }: OperationObject): string {
  const required = parameters.flatMap((one) => ('$ref' in one || one.in !== 'query' || !one.required ? [] : [one]));
  return required.length === 0 ? '' : `?${required.map(({ name, example }) => `${name}=${example}`).join('&')}`;
}

const key = (token: string) => ({ 'x-api-key': `key:${token}` });
const callers: [name: string, headers: Headers][] = [
  ['nobody', {}],
  ...['outsider', 'viewer', 'member', 'admin', 'owner', 'root'].map((name): [string, Headers] => [name, bearer(name)]),
  ['key of root', key('root/read,write')],
  ['key of an owner that may all', key('owner/read,write')],
  ['key of an owner that may read', key('owner/read')],
  ['key of an owner with one scope', key('owner/scans:read')],
  ['key of a viewer that may all', key('viewer/write')],
  ['key of an owner who left', key('lapsed/write')],
];

/** The access rules in plain code, as the first error that applies; undefined if the caller has access. */
function refusal(access: Access, in_org: boolean, caller: string): string | undefined {
  const by_key = caller.startsWith('key');
  const who = /root|outsider|left|viewer|member|admin|owner/.exec(caller.replace('owner who', ''))?.[0] ?? 'nobody';
  if (access.credential === 'none') return undefined;
  if (who === 'nobody') return 'unauthenticated';
  if (access.credential === 'oidc' && by_key) return 'oidc_required';
  if (access.platform_admin === 'required' && who !== 'root') return 'platform_admin_required';
  if (!in_org) return undefined;
  if (access.platform_admin === 'also' && who === 'root' && !by_key) return undefined;
  if (!by_key && ['root', 'outsider'].includes(who)) return 'not_found';
  if (by_key && access.key === 'exempt') return undefined;
  const role = (ROLES as readonly string[]).indexOf(who);
  const least = access.self ? 0 : ROLES.indexOf(access.role ?? 'viewer');
  if (role < least) return 'forbidden_role';
  const scopes = caller.endsWith('may all') ? /./ : caller.endsWith('may read') ? /:read$/ : /^scans:read$/;
  if (by_key && access.scope !== undefined && !scopes.test(access.scope)) return 'missing_scope';
  return undefined;
}

describe.each(callers)('%s', (caller, headers) => {
  test.each(operations)('$id', async ({ method, path, in_org, object }) => {
    const answer = await call(method, path, object, headers);

    const expected = refusal(object['x-access'], in_org, caller);
    expect(answer.status < 400 ? undefined : answer.json?.error_class).toBe(expected);
    if (expected === undefined)
      expect([answer.text.slice(0, 300), answer.status < 400]).toEqual([expect.anything(), true]);
  });
});

describe('a refusal says what is missing', () => {
  test.each([
    ['GET', '/admin/users', bearer('owner'), 'platform admin required'],
    ['PATCH', `/orgs/${ORG}`, bearer('admin'), 'role owner required'],
    ['GET', `/orgs/${ORG}/invitations`, bearer('member'), 'role owner or admin required'],
    ['POST', `/orgs/${ORG}/analyze`, bearer('viewer'), 'role owner, admin or member required'],
    ['GET', `/orgs/${ORG}`, key('lapsed/read'), 'membership required'],
    [
      'GET',
      `/orgs/${ORG}/settings`,
      key('owner/org:read'),
      'scope settings:read required; the API key does not have it',
    ],
  ])('%s %s', async (method, path, headers: Headers, error) => {
    const answer = await http.send(method, API + path, { headers });

    expect([answer.status, answer.json.error]).toEqual([403, error]);
  });
});

test('a write scope does not include reading, except the scope "write"', async () => {
  const scans = (scopes: string) => http.send('GET', `${API}/orgs/${ORG}/scans`, { headers: key(`owner/${scopes}`) });
  const statuses: number[] = [];
  for (const scopes of ['scans:write', 'read:scans', 'org:read', '', 'scans:read', 'read', 'write']) {
    statuses.push((await scans(scopes)).status);
  }

  expect(statuses).toEqual([403, 403, 403, 403, 200, 200, 200]);
});

describe('every path in the contract is written in one canonical form', () => {
  const forms: [string, (path: string) => string][] = [
    ['in capitals', (path) => path.toUpperCase()],
    ['with a slash at its end', (path) => `${path}/`],
    ['with a slash too many', (path) => path.replace(/\/([^/]+)$/, '//$1')],
    ['with a slash too many at its start', (path) => `/${path}`],
    ['with a dot', (path) => path.replace(/\/([^/]+)$/, '/./$1')],
    ['with escaped dots', (path) => path.replace(/\/([^/]+)$/, '/x/%2e%2e/$1')],
    ['with an escaped letter', (path) => path.replace('/api/v2/', '/api/%762/')],
  ];
  test.each(forms)('a path %s does not name an organization', async (_name, form) => {
    for (const { method, path, object } of operations) {
      for (const headers of [bearer('owner'), bearer('root')]) {
        const answer = await call(method, form(path), object, headers);
        expect([method, form(path), answer.status]).toEqual([method, form(path), 404]);
      }
    }
  });

  test('an id in upper case is the same id', async () => {
    for (const { method, path, in_org, object } of operations) {
      const written = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|f{32}/g, (id) => id.toUpperCase());
      const headers = bearer(in_org ? 'owner' : 'root');
      const answers = [await call(method, path, object, headers), await call(method, written, object, headers)];
      expect([written, answers[1]!.status, answers[1]!.text]).toEqual([written, answers[0]!.status, answers[0]!.text]);
    }
  });
});
