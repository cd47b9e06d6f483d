import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../../server/lib/credential.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { minutesLater } from '../orgs/setup.ts';
import { describeEnd, type InstallationsUnderTest, setUpInstallations } from './setup.ts';

const IGNORED = { accepted: false, reason: 'ignored' };
const before = new Date('2026-05-01T12:00:00.000Z');

let under: InstallationsUnderTest;
beforeAll(async () => {
  under = await setUpInstallations();
  under.github.addRepo('acme/own');
});
afterAll(() => under.close());
afterEach(() => {
  under.clock.now = before;
});

let owner: Principal;
let org: string;
let hosted: ReturnType<InstallationsUnderTest['github']['installation']>;
const install = (...how: Parameters<InstallationsUnderTest['github']['install']>) =>
  under.github.installation(under.github.install(...how));
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  hosted = install(['acme/own'], { visible_to: ['ana'] });
});

async function link(): Promise<string> {
  const query = { state: await under.createState(owner, org), code: under.github.code('ana') };
  expect(describeEnd(await under.comeAndDecide({ ...query, installation_id: String(hosted.id) }))).toBe('connected');
  return (await under.rows(org))[0].id;
}
const stored = async () => (await under.rows(org))[0];
const deliveries = (id: string) => under.database.admin_db('webhook_deliveries').where({ installation_row_id: id });
const RUN = { action: 'completed', workflow_run: { id: 1 } };

describe('deliveries of the GitHub App', () => {
  test('a delivery for a linked installation is stored encrypted for the bot, once', async () => {
    const row_id = await link();
    const id = randomUUID();
    const run = { ...RUN, installation: { id: hosted.id } };

    const first = await under.deliver('workflow_run', run, { id });

    const [row] = await deliveries(row_id);
    expect(first).toEqual({ accepted: true, delivery_id: row.id });
    expect(row).toMatchObject({ org_id: org, config_id: null, event: 'workflow_run', status: 'accepted' });
    expect(under.enqueued).toContainEqual({ org_id: org, id: row.id });
    expect((await under.deliveries.open(org, row.id))?.raw.toString()).toBe(JSON.stringify(run));
    expect(await under.deliver('workflow_run', run, { id })).toEqual({ accepted: false, reason: 'duplicate' });
    expect(await under.deliver('push', run)).toEqual(IGNORED);
  });

  test('a delivery with a wrong signature is rejected before it is read, and every delivery without an App', async () => {
    const refused = { status: 401, error_class: 'signature_invalid' };

    await expect(under.deliver('workflow_run', RUN, { secret: 'other' })).rejects.toMatchObject(refused);
    expect(() => under.installations.receiver.open({})).toThrow(expect.objectContaining(refused));
    expect(() => under.without.receiver.open({})).toThrow(
      expect.objectContaining({ status: 503, error_class: 'scm_not_configured' }),
    );
  });

  test.each([
    ['without an id', { zen: 'Speak like a human.' }],
    ['that is not linked', { ...RUN, installation: { id: 999_999_999 } }],
    ['whose id is not a number', { ...RUN, installation: { id: '1 or 1=1' } }],
    ['whose id cannot be stored', { ...RUN, installation: { id: 1e300 } }],
  ])('a delivery for an installation %s is dropped', async (_title, body) => {
    expect(await under.deliver('workflow_run', body)).toEqual(IGNORED);
  });

  test.each(['[]', '"x"', 'null', '{', ''])('a delivery with %j is rejected', async (text) => {
    await expect(under.deliver('workflow_run', text)).rejects.toMatchObject({ status: 400 });
  });
});

describe('the status of an installation', () => {
  const about = (action: string, changes: object = {}) =>
    under.deliver('installation', { action, installation: { ...hosted, ...changes } });

  test('a status change is stored immediately', async () => {
    await link();
    under.clock.now = minutesLater(before, 1);

    await about('new_permissions_accepted', { permissions: { checks: 'write', issues: 'read' } });
    expect(await stored()).toMatchObject({
      permissions: { checks: 'write', issues: 'read' },
      updated_at: under.clock.now,
      status: 'active',
    });
    const more = { action: 'added', installation: { ...hosted, repository_selection: 'all' } };
    await under.deliver('installation_repositories', more);
    expect(await stored()).toMatchObject({ repository_selection: 'all' });
  });

  test('while an installation is suspended, its deliveries are not processed', async () => {
    const row_id = await link();
    const run = { ...RUN, installation: { id: hosted.id } };

    await about('suspend', { suspended_at: '2026-05-01T12:00:00Z' });
    expect(await under.installations.list(org)).toMatchObject([{ status: 'suspended' }]);
    expect(await under.installations.access(org, row_id)).toBeUndefined();
    expect(await under.deliver('workflow_run', run)).toEqual(IGNORED);

    await about('unsuspend', { suspended_at: null });
    expect(await under.installations.access(org, row_id)).toMatchObject({ id: row_id });
    expect(await under.deliver('workflow_run', run)).toMatchObject({ accepted: true });
  });

  test('an uninstalled installation loses its key, and no later delivery revives it', async () => {
    const row_id = await link();
    const { dpa_token = '' } = (await under.installations.access(org, row_id)) ?? {};
    const { api_key_id } = await stored();

    await Promise.all([about('deleted'), about('deleted')]);
    await about('unsuspend', { suspended_at: null });

    expect(await stored()).toMatchObject({ status: 'removed', api_key_id: null, api_key_ct: null, deleted_at: null });
    expect(await under.installations.access(org, row_id)).toBeUndefined();
    await expect(under.apiKeys.authenticate(createCredential('api_key', dpa_token))).rejects.toMatchObject({
      status: 401,
    });
    expect(under.audit.selectEvents(org, 'api_key.revoked')).toMatchObject([
      { actor_email: '', detail: { key_id: api_key_id } },
    ]);
  });

  test('an installation that is unlinked and uninstalled concurrently loses its key once', async () => {
    const row_id = await link();

    await Promise.all([about('deleted'), under.installations.remove(owner, org, row_id)]);

    expect(under.audit.selectEvents(org, 'api_key.revoked')).toHaveLength(1);
    expect(await under.installations.list(org)).toEqual([]);
  });
});

