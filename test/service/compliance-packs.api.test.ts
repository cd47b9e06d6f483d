import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const DAY_MS = 86_400_000;

let service: TestService;
let owner: Caller;
let member: Caller;
let org_id: string;
let exports: string;

beforeAll(async () => {
  service = await startTestService({ PACK_PDF: 'false' });
  owner = await service.signIn('owner');
  member = await service.signIn('member');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  exports = `/api/v2/orgs/${org_id}/audit-exports`;
  const user_id = (await member.get('/api/v2/me')).body.user.id;
  const membership = { id: newId(), org_id, user_id, role: 'member', accepted_at: new Date() };
  await service.admin_db('memberships').insert(membership);
  await setPlan('enterprise');
});

afterAll(() => service.close());

const setPlan = (plan: string) => service.admin_db('orgs').where({ id: org_id }).update({ plan });
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const resetLimit = () => service.admin_db('audit_export_requests').delete();
const lastMonth = () => ({ period_start: ago(30), period_end: ago(0) });

async function requestPack(period = lastMonth()): Promise<string> {
  await resetLimit();
  const { status, body } = await owner.post(exports, period);
  expect(status).toBe(202);
  return body.id;
}

async function waitForPack(id: string) {
  for (;;) {
    const { body } = await owner.get(`${exports}/${id}`);
    if (body.status !== 'pending' && body.status !== 'running') return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The newest audit rows of packs, oldest first. */
async function listAudit(count: number): Promise<{ action: string; detail: Record<string, unknown> }[]> {
  const rows = await service
    .admin_db('audit_log')
    .where({ org_id })
    .whereLike('action', 'audit_export.%')
    .orderBy('seq', 'desc')
    .limit(count)
    .select('action', 'detail');
  return rows.reverse();
}

/** `Caller` reads bodies as text; a ZIP needs bytes. */
async function downloadBytes(id: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const { signDevToken } = await import('../../server/adapters/oidc/index.ts');
  const who = { email: 'owner@example.com', name: 'owner' };
  const token = await signDevToken({ data_dir: service.data_dir, ...who, production: false });
  const response = await fetch(`${service.url}${exports}/${id}/download`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('the request for a pack', () => {
  test.each([
    ['reversed', () => ({ period_start: ago(1), period_end: ago(2) })],
    ['empty', () => ({ period_start: '2026-01-01T00:00:00Z', period_end: '2026-01-01T00:00:00Z' })],
    ['in the future', () => ({ period_start: ago(1), period_end: ago(-1) })],
    ['longer than 366 days', () => ({ period_start: ago(368), period_end: ago(0) })],
  ])('is rejected if the period is %s', async (_, period) => {
    expect(await owner.post(exports, period())).toMatchObject({
      status: 400,
      body: { error_class: 'invalid_period' },
    });
  });

  test('names the feature that the plan does not include', async () => {
    await setPlan('free');
    const answer = await owner.post(exports, lastMonth());
    await setPlan('enterprise');

    expect(answer).toMatchObject({
      status: 402,
      body: { code: 'plan_feature_required', feature: 'audit_compliance', required_plan: 'team' },
    });
  });

  test('moves the start into the window of the plan', async () => {
    await resetLimit();
    await setPlan('team');
    const clamped = await owner.post(exports, { period_start: ago(100), period_end: ago(0) });
    const outside = await owner.post(exports, { period_start: ago(100), period_end: ago(31) });
    await setPlan('enterprise');

    expect(clamped.status).toBe(202);
    const window_ms = Date.parse(clamped.body.created_at) - Date.parse(clamped.body.period_start);
    expect(window_ms).toBe(30 * DAY_MS);
    expect(outside).toMatchObject({ status: 400, body: { error_class: 'invalid_period' } });
  });

  test('is accepted five times in 24 hours, also if the packs were deleted', async () => {
    await resetLimit();
    const answers = await Promise.all(Array.from({ length: 8 }, () => owner.post(exports, lastMonth())));
    const accepted = answers.filter(({ status }) => status === 202);
    for (const { body } of accepted) await owner.send('DELETE', `${exports}/${body.id}`);
    const later = await owner.post(exports, lastMonth());

    expect(accepted).toHaveLength(5);
    expect(later).toMatchObject({ status: 429, body: { error_class: 'audit_export_rate_limited' } });
    expect(later.body.retry_after).toBeGreaterThan(86_000);
  });

  test('is answered once for an idempotency key', async () => {
    await resetLimit();
    const key = { 'idempotency-key': newId() };
    const period = lastMonth();
    const [first, second] = [await owner.post(exports, period, key), await owner.post(exports, period, key)];

    expect(second.body.id).toBe(first.body.id);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('needs an administrator who has signed in', async () => {
    const { key } = (await owner.post(`/api/v2/orgs/${org_id}/api-keys`, { name: 'CI', scopes: ['read'] })).body;

    expect((await member.post(exports, lastMonth())).body.error_class).toBe('forbidden_role');
    const with_key = await service.withHeaders({ 'x-api-key': key }).post(exports, lastMonth());
    expect(with_key.body.error_class).toBe('oidc_required');
  });
});

describe('a pack', () => {
  test('is built, downloaded with its checksum, and recorded', async () => {
    const id = await requestPack();
    const pack = await waitForPack(id);
    expect(pack).toMatchObject({
      status: 'done',
      retry_count: 0,
      error_message: null,
      requested_by: 'owner@example.com',
    });
    expect(Date.parse(pack.expires_at) - Date.parse(pack.created_at)).toBe(90 * DAY_MS);

    const { headers, bytes } = await downloadBytes(id);

    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect([sha256, headers.get('x-checksum-sha256'), bytes.length]).toEqual([
      pack.artifact_sha256,
      pack.artifact_sha256,
      pack.artifact_bytes,
    ]);
    const [start, end] = [pack.period_start, pack.period_end].map((time: string) => time.slice(0, 10));
    const name = `compliance-pack-acme-${start}_${end}.zip`;
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    await expectAudit([
      { action: 'audit_export.requested', detail: { export_id: id } },
      { action: 'audit_export.downloaded', detail: { export_id: id, bytes: bytes.length } },
    ]);
  });

  async function expectAudit(expected: unknown[]): Promise<void> {
    // The row is written after the last byte was sent.
    for (let found = await listAudit(expected.length); ; found = await listAudit(expected.length)) {
      if (found.at(-1)?.action !== 'audit_export.downloaded') continue;
      expect(found).toEqual(expected);
      return;
    }
  }

  test('is listed for members and after a downgrade, but only administrators download it', async () => {
    await setPlan('free');
    const { body } = await member.get(`${exports}?limit=1`);
    const download = await member.get(`${exports}/${body.items[0].id}/download`);
    await setPlan('enterprise');

    expect([body.items.length, body.total > 1]).toEqual([1, true]);
    expect(download).toMatchObject({ status: 403, body: { error_class: 'forbidden_role' } });
  });

  test('cannot be downloaded before it is built, after an error, and after its time', async () => {
    const id = await requestPack();
    await waitForPack(id);
    const set = (columns: object) => service.admin_db('audit_exports').where({ id }).update(columns);
    const gone = { artifact_key: null, artifact_bytes: null, artifact_sha256: null };
    const classes: string[] = [];
    for (const columns of [
      { ...gone, status: 'running', finished_at: null },
      { status: 'error', finished_at: new Date(), error_message: 'x' },
      { status: 'expired', error_message: null },
    ]) {
      await set(columns);
      classes.push((await owner.get(`${exports}/${id}/download`)).body.error_class);
    }

    expect(classes).toEqual(['export_not_ready', 'export_not_ready', 'export_artifact_removed']);
  });

  test('whose file is gone is 410, and stays done', async () => {
    const id = await requestPack();
    const { artifact_key } = await waitForPack(id);
    const path = join(service.data_dir, 'blobs', artifact_key);
    await rename(path, `${path}.away`);

    const answer = await owner.get(`${exports}/${id}/download`);

    expect(answer).toMatchObject({ status: 410, body: { error_class: 'export_artifact_removed' } });
    expect((await owner.get(`${exports}/${id}`)).body.status).toBe('done');
  });

  test('whose file was changed is not sent', async () => {
    const id = await requestPack();
    await waitForPack(id);
    await service
      .admin_db('audit_exports')
      .where({ id })
      .update({ artifact_sha256: '0'.repeat(64) });

    expect(await owner.get(`${exports}/${id}/download`)).toMatchObject({
      status: 503,
      body: { error_class: 'storage_unavailable' },
    });
  });

  test('is deleted with its file, once', async () => {
    const id = await requestPack();
    await waitForPack(id);

    const first = await owner.send('DELETE', `${exports}/${id}`);
    const second = await owner.send('DELETE', `${exports}/${id}`);

    expect([first.status, second.status]).toEqual([204, 404]);
    expect((await listAudit(1))[0]).toEqual({ action: 'audit_export.deleted', detail: { export_id: id } });
  });
});
