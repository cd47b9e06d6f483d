import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { childName, childSource, toPlace } from '../../../server/domains/state-sources/config.ts';
import { describeRescan } from '../../../server/domains/state-sources/rescan.ts';
import type { GlobInput } from '../../../server/domains/state-sources/types.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { OrgContext, Principal } from '../../../server/lib/principal.ts';
import { stateText } from '../../fakes/state-reader.ts';
import { minutesLater, outcomes } from '../orgs/setup.ts';
import { type StateSourcesUnderTest, setUpStateSources } from './setup.ts';

let setup: StateSourcesUnderTest;
let owner: Principal;
let org: OrgContext;
let input: GlobInput;
beforeAll(async () => {
  setup = await setUpStateSources();
});
afterAll(() => setup.close());
beforeEach(async () => {
  ({ owner, org } = await setup.makeOwner('enterprise'));
  setup.backend.failWith(undefined);
  setup.backend.states.clear();
  setup.backend.lists.length = 0;
  const cloud_account_id = setup.addAccount(org.id, 'aws');
  input = {
    provider: 'aws',
    bucket: 'states',
    prefix: 'prod/',
    region: 'eu-central-1',
    cloud_account_id,
    display_name: 'P',
  };
});

const put = (...keys: string[]) => {
  for (const key of keys) setup.backend.states.set(`s3:states/${key}`, stateText(1));
};
const manyKeys = (count: number) =>
  Array.from({ length: count }, (_, i) => `prod/${String(i).padStart(5, '0')}.tfstate`);
const create = (changes: Partial<GlobInput> = {}) => setup.globs.create(owner, org.id, { ...input, ...changes });
const preview = () => setup.globs.preview(org.id, input);
const rescan = (id: string, instance: Pick<StateSourcesUnderTest, 'rescanner'> = setup) =>
  instance.rescanner.rescan(owner, org.id, id);
const sources = async () => (await setup.sources.list(org, {}, { limit: 1_000, offset: 0 })).sources;
const names = async () => (await sources()).map(({ display_name }) => display_name);
const findGlob = async (id: string) => (await setup.globs.list(org.id)).find((glob) => glob.id === id);
const failure = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error) => error,
  );
const setLimit = (value: number) =>
  setup.database
    .admin_db('org_limits')
    .insert({ org_id: org.id, name: 'state_sources', value })
    .onConflict(['org_id', 'name'])
    .merge();

