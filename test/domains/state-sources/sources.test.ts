import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { StateSourceInput } from '../../../server/domains/state-sources/types.ts';
import type { OrgContext, Principal } from '../../../server/lib/principal.ts';
import { stateText } from '../../fakes/state-reader.ts';
import { outcomes } from '../orgs/setup.ts';
import { type StateSourcesUnderTest, setUpStateSources, TOKEN } from './setup.ts';

let setup: StateSourcesUnderTest;
let owner: Principal;
let org: OrgContext;
beforeAll(async () => {
  setup = await setUpStateSources();
});
afterAll(() => setup.close());
beforeEach(async () => {
  ({ owner, org } = await setup.makeOwner());
});

const TFC: StateSourceInput = { kind: 'tfc', display_name: 'Shop', config: { workspace: 'acme/shop', token: TOKEN } };
const s3 = (key: string): StateSourceInput => {
  return { kind: 's3', display_name: key, config: { bucket: 'states', key, region: 'eu-central-1' } };
};
const UPLOAD: StateSourceInput = { kind: 'upload', display_name: 'Laptop', config: {} };
const create = (input: StateSourceInput) => setup.sources.create(owner, org, input);
const list = (filter = {}, page = { limit: 100, offset: 0 }) => setup.sources.list(org, filter, page);
const failure = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error) => error,
  );

