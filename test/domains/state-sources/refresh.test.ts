import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { StateSourceInput } from '../../../server/domains/state-sources/types.ts';
import type { OrgContext, Principal } from '../../../server/lib/principal.ts';
import { BACKEND_TEXT } from '../../fakes/state-backend.ts';
import { stateText } from '../../fakes/state-reader.ts';
import { minutesLater } from '../orgs/setup.ts';
import { type StateSourcesUnderTest, sealer, setUpStateSources, TOKEN } from './setup.ts';

let setup: StateSourcesUnderTest;
let owner: Principal;
let org: OrgContext;
beforeAll(async () => {
  setup = await setUpStateSources();
});
afterAll(() => setup.close());
beforeEach(async () => {
  ({ owner, org } = await setup.makeOwner());
  setup.backend.fetches.length = 0;
  setup.backend.failWith(undefined);
  setup.backend.cutAfter(undefined);
});

const TFC: StateSourceInput = { kind: 'tfc', display_name: 'Shop', config: { workspace: 'acme/shop', token: TOKEN } };
const PLACE = 'tfc:/acme/shop';
const S3: StateSourceInput = {
  kind: 's3',
  display_name: 'Shop',
  config: { bucket: 'states', key: 'shop.tfstate', region: 'eu-central-1' },
};
const create = async (input: StateSourceInput = TFC) => (await setup.sources.create(owner, org, input)).id;
const refresh = (id: string, instance: Pick<StateSourcesUnderTest, 'sources'> = setup) =>
  instance.sources.refresh(owner, org.id, id);
const get = (id: string) => setup.sources.get(org, id);
const failure = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error) => error,
  );
const snapshots = (source_id: string) =>
  setup.database.admin_db('state_snapshots').where({ source_id }).orderBy('created_at').orderBy('id');
const blobKeys = async () => {
  const keys: string[] = [];
  for await (const { key } of setup.blobs.list(`state-snapshots/${org.id}`)) keys.push(key);
  return keys;
};

describe('a refresh', () => {
  test('stores the resources encrypted, and the facts of the state', async () => {
    setup.backend.states.set(PLACE, stateText(40, 7));
    const id = await create();

    const result = await refresh(id);

    expect(result).toMatchObject({ refreshed: true, resource_count: 40, last_fetched_at: setup.clock.now });
    expect(await get(id)).toMatchObject({ latest_snapshot_id: result.snapshot_id, last_fetch_error: null });
    const [row] = await snapshots(id);
    expect(row).toMatchObject({
      content_hash: result.content_hash,
      resource_count: 40,
      parse_failure_count: 0,
      serial: '7',
      terraform_version: '1.11.0',
    });
    const stored = (await setup.blobs.get(row.blob_key)) ?? Buffer.alloc(0);
    expect(stored.includes('terraform_data')).toBe(false);
    const opened = sealer.open(stored, `state_snapshots|${org.id}|${row.id}`);
    expect(JSON.parse(opened.toString())).toHaveLength(40);
  });

  test('always fetches, and stores each content once', async () => {
    const id = await create();
    const results = [];
    for (const count of [1, 1, 2, 1]) {
      setup.backend.states.set(PLACE, stateText(count));
      setup.clock.now = minutesLater(setup.clock.now, 1);
      results.push(await refresh(id));
    }

    expect(results.map(({ refreshed, resource_count }) => [refreshed, resource_count])).toEqual([
      [true, 1],
      [false, 1],
      [true, 2],
      [true, 1],
    ]);
    expect(setup.backend.fetches).toHaveLength(4);
    expect(await snapshots(id)).toHaveLength(2);
    expect(await blobKeys()).toHaveLength(2);
    expect((await get(id)).latest_snapshot_id).toBe(results[0]?.snapshot_id);
    expect((await get(id)).last_fetched_at).toEqual(setup.clock.now);
  });

  test('twenty concurrent refreshes in two processes fetch once and agree', async () => {
    setup.backend.states.set(PLACE, stateText(2));
    const id = await create();
    const [here, there] = [setup, setup.another()];

    const results = await setup.withWaiting(19, () =>
      Promise.all(Array.from({ length: 20 }, (_, i) => refresh(id, i % 2 === 0 ? here : there))),
    );

    expect(setup.backend.fetches).toHaveLength(1);
    expect(new Set(results.map(({ content_hash }) => content_hash)).size).toBe(1);
    expect(results.filter(({ refreshed }) => refreshed)).toHaveLength(20);
  });

  test('concurrent refreshes of a state that cannot be fetched all fail with one reason', async () => {
    const id = await create();
    setup.backend.failWith('throttled');

    const errors = await setup.withWaiting(2, () => Promise.all([1, 2, 3].map(() => failure(refresh(id)))));

    expect(errors.map(({ status, message }) => [status, message])).toEqual(
      Array(3).fill([502, 'the backend failed: throttled']),
    );
    expect(setup.backend.fetches).toHaveLength(1);
  });

  test('takes over from a process that died', async () => {
    setup.backend.states.set(PLACE, stateText(2));
    const id = await create();
    const claim = { claim: org.id, claim_until: minutesLater(setup.clock.now, -1) };
    await setup.database.admin_db('state_sources').where({ id }).update(claim);

    expect(await refresh(id)).toMatchObject({ refreshed: true });
    expect(await setup.sourceRow(id)).toMatchObject({ claim: null, claim_until: null });
  });

  test('that lost its claim stores no row', async () => {
    setup.backend.states.set(PLACE, stateText(2));
    const id = await create();

    const takeOver = () => setup.database.admin_db('state_sources').where({ id }).update({ claim: org.id });
    const error = await setup.withWaiting(0, () => failure(refresh(id)), takeOver);

    expect(error).toMatchObject({ status: 503 });
    expect(await snapshots(id)).toEqual([]);
    expect(await get(id)).toMatchObject({ latest_snapshot_id: null, last_fetch_error: null });
  });

  test('of a source that is deleted meanwhile ends with not found, and leaves no row', async () => {
    setup.backend.states.set(PLACE, stateText(2));
    const id = await create();

    const remove = () => setup.sources.remove(owner, org.id, id);
    const error = await setup.withWaiting(0, () => failure(refresh(id)), remove);

    expect(error).toMatchObject({ status: 404 });
    expect(await snapshots(id)).toEqual([]);
  });
});

