import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenedAccount } from '../../server/domains/state-sources/index.ts';
import { NotFound } from '../../server/lib/errors.ts';
import { newId } from '../../server/lib/ids.ts';
import { createFakeStateBackend } from '../fakes/state-backend.ts';
import { stateText } from '../fakes/state-reader.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';

/** Every secret of this file contains it. */
const CANARY = 'canary-7d1f';
const TOKEN = `atlasv1.${CANARY}`;
const ACCOUNT = newId();
const credentials = { credential_type: 'aws_access_key', access_key_id: 'A', secret_access_key: CANARY } as const;
const account: OpenedAccount = { provider: 'aws', enabled: true, credentials, token_subject: 'test' };

const states = createFakeStateBackend();
let service: TestService;
let owner: Caller;
let second: Caller;
let org_id: string;
let org: string;
beforeAll(async () => {
  const accounts = {
    async openAccount(_org_id: string, id: string) {
      if (id !== ACCOUNT) throw new NotFound();
      return account;
    },
    findOnlyAccount: async () => undefined,
  };
  const adapters = { stateBackend: states.backend, accounts };
  service = await startTestService({}, 'all', { adapters });
  const { url } = await service.startProcess('api');
  owner = await service.signIn('owner');
  second = await service.signIn('owner', url ?? '');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  org = `/api/v2/orgs/${org_id}`;
  await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'team' });
});
afterAll(() => service.close());

let names = 0;
async function create(kind: 'tfc' | 'upload'): Promise<{ path: string; place: string }> {
  names += 1;
  const workspace = `acme/shop-${names}`;
  const config = kind === 'tfc' ? { workspace, token: TOKEN } : {};
  const made = await owner.post(`${org}/state-sources`, { display_name: `Shop ${names}`, kind, config });
  expect(made.status).toBe(201);
  expect(made.body.config).toEqual(config);
  return { path: made.headers.get('location') ?? '', place: `tfc:/${workspace}` };
}

/** Sends refreshes, and returns when all have tried to claim a source: they meet at a lock that is then released. */
async function meet(requests: (() => Promise<Answer>)[]): Promise<{ others: Promise<Answer[]> }> {
  const countWaiting = async () => {
    const { rows } = await service.admin_db.raw(
      `select count(*)::int as waiting from pg_locks where relation = 'state_sources'::regclass and not granted`,
    );
    return rows[0].waiting;
  };
  const others = await service.admin_db.transaction(async (trx) => {
    await trx.raw('lock table state_sources in exclusive mode');
    const sent = Promise.all(requests.map((send) => send()));
    while ((await countWaiting()) < requests.length) await wait(5);
    return { others: sent };
  });
  while ((await countWaiting()) > 0) await wait(5);
  return others;
}