describe('a glob', () => {
  test('registers every state below its prefix, with the key as name', async () => {
    put('prod/b/terraform.tfstate', 'prod/a.tfstate', 'prod/a.tfstate.backup', 'prod/notes.txt', 'dev/c.tfstate');

    const { glob, ...rest } = await create();

    expect(rest).toEqual({ added: 2, total_matches: 2, truncated: false });
    expect(glob).toMatchObject({
      org_id: org.id,
      bucket: 'states',
      prefix: 'prod/',
      child_count: 2,
      last_rescan_at: null,
    });
    expect(
      (await sources()).map(({ display_name, kind, config, parent_glob_id }) => [
        display_name,
        kind,
        config,
        parent_glob_id,
      ]),
    ).toEqual([
      ['a.tfstate', 's3', { bucket: 'states', key: 'prod/a.tfstate', region: 'eu-central-1' }, glob.id],
      [
        'b/terraform.tfstate',
        's3',
        { bucket: 'states', key: 'prod/b/terraform.tfstate', region: 'eu-central-1' },
        glob.id,
      ],
    ]);
    expect(await setup.globs.list(org.id)).toEqual([glob]);
    const detail = {
      glob_id: glob.id,
      provider: 'aws',
      bucket: 'states',
      prefix: 'prod/',
      child_count: 2,
      truncated: false,
    };
    expect(setup.audit.selectEvents(org.id)).toMatchObject([{ action: 'state_source_glob.created', detail }]);
  });

  test.each([
    ['gcp', { region: undefined }, 'gcs:states/prod/a.tfstate', 'gcs'],
    ['azure', { region: undefined, storage_account: 'acme' }, 'azure_blob:acme/states/prod/a.tfstate', 'azure_blob'],
  ] as const)('of %s registers sources that can be fetched', async (provider, changes, place, kind) => {
    setup.backend.states.set(place, stateText(4));
    const cloud_account_id = setup.addAccount(org.id, provider);

    await create({ provider, cloud_account_id, ...changes });

    const [source] = await sources();
    expect(source).toMatchObject({ kind, cloud_account_id });
    expect(await setup.sources.refresh(owner, org.id, source?.id ?? '')).toMatchObject({ resource_count: 4 });
  });

  test('registers the first 500 of more matches in byte order', async () => {
    put(...manyKeys(510), 'prod/É.tfstate');

    expect(await create()).toMatchObject({ added: 500, total_matches: 511, truncated: true });
    expect((await names()).at(-1)).toBe('00499.tfstate');
  });

  test('counts at most 10,000 matches', async () => {
    put(...manyKeys(10_002));

    expect(await preview()).toMatchObject({ total_matches: 10_000, would_add: 500, would_truncate: true });
  });

  test('skips states that are already registered, and they stay what they were', async () => {
    put('prod/a.tfstate', 'prod/b.tfstate');
    const config = { bucket: 'states', key: 'prod/a.tfstate', region: 'eu-central-1' };
    const own = await setup.sources.create(owner, org, { kind: 's3', display_name: 'Mine', config });

    expect(await preview()).toMatchObject({ total_matches: 2, would_add: 1 });
    const { glob, added } = await create();
    expect([added, glob.child_count]).toEqual([1, 1]);

    await setup.globs.remove(owner, org.id, glob.id);
    expect(await sources()).toEqual([own]);
  });

  test('without any match has no sources', async () => {
    expect(await create()).toMatchObject({ added: 0, total_matches: 0, truncated: false });
  });

  test('is created whole or not at all if the plan allows fewer sources', async () => {
    put(...manyKeys(4));
    await setLimit(3);

    expect(await preview()).toMatchObject({ plan_remaining: 3, would_add: 4, would_exceed_plan: true });
    const error = await failure(create());
    expect(error).toMatchObject({ status: 402, error_class: 'plan_limit_exceeded' });
    expect(error.message).toContain('this request adds 4');
    expect([await sources(), await setup.globs.list(org.id)]).toEqual([[], []]);

    await setLimit(4);
    expect(await preview()).toMatchObject({ plan_remaining: 4, would_exceed_plan: false });
    expect(await create()).toMatchObject({ added: 4 });
  });

  test('needs the feature of the plan, before the bucket is listed', async () => {
    const free = await setup.makeOwner('free');
    const account = setup.addAccount(free.org.id, 'aws');
    const attempt = { ...input, cloud_account_id: account };

    const errors = [
      await failure(setup.globs.create(free.owner, free.org.id, attempt)),
      await failure(setup.globs.preview(free.org.id, attempt)),
    ];

    for (const error of errors) {
      expect(error).toMatchObject({
        status: 402,
        error_class: 'plan_feature_required',
        extra: { body: { feature: 'glob_state_sources', required_plan: 'team' } },
      });
    }
    expect(setup.backend.lists).toEqual([]);
  });

  test('can exist once for a bucket and prefix', async () => {
    const attempts = [create(), create(), create({ prefix: 'dev/' }), create({ prefix: undefined })];

    expect(await outcomes(attempts)).toEqual({ ok: 3, glob_exists: 1 });
    expect(await preview()).toMatchObject({ would_add: 0 });
  });

  test('that cannot be listed is not created', async () => {
    setup.backend.failWith('access_denied');

    expect(await failure(create())).toMatchObject({ status: 502, message: 'the backend failed: access denied' });
    expect(await setup.globs.list(org.id)).toEqual([]);
  });

  test.each([
    ['region', { region: undefined }],
    ['storage_account', { storage_account: 'acme' }],
    ['prefix', { prefix: 'a/../b' }],
  ])('with a wrong %s is rejected with its name', async (field, changes) => {
    const error = await failure(create(changes));

    expect(error).toMatchObject({ status: 400, extra: { details: [{ path: `/body/${field}` }] } });
    expect(setup.backend.lists).toEqual([]);
  });

  test('that is deleted takes its sources along', async () => {
    put('prod/a.tfstate', 'prod/b.tfstate');
    const { glob } = await create();

    await setup.globs.remove(owner, org.id, glob.id);

    expect([await sources(), await setup.globs.list(org.id)]).toEqual([[], []]);
    expect(setup.audit.selectEvents(org.id, 'state_source_glob.deleted')).toMatchObject([
      { detail: { glob_id: glob.id, child_count: 2 } },
    ]);
    const attempts = [
      setup.globs.remove(owner, org.id, glob.id),
      rescan(glob.id),
      setup.children.refreshAll(owner, org.id, glob.id),
    ];
    expect(await outcomes(attempts)).toEqual({ not_found: 3 });
    expect(await create()).toMatchObject({ added: 2 });
  });

  test('of another organization is not found', async () => {
    const { glob } = await create();
    const other = await setup.makeOwner();

    const attempts = [
      setup.globs.remove(other.owner, other.org.id, glob.id),
      setup.rescanner.rescan(other.owner, other.org.id, glob.id),
      setup.children.refreshAll(other.owner, other.org.id, glob.id),
    ];

    expect(await outcomes(attempts)).toEqual({ not_found: 3 });
    expect(await setup.globs.list(other.org.id)).toEqual([]);
  });
});

