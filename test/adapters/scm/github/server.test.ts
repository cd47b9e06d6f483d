import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type GithubServer, startGithubServer } from '../../../fakes/github-server.ts';

let server: GithubServer;
let token: string;

beforeAll(async () => {
  server = await startGithubServer();
  server.addRepo('acme/infra');
  token = server.addToken('ci-bot', ['acme/infra']);
});
afterAll(() => server.stop());

function ask(method: string, path: string, body?: unknown, credential = token): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${credential}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

describe('the fake GitHub server', () => {
  test('hides a private repository from a token that was not made for it', async () => {
    server.addRepo('other/secret');

    expect((await ask('GET', '/repos/other/secret/pulls')).status).toBe(404);
    expect((await ask('GET', '/repos/acme/infra/pulls')).status).toBe(200);
    expect((await ask('GET', '/repos/acme/infra/pulls', undefined, 'ghp_wrong')).status).toBe(401);
  });

  test('rejects a comment of 65,537 characters like GitHub, and accepts one of 65,536', async () => {
    const { number } = server.openPullRequest('acme/infra');
    const path = `/repos/acme/infra/issues/${number}/comments`;

    const refused = await ask('POST', path, { body: 'é'.repeat(65_537) });
    const taken = await ask('POST', path, { body: 'é'.repeat(65_536) });

    expect([refused.status, taken.status]).toEqual([422, 201]);
    expect(await refused.json()).toMatchObject({ message: 'Validation Failed', errors: [{ field: 'body' }] });
  });

  test('allows check runs only for Apps, and serves artifacts from another origin', async () => {
    const { number, commits } = server.openPullRequest('acme/infra');
    const run = server.addRun('acme/infra', {
      head_sha: commits[0]!,
      artifacts: [{ name: 'plan', zip: Buffer.from('PK') }],
    });
    const [artifact] = server.state.repos.get('acme/infra')!.artifacts;

    const check = await ask('POST', '/repos/acme/infra/check-runs', { name: 'x', head_sha: commits[0] });
    const link = await ask('GET', `/repos/acme/infra/actions/artifacts/${artifact!.id}/zip`);
    const location = link.headers.get('location')!;

    expect(check.status).toBe(403);
    expect([link.status, new URL(location).origin]).toEqual([302, server.storage_url]);
    expect((await fetch(location, { headers: { authorization: 'Bearer x' } })).status).toBe(400);
    expect(await (await fetch(location)).text()).toBe('PK');
    expect([run.head_sha, number]).toEqual([commits[0], expect.any(Number)]);
  });

  test('signs its deliveries, which have the format of real payloads', () => {
    const { commits } = server.openPullRequest('acme/infra');
    const run = server.addRun('acme/infra', { head_sha: commits[0]! });
    const { headers, body } = server.deliver(
      { event: 'workflow_run', repo: 'acme/infra', run_id: run.id },
      { secret: 's' },
    );

    const payload = JSON.parse(body.toString());

    expect(headers['x-hub-signature-256']).toBe(`sha256=${createHmac('sha256', 's').update(body).digest('hex')}`);
    expect(payload).toMatchObject({
      action: 'completed',
      workflow_run: { id: run.id, head_sha: commits[0], run_attempt: 1, head_repository: expect.anything() },
      repository: { full_name: 'acme/infra', private: true },
    });
  });
});
