import { expect, test } from '@jest/globals';
import { API, bearer, type Harness, ORG, startHttp, testConfig, testHandlers } from './harness.ts';

/** The origin that a handler receives for a request with these headers. */
async function originWith(headers: Record<string, string>, trusted_proxies = 0): Promise<string | undefined> {
  let seen: string | undefined;
  const handlers = testHandlers();
  const getOrg: typeof handlers.getOrg = (request) => {
    seen = request.origin;
    return handlers.getOrg(request);
  };
  const http: Harness = await startHttp({
    handlers: { ...handlers, getOrg },
    config: { ...testConfig(), trusted_proxies },
  });
  await http.send('GET', `${API}/orgs/${ORG}`, { headers: { ...bearer('viewer'), ...headers } });
  await http.close();
  return seen?.replace(/(localhost|127\.0\.0\.1):\d+$/, 'here');
}

test.each([
  ['the header Host', { host: 'api.example.com:8443' }, 0, 'http://api.example.com:8443'],
  [
    'a trusted proxy',
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com' },
    1,
    'https://api.example.com',
  ],
  ['no untrusted proxy', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }, 0, 'http://here'],
  ['the socket if Host is invalid', { host: 'a b' }, 0, 'http://here'],
])('the origin of a request is derived from %s', async (_by, headers, trusted, origin) => {
  expect(await originWith(headers as Record<string, string>, trusted)).toBe(origin);
});