describe('a rescan', () => {
  test('registers only new states', async () => {
    put('prod/a.tfstate');
    const { glob } = await create();
    put('prod/b.tfstate', 'prod/c.tfstate');
    setup.clock.now = minutesLater(setup.clock.now, 5);

    expect(await rescan(glob.id)).toEqual({ added: 2, total: 3, truncated: false });
    expect(await rescan(glob.id)).toEqual({ added: 0, total: 3, truncated: false });

    expect(await names()).toEqual(['a.tfstate', 'b.tfstate', 'c.tfstate']);
    expect(await findGlob(glob.id)).toMatchObject({
      child_count: 3,
      last_rescan_at: setup.clock.now,
      last_rescan_error: null,
      last_rescan_severity: 'info',
    });
    const details = setup.audit.selectEvents(org.id, 'state_source_glob.rescanned').map(({ detail }) => detail);
    expect(details).toEqual([
      { glob_id: glob.id, added: 2, total: 3, truncated: false },
      { glob_id: glob.id, added: 0, total: 3, truncated: false },
    ]);
  });

  test('warns about states that are gone, and about more than 500 matches', async () => {
    put('prod/a.tfstate', 'prod/b.tfstate');
    const { glob } = await create();
    setup.backend.states.delete('s3:states/prod/a.tfstate');

    await rescan(glob.id);
    expect(await findGlob(glob.id)).toMatchObject({
      child_count: 2,
      last_rescan_severity: 'warning',
      last_rescan_error: '1 registered state is no longer in the bucket: delete sources that you do not need',
    });

    put(...manyKeys(501));
    expect(await rescan(glob.id)).toEqual({ added: 500, total: 502, truncated: true });
    expect((await findGlob(glob.id))?.last_rescan_error).toMatch(
      /^more than 500 states match: .*; 1 registered state is/,
    );
  });

  test('that fails shows why, and the next one clears it', async () => {
    const { glob } = await create();
    setup.backend.failWith('credential_rejected');

    expect(await failure(rescan(glob.id))).toMatchObject({ status: 502 });
    const failed = { last_rescan_severity: 'error', last_rescan_error: 'the backend failed: credential rejected' };
    expect(await findGlob(glob.id)).toMatchObject(failed);

    setup.backend.failWith(undefined);
    await rescan(glob.id);
    expect(await findGlob(glob.id)).toMatchObject({ last_rescan_severity: 'info', last_rescan_error: null });
  });

  test('above the plan limit registers nothing, and shows it', async () => {
    put('prod/a.tfstate');
    const { glob } = await create();
    put('prod/b.tfstate', 'prod/c.tfstate');
    await setLimit(2);

    expect(await failure(rescan(glob.id))).toMatchObject({ status: 402, error_class: 'plan_limit_exceeded' });
    expect(await names()).toEqual(['a.tfstate']);
    expect(await findGlob(glob.id)).toMatchObject({
      last_rescan_severity: 'warning',
      last_rescan_error: expect.stringContaining('uses 1 of its 2 state sources'),
    });
  });

  test('runs at most once at a time: the sum of what twenty add is the number of new states', async () => {
    const { glob } = await create();
    put(...manyKeys(7));
    const [here, there] = [setup, setup.another()];

    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => rescan(glob.id, i % 2 === 0 ? here : there)),
    );

    expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(7);
    expect(await names()).toHaveLength(7);
  });

  test('waits for another one, and gives up after ten seconds', async () => {
    const { glob } = await create();
    const claim = { claim: newId(), claim_until: minutesLater(setup.clock.now, 1) };
    await setup.database.admin_db('state_source_globs').where({ id: glob.id }).update(claim);

    expect(await failure(rescan(glob.id))).toMatchObject({ status: 409, error_class: 'rescan_in_progress' });
    expect(setup.backend.lists).toHaveLength(1);

    setup.clock.now = minutesLater(setup.clock.now, 2);
    expect(await rescan(glob.id)).toMatchObject({ added: 0 });
  });

  test('of a glob that is deleted meanwhile leaves no source', async () => {
    const { glob } = await create();
    put(...manyKeys(3));
    const release = setup.backend.hold();
    const listed = setup.backend.lists.length;
    const attempt = failure(rescan(glob.id));
    while (setup.backend.lists.length === listed) await new Promise((resolve) => setImmediate(resolve));
    await setup.globs.remove(owner, org.id, glob.id);
    release();

    expect(await attempt).toMatchObject({ status: 404 });
    expect(await sources()).toEqual([]);
  });

  test('with 500 known states takes two statements, besides reading the account and the key of the organization', async () => {
    put(...manyKeys(500));
    const { glob } = await create();
    const counting = setup.counting();

    expect(await rescan(glob.id, counting)).toEqual({ added: 0, total: 500, truncated: false });

    expect(counting.statements.filter((sql) => !/^(BEGIN|COMMIT)/i.test(sql))).toHaveLength(2);
    expect(await findGlob(glob.id)).toMatchObject({ child_count: 500, last_rescan_severity: 'info' });
  });
});

