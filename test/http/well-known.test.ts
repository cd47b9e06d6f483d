import { afterEach, expect, test } from '@jest/globals';
import { type Harness, startHttp } from './harness.ts';

const CONFIGURATION = '/.well-known/openid-configuration';
const JWKS = '/.well-known/jwks.json';
const documents = { configuration: { issuer: 'https://api.example.com' }, jwks: { keys: [] } };

let http: Harness;
afterEach(() => http.close());

test('the discovery documents for clouds are public and can be cached for 5 minutes', async () => {
  http = await startHttp({ wellKnown: () => documents });

  const answers = [await http.send('GET', CONFIGURATION), await http.send('GET', JWKS)];

  expect(answers.map(({ json }) => json)).toEqual([documents.configuration, documents.jwks]);
  for (const { status, headers } of answers) {
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
    expect(headers['x-request-id']).toBeDefined();
  }
  expect((await http.send('POST', JWKS)).status).toBe(404);
});

test.each([
  ['signs no tokens', { wellKnown: () => null }],
  ['does not know its own address', {}],
])('a deployment that %s has no discovery documents', async (_name, changes) => {
  http = await startHttp(changes);

  const answer = await http.send('GET', CONFIGURATION);

  expect([answer.status, answer.json.error_class]).toEqual([404, 'not_found']);
  expect(answer.headers['cache-control']).toBe('no-store');
});
