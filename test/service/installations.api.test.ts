import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GithubServer, startGithubServer } from '../bot/github-server.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

let github: GithubServer;
let service: TestService;
let owner: Caller;
let org: string;
beforeAll(async () => {
  github = await startGithubServer();
  const APP_URL = 'https://dpa.example.com';
  service = await startTestService({ ...github.environment, APP_URL, TRUSTED_PROXIES: '1' });
  owner = await service.as('owner');
  org = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
}, 60_000);
afterAll(async () => {
  await service.close();
  await github.stop();
});

const CALLBACK = '/api/v2/scm/github/callback';
const from = (address: string) => ({ 'x-forwarded-for': address });

test('an App is installed, its deliveries are taken, and nothing of that is told to the log', async () => {
  github.addRepo('acme/infra');
  const id = github.install(['acme/infra'], { seen_by: ['ana'] });
  const asked = await owner.post(`/api/v2/orgs/${org}/scm-installations/install-url`, { provider: 'github' });
  const state = new URL(asked.body.install_url).searchParams.get('state') ?? '';
  const code = github.code('ana');
  const query = new URLSearchParams({ state, code, installation_id: String(id), setup_action: 'install' });

  const back = await service.nobody.get(`${CALLBACK}?${query}`, from('10.0.0.1'));

  expect([back.status, back.headers.get('location'), back.body]).toEqual([
    302,
    'https://dpa.example.com/orgs/acme/settings/integrations?scm=connected',
    '',
  ]);
  expect(back.headers.get('cache-control')).toBe('no-store');
  const listed = await owner.get(`/api/v2/orgs/${org}/scm-installations`);
  expect(listed.body).toMatchObject({ total: 1, scm_installations: [{ installation_id: id, account_login: 'acme' }] });
  const row_id = listed.body.scm_installations[0].id;
  const repositories = await owner.get(`/api/v2/orgs/${org}/scm-installations/${row_id}/repositories`);
  expect(repositories.body).toMatchObject({ total: 1, limit: 100, repositories: [{ full_name: 'acme/infra' }] });

  github.setInstallation(id, { suspended: true });
  const { headers, body } = github.deliver({ event: 'installation', installation_id: id, action: 'suspend' });
  const sent = await service.nobody.send('POST', '/api/v2/webhooks/github', body.toString(), headers);
  expect([sent.status, sent.body]).toEqual([200, { accepted: false, reason: 'ignored' }]);
  expect((await owner.get(`/api/v2/orgs/${org}/scm-installations`)).body.scm_installations[0].status).toBe('suspended');

  const log = JSON.stringify(service.log_lines);
  for (const secret of [state, code, github.app.client_secret, 'ghu_', 'ghs_', 'dpa_']) {
    expect(log).not.toContain(secret);
  }
});

test('an address comes back ten times a minute', async () => {
  const answers = [];
  for (let i = 0; i < 11; i += 1) answers.push((await service.nobody.get(CALLBACK, from('10.0.0.2'))).status);

  expect(answers).toEqual([...Array(10).fill(302), 429]);
  expect((await service.nobody.get(CALLBACK, from('10.0.0.3'))).headers.get('location')).toBe(
    'https://dpa.example.com/settings?scm=denied&reason=invalid_state',
  );
});
