import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { type Answer, startTestService } from '../helpers/service.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export const demoPlan = () => readFile('cli/demo/plan.json', 'utf8');
export const pagePath = (id: string) => `/results/${id}`;

/** A service with an organization that has two results, a member of it, and a person of another organization. */
export async function openResults() {
  const settings = { API_URL: 'https://dpa.example.com/base/', RATE_LIMIT_PER_IP: '100000', TRUSTED_PROXIES: '1' };
  const service = await startTestService(settings);
  const [owner, stranger] = [await service.signIn('owner'), await service.signIn('stranger')];
  const org: string = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  await service.admin_db('orgs').where({ id: org }).update({ plan: 'enterprise' });
  await stranger.post('/api/v2/orgs', { slug: 'other', display_name: 'Other' });
  const user_id: string = (await owner.get('/api/v2/me')).body.user.id;

  async function analyze(plan_json: string): Promise<string> {
    const { status, body } = await owner.post(`/api/v2/orgs/${org}/analyze`, { plan_json });
    if (status !== 202) throw new Error(JSON.stringify(body));
    await service.waitForJob(owner, `/api/v2/orgs/${org}/llm-jobs/${body.job_id}`);
    return body.scan_run_id;
  }
  const scan = await analyze(await demoPlan());
  const other_scan = await analyze(await demoPlan());

  return {
    service,
    owner,
    stranger,
    org,
    user_id,
    scan,
    other_scan,
    analyze,
    signToken: (name: string) =>
      signDevToken({ data_dir: service.data_dir, email: `${name}@example.com`, name, production: false }),
    createKey: async (scopes: string[]): Promise<string> =>
      (await owner.post(`/api/v2/orgs/${org}/api-keys`, { name: newId(), scopes })).body.key,
    /** Submits the form of the page. */
    submit: (credential: string) =>
      service.anonymous.send('POST', pagePath(scan), new URLSearchParams({ credential }).toString(), FORM),
    /** The response is a page that reveals nothing of the result. */
    expectNothing({ body, headers }: Answer): void {
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const [, shown = body] = body.split('</style>');
      for (const fact of ['aws_', 'acme', 'critical', org]) expect(shown).not.toContain(fact);
    },
  };
}

export type Results = Awaited<ReturnType<typeof openResults>>;

/** The result is shown. */
export function expectResult({ status, body }: Answer): void {
  expect(status).toBe(200);
  expect(body).toContain('Plan result: critical risk');
  expect(body).toContain('module.database.aws_db_instance.main');
}