describe('state sources', () => {
  test('a registered source is listed with its configuration, and is audited without it', async () => {
    const source = await create({ ...TFC, display_name: '  Shop ' });

    expect(source).toMatchObject({
      org_id: org.id,
      kind: 'tfc',
      display_name: 'Shop',
      config: TFC.config,
      workspaces: ['default'],
      cloud_account_id: null,
      parent_glob_id: null,
      latest_snapshot_id: null,
      last_fetched_at: null,
      last_fetch_error: null,
      missing_since: null,
    });
    expect(await setup.sources.get(org, source.id)).toEqual(source);
    expect(await list()).toEqual({ sources: [source], total: 1 });
    const detail = { source_id: source.id, kind: 'tfc', display_name: 'Shop', cloud_account_id: null };
    expect(setup.audit.selectEvents(org.id)).toEqual([
      { action: 'state_source.created', org_id: org.id, actor_email: owner.user.email, detail },
    ]);
    expect(setup.backend.fetches).toEqual([]);
  });

  test('the stored row does not contain the configuration', async () => {
    const { id } = await create(TFC);

    const row = await setup.sourceRow(id);

    const texts = Object.values(row).map((value) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
    );
    expect(texts.filter((text) => /canary|acme/.test(text))).toEqual([]);
    expect(row.location_key).toHaveLength(32);
  });

  test.each([
    ['verbatim', { viewer: TOKEN, member: TOKEN, admin: TOKEN, owner: TOKEN }],
    ['admins_only', { viewer: '[redacted]', member: '[redacted]', admin: TOKEN, owner: TOKEN }],
    ['write_only', { viewer: '[redacted]', member: '[redacted]', admin: '[redacted]', owner: '[redacted]' }],
  ])('with the setting %s, the token is shown to the right roles', async (setting, expected) => {
    const { id } = await create(TFC);
    await setup.setSecrets(org.id, setting);

    const seen: Record<string, string | undefined> = {};
    for (const role of ['viewer', 'member', 'admin', 'owner'] as const) {
      const as = { id: org.id, role };
      seen[role] = (await setup.sources.get(as, id)).config['token'];
      const [listed] = (await setup.sources.list(as, {}, { limit: 1, offset: 0 })).sources;
      expect(listed?.config['token']).toBe(seen[role]);
      expect(listed?.config['workspace']).toBe('acme/shop');
    }

    expect(seen).toEqual(expected);
  });

  test('a location can be registered once per organization, and again after it was deleted', async () => {
    const { id } = await create(TFC);
    const again = { ...TFC, display_name: 'Other', config: { ...TFC.config, token: 'another' } };

    expect(await failure(create(again))).toMatchObject({ status: 409, error_class: 'source_exists' });
    await create({ ...TFC, config: { ...TFC.config, endpoint: 'https://tfe.example.com' } });
    const other = await setup.makeOwner();
    await setup.sources.create(other.owner, other.org, TFC);

    await setup.sources.remove(owner, org.id, id);
    await create(again);
    expect((await list()).total).toBe(2);
  });

  test('the region of a bucket is not part of the location, and uploads have none', async () => {
    await create(s3('a.tfstate'));
    const elsewhere = s3('a.tfstate');

    expect(await failure(create({ ...elsewhere, config: { ...elsewhere.config, region: 'us-east-1' } }))).toMatchObject(
      { error_class: 'source_exists' },
    );
    await create(UPLOAD);
    await create(UPLOAD);
    expect((await list({ kind: 'upload' })).total).toBe(2);
  });

  test('of concurrent registrations of one location one succeeds', async () => {
    expect(await outcomes([create(TFC), create(TFC), create(TFC)])).toEqual({ ok: 1, source_exists: 2 });
  });

  test('concurrent registrations never exceed the plan limit', async () => {
    ({ owner, org } = await setup.makeOwner('free'));
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];

    expect(await outcomes(keys.map((key) => create(s3(key))))).toEqual({ ok: 3, plan_limit_exceeded: 3 });
    expect((await list()).total).toBe(3);
  });

  test('a location that must not be called is not stored', async () => {
    const inside = { ...TFC, config: { ...TFC.config, endpoint: 'https://127.0.0.1' } };

    expect(await failure(create(inside))).toMatchObject({ status: 400, error_class: 'url_not_allowed' });
    expect((await list()).total).toBe(0);
  });

  test.each([
    ['tfc', { workspace: 'acme/shop', token: 't', bucket: 'b', key: 'k' }, 'unknown_field', ['bucket', 'key']],
    ['upload', { bucket: 'b' }, 'unknown_field', ['bucket']],
    ['s3', { bucket: 'b' }, 'invalid_request', ['key', 'region']],
    ['gcs', {}, 'invalid_request', ['bucket', 'object']],
    ['azure_blob', { account: 'a', container: 'c' }, 'invalid_request', ['blob']],
  ] as const)('wrong keys of kind %s are named', async (kind, config, error_class, names) => {
    const error = await failure(create({ kind, display_name: 'Shop', config }));

    expect(error).toMatchObject({ status: 400, error_class });
    expect(error.extra.details.map(({ path }: { path: string }) => path)).toEqual(
      names.map((name) => `/body/config/${name}`),
    );
    expect(error.message).toContain(`config.${names[0]} `);
  });

  test('a cloud account must belong to the organization and to the right cloud', async () => {
    const [aws, gcp] = [setup.addAccount(org.id, 'aws'), setup.addAccount(org.id, 'gcp')];
    const other = await setup.makeOwner();
    const foreign = setup.addAccount(other.org.id, 'aws');
    const using = (cloud_account_id: string, input = s3('a.tfstate')) =>
      failure(create({ ...input, cloud_account_id }));

    expect(await using(foreign)).toMatchObject({ status: 400, error_class: 'invalid_request' });
    expect((await using(gcp)).message).toBe(
      'cloud_account_id is an account of Google Cloud; this source needs one of AWS',
    );
    expect((await using(aws, UPLOAD)).message).toContain('this source needs no account');
    expect(await using(aws)).toBe('ok');
  });

  test('lists are sorted by name in byte order, in pages, and can be filtered', async () => {
    for (const key of ['b', 'a', 'B', 'é']) await create(s3(key));
    await create(UPLOAD);
    const names = async (filter: object, page?: { limit: number; offset: number }) =>
      (await list(filter, page)).sources.map(({ display_name }) => display_name);

    expect(await names({})).toEqual(['B', 'Laptop', 'a', 'b', 'é']);
    expect(await names({}, { limit: 2, offset: 1 })).toEqual(['Laptop', 'a']);
    expect(await names({ kind: 'upload' })).toEqual(['Laptop']);
    expect(await names({ parent_glob_id: org.id })).toEqual([]);
  });

  test('a deleted source cannot be found, is not counted, and its configuration is erased', async () => {
    const { id } = await create(TFC);
    await setup.sources.remove(owner, org.id, id);

    const attempts = [
      setup.sources.get(org, id),
      setup.sources.refresh(owner, org.id, id),
      setup.sources.remove(owner, org.id, id),
    ];
    expect(await outcomes(attempts)).toEqual({ not_found: 3 });
    expect(await list()).toEqual({ sources: [], total: 0 });
    expect((await setup.sourceRow(id)).config_ct).toHaveLength(0);
    const { limits } = await setup.orgs.limits(org.id);
    expect(limits.find(({ resource }) => resource === 'state_sources')?.used).toBe(0);
    expect(setup.audit.selectEvents(org.id, 'state_source.deleted')).toMatchObject([{ detail: { source_id: id } }]);
  });

  test('another organization does not find a source', async () => {
    const { id } = await create(TFC);
    const other = await setup.makeOwner();

    const attempts = [
      setup.sources.get(other.org, id),
      setup.sources.refresh(other.owner, other.org.id, id),
      setup.sources.upload(other.owner, other.org.id, id, Buffer.from('{}')),
      setup.sources.remove(other.owner, other.org.id, id),
    ];

    expect(await outcomes(attempts)).toEqual({ not_found: 4 });
  });
});

