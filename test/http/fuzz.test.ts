import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { API, bearer, type Harness, JOB, ORG, OTHER_ORG, SCAN, startHttp } from './harness.ts';

let http: Harness;
beforeAll(async () => {
  http = await startHttp();
});
afterAll(() => http.close());

const NASTY = ['\0', '\ud800', '\u202e', '..', '%00', '%2e%2e', '%zz', "'--", '{{x}}', '1e400', '-0', '\r\nX: y'];
const nasty = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...NASTY));

const token = fc.constantFrom('viewer', 'member', 'owner', 'outsider', 'nobody', 'key:member', '');
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND');
const id = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(ORG, JOB, SCAN, OTHER_ORG, ORG.toUpperCase()) },
  { weight: 1, arbitrary: nasty.map(encode) },
);
const path = fc.oneof(
  fc.constantFrom('/me', '/orgs', '/openapi.json', '/openapi.yaml', '/docs', ''),
  id.map((org) => `/orgs/${org}`),
  fc
    .tuple(id, fc.constantFrom('analyze', 'scans', 'llm-jobs', 'scans/', 'x'), fc.option(id, { nil: undefined }))
    .map(([org, part, below]) => `/orgs/${org}/${part}${below === undefined ? '' : `/${below}`}`),
  nasty.map((text) => `/${encode(text)}`),
);
const name = fc.oneof(fc.constantFrom('limit', 'offset', 'pr_number', 'provider', 'account_id', 'repo_name'), nasty);
const query = fc
  .array(fc.tuple(name, fc.oneof(nasty, fc.integer().map(String), fc.double().map(String))), { maxLength: 4 })
  .map((pairs) => pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&'));

const member = fc.constantFrom(
  'plan_json',
  'ci',
  'slug',
  'display_name',
  'repo_url',
  'pr_number',
  'branch',
  '__proto__',
);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    nasty,
    fc.constantFrom(null, true, 0, 7, -1, 2 ** 31, 2 ** 53, 1e308, 'https://x', 'acme'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(member, nasty), tie('value'), { maxKeys: 5 }),
  ),
})).value;
const body = fc.oneof(
  { weight: 5, arbitrary: value.map((one) => Buffer.from(JSON.stringify(one))) },
  {
    weight: 3,
    arbitrary: fc
      .dictionary(member, value, { maxKeys: 4 })
      .map((one) => Buffer.from(JSON.stringify({ plan_json: 'x', ...one }))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: nasty.map((text) => Buffer.from(text)) },
);
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', 'a/b; c="d'),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'br', ''),
    'idempotency-key': nasty.map(latin),
    'if-none-match': nasty.map(latin),
    'x-request-id': nasty.map(latin),
    'x-org-id': fc.constant(ORG),
    'x-http-method-override': fc.constant('DELETE'),
  },
  { requiredKeys: [] },
);

test('no request causes a 5xx, and every error has the same shape', async () => {
  const request = fc.record({ token, method, path, query, body: fc.option(body, { nil: undefined }), headers });
  await fc.assert(
    fc.asyncProperty(request, async ({ token, method, path, query, body, headers }) => {
      const credential = token === '' ? {} : token.startsWith('key:') ? { 'x-api-key': token } : bearer(token);
      const sent = { headers: { ...headers, ...credential }, ...(body === undefined ? {} : { body }) };

      const { status, json, text, headers: answered } = await http.send(method, `${API}${path}?${query}`, sent);

      expect(status).toBeLessThan(500);
      if (status < 400 || method === 'HEAD') return;
      expect(json).toMatchObject({ error: expect.any(String), error_class: expect.any(String) });
      expect(json.request_id).toBe(answered['x-request-id']);
      expect(text).not.toMatch(/\.[jt]s:\d+|node_modules/);
    }),
    { numRuns: 400 },
  );
});

function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** Text that is allowed in a header. */
function latin(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?');
}