describe('a refresh that fails', () => {
  test.each([
    ['access_denied', null],
    ['no_such_bucket', 'missing'],
    ['wrong_region', null],
    ['credential_rejected', null],
    ['not_allowed', null],
    ['too_large', null],
    ['throttled', null],
    ['unreachable', null],
    ['unusable', null],
  ] as const)('with %s says why, and keeps the last snapshot', async (reason, missing) => {
    setup.backend.states.set(PLACE, stateText(2));
    const id = await create();
    const { snapshot_id } = await refresh(id);
    setup.backend.failWith(reason);

    const error = await failure(refresh(id));

    const message = `the backend failed: ${reason.replaceAll('_', ' ')}`;
    expect(error).toMatchObject({ status: 502, error_class: 'state_backend_error', message });
    const source = await get(id);
    expect(source).toMatchObject({ latest_snapshot_id: snapshot_id, last_fetch_error: message });
    expect(source.missing_since).toEqual(missing === null ? null : setup.clock.now);
    expect(JSON.stringify([error.message, source])).not.toContain(BACKEND_TEXT);
    expect(setup.audit.selectEvents(org.id, 'state_source.refreshed')).toHaveLength(1);
  });

  test('sets missing_since at the first missing state, and a success clears it', async () => {
    setup.backend.states.delete(PLACE);
    const id = await create();
    const first_at = setup.clock.now;
    await failure(refresh(id));
    setup.clock.now = minutesLater(setup.clock.now, 60);
    await failure(refresh(id));

    expect(await get(id)).toMatchObject({
      missing_since: first_at,
      last_fetch_error: 'the state does not exist; check its location',
    });

    setup.backend.failWith('throttled');
    await failure(refresh(id));
    expect((await get(id)).missing_since).toEqual(first_at);

    setup.backend.failWith(undefined);
    setup.backend.states.set(PLACE, stateText(1));
    await refresh(id);
    expect(await get(id)).toMatchObject({ missing_since: null, last_fetch_error: null });
  });

  test('in the middle of the body stores nothing', async () => {
    setup.backend.states.set(PLACE, stateText(50));
    const id = await create();
    setup.backend.cutAfter(2_000);

    expect(await failure(refresh(id))).toMatchObject({ status: 502, message: expect.stringContaining('try again') });
    expect([await snapshots(id), await blobKeys()]).toEqual([[], []]);
  });

  test('because the bytes are no state names what to do', async () => {
    setup.backend.states.set(PLACE, '<html>Sign in</html>');
    const id = await create();

    expect(await failure(refresh(id))).toMatchObject({
      status: 502,
      error_class: 'state_backend_error',
      message: expect.stringContaining('not a Terraform state'),
    });
  });

  test('because the blob store is full keeps the last snapshot and releases the source', async () => {
    setup.backend.states.set(PLACE, stateText(2));
    const id = await create();
    const { snapshot_id } = await refresh(id);
    setup.backend.states.set(PLACE, stateText(3));
    const put = setup.blobs.put;
    setup.blobs.put = () => Promise.reject(new Error('disk full'));
    const error = await failure(refresh(id));
    setup.blobs.put = put;

    expect(error.message).toBe('disk full');
    expect(await get(id)).toMatchObject({
      latest_snapshot_id: snapshot_id,
      last_fetch_error: 'the service could not store the state; try again',
    });
    expect(await refresh(id)).toMatchObject({ refreshed: true, resource_count: 3 });
  });
});

