import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import type { Answer } from '../helpers/service.ts';
import { demoPlan, expectResult, openResults, pagePath, type Results } from './results-fixtures.ts';

let results: Results;
let service: Results['service'];
let owner: Results['owner'];
let stranger: Results['stranger'];
let scan: string;
let other_scan: string;
beforeAll(async () => {
  results = await openResults();
  ({ service, owner, stranger, scan, other_scan } = results);
}, 60_000);
afterAll(() => service.close());

const page = (id = scan) => pagePath(id);
const submit: Results['submit'] = (credential) => results.submit(credential);
const signToken: Results['signToken'] = (name) => results.signToken(name);
const keyWith: Results['createKey'] = (scopes) => results.createKey(scopes);
const expectNothing: Results['expectNothing'] = (answer) => results.expectNothing(answer);

describe('a result page without a credential', () => {
  test('a result and an unknown id show the same page, which asks for a credential', async () => {
    const found = await service.anonymous.get(page());
    const missing = await service.anonymous.get(page(newId()));

    expect(found.status).toBe(200);
    expect(found.body).toBe(missing.body);
    expect(found.body).toContain('name="credential" type="password"');
    expectNothing(found);
  });

  test('a malformed result address is 404', async () => {
    const answer = await service.anonymous.get('/results/1');

    expect(answer.status).toBe(404);
    expectNothing(answer);
  });
});

describe('a result page with a credential', () => {
  test('a credential in a header shows the result', async () => {
    expectResult(await owner.get(page()));
    expectResult(await owner.get(page(scan.toUpperCase())));
    expectResult(await service.withHeaders({ 'x-api-key': await keyWith(['scans:read']) }).get(page()));
  });

  test('a credential in the form shows the result, and the browser stores nothing', async () => {
    const by_token = await submit(` ${await signToken('owner')}\n`);
    const by_key = await submit(await keyWith(['read']));

    for (const answer of [by_token, by_key]) {
      expectResult(answer);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    }
  });

  test.each([
    ['an invalid token', async () => 'a.b.c', 401],
    ['an invalid key', async () => 'dpa_nonsense', 401],
    ['an empty field', async () => '', 401],
    ['a key without the scope', () => keyWith(['traces:read']), 403],
    ['a person of another organization', () => signToken('stranger'), 404],
    ['a person without an organization', () => signToken('newcomer'), 404],
  ])('a credential of %s gets a page with advice', async (_kind, credential, status) => {
    const answer = await submit(await credential());

    expect(answer.status).toBe(status);
    expect(answer.body).toContain('name="credential"');
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer realm="api"' : null);
    expectNothing(answer);
  });

  test('a credential of another organization cannot distinguish a result from an unknown id', async () => {
    const found = await stranger.get(page());
    const missing = await stranger.get(page(newId()));
    const withoutId = ({ body }: Answer) => body.replace(/Request <code>.*<\/code>/, '');

    expect([found.status, missing.status]).toEqual([404, 404]);
    expect(withoutId(found)).toBe(withoutId(missing));
  });

  test('credentials on pages count toward the API rate limits, so guessing is slowed down', async () => {
    const slow = await service.startProcess('api', { RATE_LIMIT_PER_IP: '3' });
    const guess = () =>
      fetch(`${slow.url}${page()}`, {
        method: 'POST',
        body: new URLSearchParams({ credential: 'dpa_guess' }),
        headers: { 'x-forwarded-for': '10.0.0.9' },
      });
    const answers = [];
    for (let tries = 0; tries < 5; tries += 1) answers.push(await guess());

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    expect(answers[4]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answers[4]?.text()).toContain('<h1>');
  });

  test.each([
    ['application/json', '{"credential":"x"}', 415],
    ['application/x-www-form-urlencoded', `credential=${'a'.repeat(20_000)}`, 413],
    ['application/x-www-form-urlencoded', 'credential=a&credential=b', 400],
  ])('a credential in a body of %s is rejected', async (type, body, status) => {
    const answer = await service.anonymous.send('POST', page(), body, { 'content-type': type });

    expect(answer.status).toBe(status);
    expectNothing(answer);
  });
});

test('every page runs nothing, loads nothing, cannot be framed, and is not cached', async () => {
  const answers = [
    await owner.get(page()),
    await service.anonymous.get(page()),
    await submit('dpa_nonsense'),
    await service.anonymous.get('/', { accept: 'text/html' }),
    await service.anonymous.get('/github/return?scm=connected'),
  ];

  for (const { headers, body } of answers) {
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    expect(headers.get('content-security-policy')?.split(';')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(body).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(body).not.toMatch(/<script|<img|<iframe|javascript:|\son\w+=| style=|src=/i);
    expect(body.match(/<h1>/g)).toHaveLength(1);
  }
});

test('a run with an expired result says so, and a pending one says that it is not ready', async () => {
  await service.admin_db('scan_runs').where({ id: other_scan }).update({ result_json: null });
  const gone = await owner.get(page(other_scan));
  await service.admin_db('scan_runs').where({ id: other_scan }).update({ status: 'running', finished_at: null });
  const running = await owner.get(page(other_scan));

  expect([gone.status, running.status]).toEqual([200, 200]);
  expect(gone.body).toContain('Plan result: no longer stored');
  expect(running.body).toContain('Plan result: not ready yet');
});

test('a failed run shows its error as text', async () => {
  const id = await results.analyze(await demoPlan());
  const error = { code: 'internal', message: 'bad <b>thing</b>', provider: null, region: null, service: null };
  const scan_errors = JSON.stringify([{ ...error, resource_type: null, retryable: false, count: 1 }]);
  await service.admin_db('scan_runs').where({ id }).update({ status: 'error', result_json: null, scan_errors });

  const { body } = await owner.get(page(id));

  expect(body).toContain('Plan result: no verdict');
  expect(body).toContain('bad &lt;b&gt;thing&lt;/b&gt;');
});

test('the root describes the service: HTML to browsers, JSON to programs', async () => {
  const browser = await service.anonymous.get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  const program = await service.anonymous.get('/', { accept: '*/*' });

  expect([browser.status, browser.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(browser.headers.get('vary')).toBe('Accept');
  expect(program.body).toMatchObject({ name: 'Drift & Plan Analysis', version: '2.0.0', docs: 'api/v2/docs' });
  const hrefs = [...browser.body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(hrefs).toEqual(['api/v2/docs', 'api/v2/openapi.json', 'api/v2/openapi.yaml', 'readyz']);
  for (const href of [...hrefs, program.body.health.live]) {
    expect((await service.anonymous.get(`/${href}`)).status).toBe(200);
  }
});

test('every other path returns JSON as the contract says', async () => {
  for (const path of ['/results', '/results/', `${page()}/more`, '/github', '/favicon.ico', '/api/v2/nothing']) {
    const { status, body } = await service.anonymous.get(path, { accept: 'text/html' });
    expect([path, status, body.error_class]).toEqual([path, 404, 'not_found']);
  }
});