describe('values of globs', () => {
  const key = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' });

  test('a name is the end of its key, has at most 100 characters, and is never empty', () => {
    fc.assert(
      fc.property(key, fc.nat(20), (text, cut) => {
        const prefix = text.slice(0, cut);
        const name = childName({ prefix }, text);

        expect([...name].length).toBeGreaterThan(0);
        expect([...name].length).toBeLessThanOrEqual(100);
        expect(text.endsWith(name.replace(/^…/, ''))).toBe(true);
      }),
    );
  });

  test('the source of a key contains it unchanged', () => {
    fc.assert(
      fc.property(key, fc.constantFrom('aws', 'gcp', 'azure' as const), (text, provider) => {
        const place = { provider, bucket: 'b', prefix: '', region: 'r', storage_account: 's' };

        expect(Object.values(childSource(place, text).config)).toContain(text);
      }),
    );
  });

  test('fields of another provider are rejected', () => {
    const gcp = { provider: 'gcp', bucket: 'b', cloud_account_id: 'a', display_name: 'n', region: 'r' } as const;

    expect(() => toPlace(gcp)).toThrow('region does not apply to gcp; omit it');
  });

  test('several registered states are counted in the plural', () => {
    expect(describeRescan({ failure: null, truncated: false, missing: 2 })).toMatch(
      /^2 registered states are no longer/,
    );
  });
});
