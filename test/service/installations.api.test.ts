import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type GithubServer, startGithubServer } from '../fakes/github-server.ts';
import { CALLBACK_PATH, CONFIRM_PATH, readForm, submitForm } from '../helpers/github-callback.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';

let github: GithubServer;
let service: TestService;
let owner: Caller;
let org: string;
beforeAll(async () => {
  github = await startGithubServer();
  const APP_URL = 'https://dpa.example.com';
  service = await startTestService({ ...github.environment, APP_URL, TRUSTED_PROXIES: '1' });
  owner = await service.signIn('owner');
  org = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
});
afterAll(async () => {
  await service.close();
  await github.stop();
});

const from = (address: string) => ({ 'x-forwarded-for': address });

test('the deliveries of an installed App are accepted, and nothing secret is logged', async () => {
  github.addRepo('acme/infra');
  const id = github.install(['acme/infra'], { visible_to: ['ana'] });
  const asked = await owner.post(`/api/v2/orgs/${org}/scm-installations/install-url`, { provider: 'github' });
  const state = new URL(asked.body.install_url).searchParams.get('state') ?? '';
  const code = github.code('ana');
  const query = new URLSearchParams({ state, code, installation_id: String(id), setup_action: 'install' });

  const page = await service.anonymous.get(`${CALLBACK_PATH}?${query}`, from('10.0.0.1'));
  expect((await owner.get(`/api/v2/orgs/${org}/scm-installations`)).body.total).toBe(0);
  const { token, cookie } = readForm(page);
  const done = await submitForm(service.anonymous, page, { headers: from('10.0.0.1') });

  expect([done.status, done.headers.get('location'), done.body]).toEqual([
    303,
    'https://dpa.example.com/orgs/acme/settings/integrations?scm=connected',
    '',
  ]);
  expect(done.headers.get('cache-control')).toBe('no-store');
  const listed = await owner.get(`/api/v2/orgs/${org}/scm-installations`);
  expect(listed.body).toMatchObject({ total: 1, scm_installations: [{ installation_id: id, account_login: 'acme' }] });
  const row_id = listed.body.scm_installations[0].id;
  const repositories = await owner.get(`/api/v2/orgs/${org}/scm-installations/${row_id}/repositories`);
  expect(repositories.body).toMatchObject({ total: 1, limit: 100, repositories: [{ full_name: 'acme/infra' }] });

  github.setInstallation(id, { suspended: true });
  const { headers, body } = github.deliver({ event: 'installation', installation_id: id, action: 'suspend' });
  const sent = await service.anonymous.send('POST', '/api/v2/webhooks/github', body.toString(), headers);
  expect([sent.status, sent.body]).toEqual([200, { accepted: false, reason: 'ignored' }]);
  expect((await owner.get(`/api/v2/orgs/${org}/scm-installations`)).body.scm_installations[0].status).toBe('suspended');

  const log = JSON.stringify(service.log_lines);
  const browser = cookie.split('=')[1] ?? '?';
  for (const secret of [state, code, token, browser, github.app.client_secret, 'ghu_', 'ghs_', 'dpa_']) {
    expect(log).not.toContain(secret);
  }
});

describe('the confirmation page', () => {
  let visits = 0;
  const visitor = () => {
    visits += 1;
    return from(`10.1.0.${visits}`);
  };

  async function openConfirmPage(): Promise<Answer> {
    const name = `shop-${visits}`;
    github.addRepo(`${name}/infra`);
    const installation_id = String(github.install([`${name}/infra`], { visible_to: ['ana'] }));
    const asked = await owner.post(`/api/v2/orgs/${org}/scm-installations/install-url`, { provider: 'github' });
    const state = new URL(asked.body.install_url).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, code: github.code('ana'), installation_id });
    return service.anonymous.get(`${CALLBACK_PATH}?${query}`, visitor());
  }
  const linked = async () => (await owner.get(`/api/v2/orgs/${org}/scm-installations`)).body.total;
  const INVALID = 'https://dpa.example.com/orgs/acme/settings/integrations?scm=denied&reason=confirmation_invalid';

  test('the page runs no script, cannot be framed, and sends its form only to this host and the web UI', async () => {
    const { status, headers, body } = await openConfirmPage();

    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')?.split(';')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
      "form-action 'self' https://dpa.example.com",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).not.toMatch(/<script|javascript:|\son\w+=| style=|https?:/i);
  });

  test('the page binds its form to the browser with a cookie that other sites cannot send', async () => {
    const { headers } = await openConfirmPage();

    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-dpa-link=[\w-]{32}; Path=\/; Max-Age=600; Secure; HttpOnly; SameSite=Strict$/),
    ]);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('a confirmation from another site, without the cookie, or from another browser is rejected', async () => {
    const [page, other] = [await openConfirmPage(), await openConfirmPage()];
    const before = await linked();

    for (const cookie of ['', 'a=b', '__Host-dpa-link=', '__host-dpa-link=x', readForm(other).cookie]) {
      const { status, headers } = await submitForm(service.anonymous, page, { headers: { cookie, ...visitor() } });
      expect([status, headers.get('location')]).toEqual([303, INVALID]);
    }

    expect(await linked()).toBe(before);
    const cookie = `first=1; ${readForm(page).cookie}; last=2`;
    await submitForm(service.anonymous, page, { headers: { cookie, ...visitor() } });
    expect(await linked()).toBe(before + 1);
  });

  test.each([
    ['text/plain', 'token=a&decision=link', 415],
    ['application/x-www-form-urlencoded', 'token=a', 400],
    ['application/x-www-form-urlencoded', 'token=a&decision=maybe', 400],
    ['application/x-www-form-urlencoded', `token=${'a'.repeat(2_001)}&decision=link`, 400],
  ])('%s accepts no other form', async (type, body, status) => {
    const answer = await service.anonymous.send('POST', CONFIRM_PATH, body, { 'content-type': type, ...visitor() });

    expect(answer.status).toBe(status);
  });
});

test('an address can return ten times a minute', async () => {
  const answers = [];
  for (let i = 0; i < 11; i += 1) answers.push((await service.anonymous.get(CALLBACK_PATH, from('10.0.0.2'))).status);

  expect(answers).toEqual([...Array(10).fill(302), 429]);
  expect((await service.anonymous.get(CALLBACK_PATH, from('10.0.0.3'))).headers.get('location')).toBe(
    'https://dpa.example.com/settings?scm=denied&reason=invalid_state',
  );
});