describe('a state source', () => {
  test('is registered, fetched, listed and deleted; no response is cached', async () => {
    const { path, place } = await create('tfc');
    states.states.set(place, stateText(3));

    const refreshed = await owner.post(`${path}/refresh`, undefined);
    expect(refreshed).toMatchObject({
      status: 200,
      body: { refreshed: true, resource_count: 3, parse_failure_count: 0 },
    });
    const source = await owner.get(path);
    expect(source.body).toMatchObject({ latest_snapshot_id: refreshed.body.snapshot_id, config: { token: TOKEN } });
    const list = await owner.get(`${org}/state-sources?kind=tfc&limit=1`);
    expect(list.body).toMatchObject({ limit: 1, offset: 0, total: 1, state_sources: [source.body] });
    for (const { headers } of [refreshed, source, list]) expect(headers.get('cache-control')).toBe('no-store');

    expect((await owner.send('DELETE', path)).status).toBe(204);
    expect((await owner.get(path)).status).toBe(404);
  });

  test('is fetched once if two instances refresh it at the same time', async () => {
    const { path, place } = await create('tfc');
    states.states.set(place, stateText(2));
    const release = states.hold();
    const refresh = (one: Caller) => one.post(`${path}/refresh`, undefined);
    const first = refresh(owner);
    while (!states.fetches.some((fetch) => fetch.place === place)) await wait(5);
    const { others } = await meet([second, owner, second].map((one) => () => refresh(one)));
    release();

    const answers = [await first, ...(await others)];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(states.fetches.filter((fetch) => fetch.place === place)).toHaveLength(1);
  });

  test('that cannot be fetched is 502 with what to do, and says so until it can', async () => {
    const { path } = await create('tfc');

    const failed = await owner.post(`${path}/refresh`, undefined);

    const error = 'the state does not exist; check its location';
    expect(failed).toMatchObject({ status: 502, body: { error, error_class: 'state_backend_error' } });
    expect((await owner.get(path)).body).toMatchObject({ last_fetch_error: error, missing_since: expect.any(String) });
  });

  test('with wrong keys is rejected with their places', async () => {
    const attempt = (config: object) => owner.post(`${org}/state-sources`, { display_name: 'A', kind: 's3', config });
    const wrong = await attempt({ bucket: 'b', key: 'k', region: 'r', token: TOKEN });
    const unknown = await attempt({ bucket: 'b', password: TOKEN });

    expect(wrong).toMatchObject({
      status: 400,
      body: { error_class: 'unknown_field', details: [{ path: '/body/config/token' }] },
    });
    expect(unknown).toMatchObject({
      status: 400,
      body: { error_class: 'unknown_field', details: [{ path: '/body/config/password' }] },
    });
  });

  test('hides its token as the organization decided', async () => {
    const { path } = await create('tfc');
    const user = await service.signIn('viewer');
    const { id: user_id } = (await user.get('/api/v2/me')).body.user;
    const membership = { id: newId(), org_id, user_id, role: 'viewer', accepted_at: new Date() };
    await service.admin_db('memberships').insert(membership);
    const seen = async (setting: string) => {
      expect((await owner.send('PATCH', `${org}/settings`, { state_source_secrets: setting })).status).toBe(200);
      return [(await owner.get(path)).body.config.token, (await user.get(path)).body.config.token];
    };

    expect(await seen('admins_only')).toEqual([TOKEN, '[redacted]']);
    expect(await seen('write_only')).toEqual(['[redacted]', '[redacted]']);
    expect(await seen('verbatim')).toEqual([TOKEN, TOKEN]);
  });
});

describe('an upload', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  test('is stored if its checksum matches', async () => {
    const { path } = await create('upload');
    const text = stateText(5);

    const stored = await owner.post(`${path}/upload`, text, { 'x-content-sha256': sha256(text) });
    const again = await second.post(`${path}/upload`, text);

    const facts = { content_hash: sha256(text), resource_count: 5 };
    expect(stored).toMatchObject({ status: 200, body: { ...facts, refreshed: true } });
    expect(again).toMatchObject({ status: 200, body: { ...facts, refreshed: false } });
    expect((await owner.post(`${path}/refresh`, undefined)).body.snapshot_id).toBe(stored.body.snapshot_id);
  });

  test('that arrives with other bytes is not stored', async () => {
    const { path } = await create('upload');

    const answer = await owner.post(`${path}/upload`, stateText(5), { 'x-content-sha256': sha256('other') });

    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: '/headers/X-Content-SHA256' }] } });
    expect((await owner.get(path)).body.latest_snapshot_id).toBeNull();
  });

  test('that is no state is 422, and any other kind is 409', async () => {
    const [{ path }, fetched] = [await create('upload'), await create('tfc')];

    expect(await owner.post(`${path}/upload`, '{"version":3}')).toMatchObject({
      status: 422,
      body: { error_class: 'unprocessable_state' },
    });
    expect(await owner.post(`${fetched.path}/upload`, stateText(1))).toMatchObject({
      status: 409,
      body: { error_class: 'not_upload_source' },
    });
  });
});

