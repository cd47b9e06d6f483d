/** The only operation with OAuth 2.0: forms as input, its own error format, and its own limit. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createMemoryLimiter } from '../../server/http/index.ts';
import { parseForm } from '../../server/http/request/parse-form.ts';
import { InvalidInput, ServiceError } from '../../server/lib/errors.ts';
import { API, type Harness, ORG, startHttp, testHandlers } from './harness.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const FIELDS = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: 'a.b.c',
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  audience: ORG,
};

let bodies: unknown[] = [];
let fault: ServiceError | undefined;
let http: Harness;

function start(changes = {}) {
  const handlers = testHandlers();
  const { exchangeToken } = handlers;
  handlers.exchangeToken = async (request) => {
    bodies.push(request.body);
    if (fault !== undefined) throw fault;
    return exchangeToken(request);
  };
  return startHttp({ handlers, rateLimiter: { take: async () => ({ allowed: true, remaining: 1 }) }, ...changes });
}

beforeAll(async () => {
  http = await start();
});
afterAll(() => http.close());
afterEach(() => {
  bodies = [];
  fault = undefined;
});

const exchange = (body: string | Buffer, headers: Record<string, string> = FORM) =>
  http.send('POST', `${API}/federation/token`, { headers, body });
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe('a form-encoded token exchange', () => {
  test('the form is equivalent to the JSON request', async () => {
    const fields = { ...FIELDS, scope: 'analysis:read analysis:write' };
    const answers = [
      await exchange(form(fields)),
      await exchange(form(fields), { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' }),
      await exchange(gzipSync(form(fields)), { ...FORM, 'content-encoding': 'gzip' }),
      await exchange(JSON.stringify(fields), { 'content-type': 'application/json' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[0]!.headers['cache-control']).toBe('no-store');
    expect(bodies).toEqual(Array(4).fill(fields));
  });

  test('an empty form field counts as omitted', async () => {
    await exchange(`${form(FIELDS)}&scope=&`);

    expect(bodies).toEqual([FIELDS]);
  });

  test.each([
    ['a duplicate field', `${form(FIELDS)}&audience=${ORG}`, 'invalid_request'],
    ['a duplicate empty field', `${form(FIELDS)}&scope=&scope=`, 'invalid_request'],
    ['an unknown field', `${form(FIELDS)}&admin=1`, 'unknown_field'],
    ['__proto__', `${form(FIELDS)}&__proto__=1`, 'unknown_field'],
    ['a missing field', form({ ...FIELDS, audience: '' }), 'invalid_request'],
    ['a broken escape', `${form(FIELDS)}&scope=%zz`, 'invalid_request'],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(`${form(FIELDS)}&scope=`), Buffer.of(0xff)]),
      'invalid_request',
    ],
    ['an escape that is not UTF-8', `${form(FIELDS)}&scope=%ff`, 'invalid_request'],
    ['U+0000', `${form(FIELDS)}&scope=%00`, 'invalid_request'],
    ['JSON instead of fields', JSON.stringify(FIELDS), 'invalid_request'],
    ['nothing', '', 'invalid_request'],
  ])('a form with %s is 400', async (_name, body, error_class) => {
    const answer = await exchange(body);

    expect([answer.status, answer.json.error, answer.json.error_class]).toEqual([400, 'invalid_request', error_class]);
    expect(bodies).toEqual([]);
  });

  test('any text survives form encoding and decoding', () => {
    const fields = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }));
    fc.assert(
      fc.property(fields, (values) => {
        const expected = Object.entries(values);
        expect(Object.entries(parseForm(Buffer.from(form(values)))).sort()).toEqual(expected.sort());
      }),
    );
  });

  test('no other operation accepts a form', async () => {
    const answer = await http.send('POST', `${API}/orgs`, { headers: FORM, body: 'slug=acme' });

    expect([answer.status, answer.json.error]).toEqual([415, 'content type must be application/json, in UTF-8']);
  });
});

describe('an OAuth 2.0 error', () => {
  test.each([
    [new InvalidInput('no trust fits', 'invalid_grant'), 400, 'invalid_grant'],
    [new InvalidInput('too much', 'invalid_scope'), 400, 'invalid_scope'],
    [new InvalidInput('what grant', 'unsupported_grant_type'), 400, 'unsupported_grant_type'],
    [new InvalidInput('an issuer that must not be called', 'url_not_allowed'), 400, 'invalid_request'],
    [
      new ServiceError(503, 'federation_not_configured', 'not here', { retry_after: 5 }),
      503,
      'temporarily_unavailable',
    ],
    [new ServiceError(500, 'internal', 'boom'), 500, 'server_error'],
  ])('%s', async (thrown, status, error) => {
    fault = thrown;

    const { json, ...answer } = await exchange(form(FIELDS));

    expect(answer.status).toBe(status);
    expect(json).toMatchObject({ error, error_description: thrown.message, error_class: thrown.error_class });
    expect(json.request_id).toBe(answer.headers['x-request-id']);
  });

  test.each([
    ['a body of another content type', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a body that is too long', { ...FORM, 'content-length': String(2 ** 21) }, 413, 'payload_too_large'],
    ['invalid JSON', { 'content-type': 'application/json' }, 400, 'invalid_json'],
  ])('errors before the handler also have the OAuth 2.0 form: %s', async (_name, headers, status, error_class) => {
    const answer = await exchange('{', headers as Record<string, string>);

    expect([answer.status, answer.json.error, answer.json.error_class]).toEqual([
      status,
      'invalid_request',
      error_class,
    ]);
  });

  test('the description contains only characters that OAuth 2.0 allows', async () => {
    fault = new InvalidInput('claim "ref" \\ is ü\n');

    expect((await exchange(form(FIELDS))).json.error_description).toBe("claim 'ref' ? is ??");
  });
});

test('an address can make 30 requests a minute, authenticated or not, independent of other addresses', async () => {
  const limited = await start({ rateLimiter: createMemoryLimiter(() => 0) });
  const send = (path: string) => limited.send('POST', API + path, { headers: FORM, body: form(FIELDS) });
  const statuses: number[] = [];
  for (let i = 0; i < 30; i++) statuses.push((await send('/federation/token')).status);
  const refused = await send('/federation/token');
  const other = await send('/orgs');
  await limited.close();

  expect(statuses).toEqual(Array(30).fill(200));
  expect([refused.status, refused.json.error, refused.json.error_class]).toEqual([
    429,
    'temporarily_unavailable',
    'rate_limited',
  ]);
  expect([refused.headers['retry-after'], refused.json.retry_after]).toEqual(['2', 2]);
  expect(other.status).toBe(415);
});

test('while the rate-limit store is not available, token exchanges are rejected', async () => {
  const broken = await start({ rateLimiter: { take: () => Promise.reject(new Error('gone')) } });
  const answer = await broken.send('POST', `${API}/federation/token`, { headers: FORM, body: form(FIELDS) });
  await broken.close();

  expect([answer.status, answer.json.error]).toEqual([503, 'temporarily_unavailable']);
  expect(bodies).toEqual([]);
});