describe('an installation that is approved at GitHub', () => {
  const comeBack = async (query: object) =>
    under.installations.complete({ state: await under.createState(owner, org), ...query });
  const approve = (requester: object | null) =>
    under.deliver('installation', { action: 'created', installation: hosted, requester });

  test.each([
    ['by the login of the requester', { login: 'ana' }],
    ['by its own account', { login: 'acme' }],
    ['without a requester', null],
  ])('%s links nothing, even after a link was requested', async (_title, requester) => {
    expect(describeEnd(await comeBack({ setup_action: 'request', code: under.github.code('ana') }))).toBe('pending');
    expect(describeEnd(await comeBack({ setup_action: 'request', code: under.github.code('acme') }))).toBe('pending');

    expect(await approve(requester)).toEqual(IGNORED);

    expect(await under.rows(org)).toEqual([]);
    expect(under.audit.selectEvents(org)).toEqual([]);
  });

  test('an approved installation is linked when its manager opens a link of the organization and confirms', async () => {
    expect(describeEnd(await comeBack({ setup_action: 'request' }))).toBe('pending');
    await approve({ login: 'member' });

    const query = { state: await under.createState(owner, org), installation_id: String(hosted.id) };

    expect(describeEnd(await under.comeAndDecide({ ...query, code: under.github.code('ana') }))).toBe('connected');
    expect(await under.rows(org)).toMatchObject([{ installation_id: String(hosted.id), status: 'active' }]);
  });
});

describe('the repositories of an installation', () => {
  const NAMES = ['acme/infra', 'acme/shop', 'acme/docs'];

  test('repositories have the time of their last analysis in this organization', async () => {
    const ids = NAMES.map((name) => under.github.addRepo(name).id);
    hosted = install(NAMES, { visible_to: ['ana'] });
    const row_id = await link();
    const other = await under.makeOwner();
    await storeAnalysis(org, 'infra', 1, 'low');
    await storeAnalysis(org, 'infra', 3, 'high');
    await storeAnalysis(org, 'infra', 2, 'none');
    await storeAnalysis(other.org, 'shop', 4, 'critical');

    const page = await under.installations.listRepositories(org, row_id, { limit: 100, offset: 0 });

    const never = { last_analysis_at: null, last_risk_level: null };
    const known = { private: true, default_branch: 'main' };
    expect(page).toEqual({
      total: 3,
      repositories: [
        {
          id: ids[0],
          full_name: 'acme/infra',
          ...known,
          last_analysis_at: minutesLater(before, 3),
          last_risk_level: 'high',
        },
        { id: ids[1], full_name: 'acme/shop', ...known, ...never },
        { id: ids[2], full_name: 'acme/docs', ...known, ...never },
      ],
    });
    await expect(
      under.installations.listRepositories(other.org, row_id, { limit: 1, offset: 0 }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    ['does not respond', 'drop' as const, { status: 503, error_class: 'unavailable' }],
    ['refuses', { status: 404, body: {} }, { status: 502, error_class: 'scm_backend_error' }],
  ])('repositories are not listed if GitHub %s', async (_title, how, error) => {
    const row_id = await link();
    under.github.fail({ path: /./, how });

    const listed = under.installations.listRepositories(org, row_id, { limit: 1, offset: 0 });

    await expect(listed).rejects.toMatchObject(error);
  });

  async function storeAnalysis(org_id: string, repo_name: string, minute: number, risk_level: string): Promise<void> {
    const at = minutesLater(before, minute);
    const run = { id: randomUUID(), org_id, kind: 'analysis', scan_type: 'manual', status: 'done', finished_at: at };
    const repo = { repo_owner: 'acme', repo_name };
    await under.database
      .admin_db('scan_runs')
      .insert({ ...run, ...repo, created_at: before, result_json: JSON.stringify({ schema_version: 1, risk_level }) });
  }
});