describe('uploads', () => {
  const upload = (id: string, text: string) => setup.sources.upload(owner, org.id, id, Buffer.from(text));

  test('an upload becomes the latest snapshot, and repeating it changes nothing', async () => {
    const { id } = await create(UPLOAD);

    const first = await upload(id, stateText(3));
    const again = await upload(id, stateText(3));

    expect(first).toMatchObject({ refreshed: true, resource_count: 3, parse_failure_count: 0 });
    expect(again).toEqual({ ...first, refreshed: false });
    expect(await setup.sources.get(org, id)).toMatchObject({
      latest_snapshot_id: first.snapshot_id,
      last_fetched_at: setup.clock.now,
    });
    const details = setup.audit.selectEvents(org.id, 'state_source.refreshed').map(({ detail }) => detail);
    expect(details).toEqual([
      { source_id: id, snapshot_id: first.snapshot_id, refreshed: true, resource_count: 3 },
      { source_id: id, snapshot_id: first.snapshot_id, refreshed: false, resource_count: 3 },
    ]);
  });

  test('a refresh of an upload returns the last one, or nothing before the first', async () => {
    const { id } = await create(UPLOAD);
    const refresh = () => setup.sources.refresh(owner, org.id, id);

    expect(await refresh()).toEqual({
      content_hash: null,
      last_fetched_at: null,
      refreshed: false,
      resource_count: 0,
      parse_failure_count: 0,
      snapshot_id: null,
    });
    const uploaded = await upload(id, stateText(1));
    expect(await refresh()).toEqual({ ...uploaded, refreshed: false });
    expect(setup.backend.fetches).toEqual([]);
  });

  test('a file that is not a state is rejected, and nothing is stored', async () => {
    const { id } = await create(UPLOAD);
    const uploaded = await upload(id, stateText(1));

    expect(await failure(upload(id, '<html>'))).toMatchObject({ status: 422, error_class: 'unprocessable_state' });
    expect(await setup.sources.get(org, id)).toMatchObject({
      latest_snapshot_id: uploaded.snapshot_id,
      last_fetch_error: null,
    });
  });

  test('only sources of kind upload accept an upload', async () => {
    const { id } = await create(TFC);

    expect(await failure(upload(id, stateText(1)))).toMatchObject({ status: 409, error_class: 'not_upload_source' });
  });
});