describe('the account that reads a bucket', () => {
  beforeEach(() => void setup.backend.states.set('s3:states/shop.tfstate', stateText(1)));

  test('is the one of the source, or the only one of its cloud', async () => {
    const only = setup.addAccount(org.id, 'aws');
    setup.addAccount(org.id, 'gcp');
    const id = await create(S3);

    await refresh(id);

    expect(setup.backend.fetches[0]?.access).toEqual({
      credentials: setup.accounts.get(only)?.credentials,
      token_subject: `org:${org.id}`,
    });
  });

  test.each([
    ['none', 0],
    ['more than one', 2],
  ])('cannot be chosen if there is %s', async (_title, count) => {
    for (let i = 0; i < count; i += 1) setup.addAccount(org.id, 'aws');
    const id = await create(S3);

    expect((await failure(refresh(id))).message).toMatch(
      /^no cloud account for this source: .* exactly one AWS account/,
    );
    expect((await get(id)).last_fetch_error).toContain('cloud_account_id');
    expect(setup.backend.fetches).toEqual([]);
  });

  test('must be enabled and exist', async () => {
    const account = setup.addAccount(org.id, 'aws', false);
    const id = await create({ ...S3, cloud_account_id: account });

    expect((await failure(refresh(id))).message).toContain('is disabled; enable it first');
    setup.accounts.delete(account);
    expect((await failure(refresh(id))).message).toContain('was deleted');
  });

  test('is not used for HCP Terraform', async () => {
    setup.backend.states.set(PLACE, stateText(1));
    await refresh(await create());

    expect(setup.backend.fetches).toEqual([{ place: PLACE, access: null }]);
  });
});

describe('maintenance', () => {
  const fetchVersions = async (id: string, counts: number[]) => {
    for (const count of counts) {
      setup.backend.states.set(PLACE, stateText(count));
      setup.clock.now = minutesLater(setup.clock.now, 1);
      await refresh(id);
    }
  };

  test('keeps the five newest snapshots of a source, and the latest one however old it is', async () => {
    const id = await create();
    await fetchVersions(id, [1, 2, 3, 4, 5, 6, 7, 1]);
    await setup.snapshots.deleteOld();

    expect((await snapshots(id)).map(({ resource_count }) => resource_count)).toEqual([1, 4, 5, 6, 7]);
    expect(await blobKeys()).toHaveLength(5);

    setup.clock.now = minutesLater(setup.clock.now, 31 * 24 * 60);
    await setup.snapshots.deleteOld();
    expect((await snapshots(id)).map(({ resource_count }) => resource_count)).toEqual([1]);
    expect(await refresh(id)).toMatchObject({ refreshed: false, resource_count: 1 });
  });

  test('deletes the snapshots of deleted sources', async () => {
    const id = await create();
    await fetchVersions(id, [1, 2]);
    await setup.sources.remove(owner, org.id, id);
    await setup.snapshots.deleteOld();

    expect([await snapshots(id), await blobKeys()]).toEqual([[], []]);
  });

  test('deletes blobs without a row an hour after they were written, and no others', async () => {
    const id = await create();
    await fetchVersions(id, [1]);
    const orphan = `state-snapshots/${org.id}/${org.id}`;
    await setup.blobs.put(orphan, Buffer.from('lost'));
    const written = setup.clock.now;

    setup.clock.now = new Date();
    await setup.snapshots.deleteOrphans();
    expect(await blobKeys()).toHaveLength(2);
    setup.clock.now = minutesLater(new Date(), 61);
    await setup.snapshots.deleteOrphans();
    setup.clock.now = written;

    expect(await blobKeys()).toHaveLength(1);
    expect(await refresh(id)).toMatchObject({ refreshed: false });
  });
});