describe('a glob', () => {
  const body = (prefix: string) => {
    const place = { provider: 'aws', bucket: 'states', prefix, region: 'eu-central-1' };
    return { ...place, cloud_account_id: ACCOUNT, display_name: prefix };
  };
  const put = (...keys: string[]) => keys.forEach((key) => void states.states.set(`s3:states/${key}`, stateText(1)));

  test('is previewed, created, rescanned, refreshed and deleted', async () => {
    put('prod/a.tfstate', 'prod/b.tfstate');
    const preview = await owner.post(`${org}/state-source-globs/preview`, body('prod/'));
    expect(preview).toMatchObject({ status: 200, body: { total_matches: 2, would_add: 2, would_exceed_plan: false } });

    const made = await owner.post(`${org}/state-source-globs`, body('prod/'));
    expect(made).toMatchObject({ status: 201, body: { added: 2, total_matches: 2, truncated: false } });
    const path = `${org}/state-source-globs/${made.body.glob.id}`;
    expect((await owner.get(`${org}/state-source-globs`)).body).toEqual([made.body.glob]);

    put('prod/c.tfstate');
    expect(await owner.post(`${path}/rescan`, undefined)).toMatchObject({
      status: 200,
      body: { added: 1, total: 3, truncated: false },
    });

    expect(await owner.post(`${path}/refresh-children`, undefined)).toMatchObject({ status: 202, body: { queued: 3 } });
    const completed = await waitForCompletion(made.body.glob.id);
    expect(completed).toMatchObject({ actor_email: '', detail: { refreshed: 3, unchanged: 0, failed: 0 } });

    expect((await owner.send('DELETE', path)).status).toBe(204);
    expect((await owner.get(`${org}/state-sources?kind=s3`)).body.total).toBe(0);
  });

  test('with an unknown account, or in a plan without globs, is rejected', async () => {
    const unknown = await owner.post(`${org}/state-source-globs`, { ...body('x/'), cloud_account_id: newId() });
    await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'free' });
    const free = await owner.post(`${org}/state-source-globs`, body('x/'));
    await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'team' });

    expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: '/body/cloud_account_id' }] } });
    expect(free).toMatchObject({
      status: 402,
      body: { code: 'plan_feature_required', feature: 'glob_state_sources', required_plan: 'team' },
    });
  });

  async function waitForCompletion(glob_id: string) {
    for (let tries = 0; tries < 2_000; tries += 1) {
      const action = 'state_source_glob.children_refresh_completed';
      const rows = await service.admin_db('audit_log').where({ org_id, action });
      const found = rows.find(({ detail }) => detail.glob_id === glob_id);
      if (found !== undefined) return found;
      await wait(10);
    }
    throw new Error('the refresh did not complete');
  }
});

describe('tokens and credentials', () => {
  test('are only in responses about their source, and nowhere else in clear text', async () => {
    const { path } = await create('tfc');
    await owner.post(`${path}/refresh`, undefined);
    await owner.post(`${org}/state-sources`, { display_name: 'A', kind: 'gcs', config: { token: TOKEN } });
    const key = { 'idempotency-key': newId() };
    const config = { workspace: 'acme/once', token: TOKEN };
    const once = () => owner.post(`${org}/state-sources`, { display_name: 'Once', kind: 'tfc', config }, key);
    const [first, replay] = [await once(), await once()];
    const upload = await create('upload');
    await owner.post(`${upload.path}/upload`, stateText(1));

    expect(first.body.config).toEqual(config);
    expect(replay.body).toMatchObject({ id: first.body.id, secret_available: false });
    const kept = { replay: replay.body, log: service.log_lines };
    expect(JSON.stringify(kept)).not.toContain(CANARY);
    expect((await readDatabase()).filter((row) => row.includes(CANARY))).toEqual([]);
    expect((await readBlobs()).filter((blob) => blob.includes(CANARY) || blob.includes('terraform_data'))).toEqual([]);
  });

  /** Every row of every table, with bytes decoded as text. */
  async function readDatabase(): Promise<string[]> {
    const { rows } = await service.admin_db.raw(`
      select format('select t::text as row from %I.%I t', schemaname, tablename) as sql from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`);
    const found: { rows: { row: string }[] }[] = await Promise.all(
      rows.map(({ sql }: { sql: string }) => service.admin_db.raw(sql)),
    );
    const decode = (_: string, hex: string) => Buffer.from(hex, 'hex').toString('latin1');
    return found.flatMap(({ rows: page }) => page.map(({ row }) => row.replace(/\\\\x([0-9a-f]+)/g, decode)));
  }

  async function readBlobs(): Promise<string[]> {
    const files = await readdir(join(service.data_dir, 'blobs'), { recursive: true, withFileTypes: true });
    const paths = files.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    return Promise.all(paths.map((path) => readFile(path, 'latin1')));
  }
});
