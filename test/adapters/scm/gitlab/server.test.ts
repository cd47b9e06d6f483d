import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkGitlabSender } from '../../../../server/domains/webhooks/signature.ts';
import { type GitlabServer, startGitlabServer } from '../../../fakes/gitlab-server.ts';

const SHA = 'projects/a%2Fb/statuses';

describe('the fake GitLab server', () => {
  let gitlab: GitlabServer;
  beforeAll(async () => {
    gitlab = await startGitlabServer();
  });
  afterAll(async () => gitlab.close());

  async function ask(path: string, token: string, init: { method?: string; body?: object } = {}) {
    const { method = 'GET', body } = init;
    const headers = { 'private-token': token, 'content-type': 'application/json' };
    return fetch(`${gitlab.url}/api/v4/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  test('hides private projects, and enforces scopes of tokens', async () => {
    const [member, stranger] = [gitlab.addUser('member'), gitlab.addUser('stranger')];
    gitlab.addProject('a/b', { members: [[member, 30]] });
    const read = gitlab.addToken(member, ['read_api']).value;

    expect((await ask('projects/a%2Fb', read)).status).toBe(200);
    expect((await ask('projects/a%2Fb', gitlab.addToken(stranger).value)).status).toBe(404);
    expect((await ask('user', 'glpat-none')).status).toBe(401);
    expect((await ask(`${SHA}/main`, read, { method: 'POST', body: { state: 'running' } })).status).toBe(403);
  });

  test('rejects setting a running status to running, and starts another one after its end', async () => {
    const member = gitlab.addUser('setter');
    const project = gitlab.addProject('a/c', { members: [[member, 30]] });
    const token = gitlab.addToken(member).value;
    const set = async (state: string) =>
      ask('projects/a%2Fc/statuses/main', token, { method: 'POST', body: { state, name: 'drift/plan' } });

    expect([(await set('running')).status, (await set('running')).status]).toEqual([201, 400]);
    expect([(await set('success')).status, (await set('success')).status]).toEqual([201, 201]);
    expect(project.statuses.map(({ status }) => status)).toEqual(['success', 'success']);
  });

  test('sends hooks that a receiver accepts, by token and by signature', () => {
    const author = gitlab.addUser('author');
    const merge_request = gitlab.openMergeRequest(gitlab.addProject('a/d'), { author });
    const { raw, headers } = gitlab.hooks.note(gitlab.comment(merge_request, author, '/drift help'));
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

    for (const signed of [false, true]) {
      const check = checkGitlabSender([secret], headers(secret, { signed }), new Date());
      check?.update(raw);
      expect(check?.isGenuine()).toBe(true);
      const other = checkGitlabSender([secret], headers('other', { signed }), new Date());
      other?.update(Buffer.from('{}'));
      expect(other?.isGenuine() ?? false).toBe(false);
    }
  });
});
