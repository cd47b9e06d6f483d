import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import { createStateSigner } from '../../server/lib/state-signer.ts';
import { expectResult, openResults, pagePath, type Results } from './results-fixtures.ts';

let results: Results;
let service: Results['service'];
let owner: Results['owner'];
let stranger: Results['stranger'];
let org: string;
let scan: string;
let other_scan: string;
let user_id: string;
beforeAll(async () => {
  results = await openResults();
  ({ service, owner, stranger, org, scan, other_scan, user_id } = results);
}, 60_000);
afterAll(() => service.close());

const page = (id = scan) => pagePath(id);
const submit: Results['submit'] = (credential) => results.submit(credential);
const keyWith: Results['createKey'] = (scopes) => results.createKey(scopes);
const expectNothing: Results['expectNothing'] = (answer) => results.expectNothing(answer);

const links = (id = scan) => `/api/v2/orgs/${org}/scans/${id}/links`;
const toPath = (url: string) => url.replace('https://dpa.example.com/base', '');
const signer = async () =>
  createStateSigner([Buffer.from(await readFile(join(service.data_dir, 'master-key'), 'utf8'), 'base64')]);
const signed = async (changes: object, purpose = 'result-link-v1') => {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const content = { exp, org_id: org, scan_run_id: scan, user_id, ...changes };
  return `${page()}?link=${(await signer()).sign(purpose, JSON.stringify(content))}`;
};

test('a signed link shows the one result to anyone, until it expires', async () => {
  const before = Date.now();
  const { status, body } = await owner.post(links(), {});

  expect(status).toBe(201);
  expect(body.url).toMatch(new RegExp(`^https://dpa\\.example\\.com/base/results/${scan}\\?link=[\\w.-]+$`));
  expect(Date.parse(body.expires_at) - before).toBeGreaterThan(7 * 86_400_000 - 2_000);
  expectResult(await service.anonymous.get(toPath(body.url)));
  const moved = await service.anonymous.get(toPath(body.url).replace(scan, other_scan));
  expect(moved.status).toBe(403);
  expectNothing(moved);
});

test('a signed link is written to the audit log, without the link', async () => {
  const { body } = await owner.post(links(), { expires_in_s: 60 });
  const [row] = await service
    .admin_db('audit_log')
    .where({ action: 'scan_link.created', org_id: org })
    .orderBy('seq', 'desc')
    .select('actor_email', 'detail');

  expect(row).toEqual({
    actor_email: 'owner@example.com',
    detail: { scan_run_id: scan, expires_at: body.expires_at },
  });
});

test.each([59, 2_592_001, 1.5, '60'])('a signed link cannot be made for %p seconds', async (expires_in_s) => {
  expect((await owner.post(links(), { expires_in_s })).status).toBe(400);
});

test('a signed link cannot be made by an API key, by another organization, or for a result that does not exist', async () => {
  const by_key = await service.withHeaders({ 'x-api-key': await keyWith(['write']) }).post(links(), {});

  expect([by_key.status, by_key.body.error_class]).toEqual([403, 'oidc_required']);
  expect((await stranger.post(links(), {})).status).toBe(404);
  expect((await owner.post(links(newId()), {})).status).toBe(404);
});

test('a signed link that has expired says so, and offers the form', async () => {
  const answer = await service.anonymous.get(await signed({ exp: 1_767_322_980 }));

  expect(answer.status).toBe(403);
  expect(answer.body).toContain('It was valid until 2026-01-02 03:03 UTC.');
  expect(answer.body).toContain('name="credential"');
  expectNothing(answer);
});

test('a signed link that was forged, changed, or signed for another purpose shows nothing', async () => {
  const right = await signed({});
  const foreign = createStateSigner([Buffer.alloc(32, 7)]);
  const { body: me } = await stranger.get('/api/v2/me');
  const forged = [
    right.slice(0, -2),
    right.replace('?link=', '?link=x'),
    `${page()}?link=${foreign.sign('result-link-v1', Buffer.from(right.split('link=')[1] ?? '', 'base64url').toString())}`,
    `${page()}?link=`,
    await signed({}, 'scm-state-v1'),
    await signed({ org_id: me.memberships[0].org_id }),
    await signed({ scan_run_id: other_scan }),
  ];

  expectResult(await service.anonymous.get(right));
  for (const path of forged) {
    const answer = await service.anonymous.get(path);
    expect([path, answer.status]).toEqual([path, 403]);
    expectNothing(answer);
  }
});

test('a signed link signed with an old master key works while that key is configured', async () => {
  const file = await readFile(join(service.data_dir, 'master-key'), 'utf8');
  const fresh = Buffer.alloc(32, 1).toString('base64');
  const rotated = await service.startProcess('api', { MASTER_KEY: `${fresh},${file.trim()}` });

  expect((await fetch(`${rotated.url}${await signed({})}`)).status).toBe(200);
});

test('a signed link ends when its creator leaves the organization', async () => {
  const helper = await service.signIn('helper');
  const helper_id = (await helper.get('/api/v2/me')).body.user.id;
  const id = newId();
  await service
    .admin_db('memberships')
    .insert({ id, org_id: org, user_id: helper_id, role: 'viewer', accepted_at: new Date() });
  const { body } = await helper.post(links(), {});
  const before = await service.anonymous.get(toPath(body.url));
  await owner.send('DELETE', `/api/v2/orgs/${org}/memberships/${id}`);
  const after = await service.anonymous.get(toPath(body.url));

  expectResult(before);
  expect(after.status).toBe(403);
  expectNothing(after);
});

test('signed links and the credential of a form are never written to the log', async () => {
  const path = await signed({});
  const key = await keyWith(['read']);
  await service.anonymous.get(path);
  await submit(key);

  const log = JSON.stringify(service.log_lines);
  expect(log).toContain(`"operation":"result_page"`);
  for (const secret of [path.split('link=')[1] ?? '?', key]) expect(log).not.toContain(secret);
});
