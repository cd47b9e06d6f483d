import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RUN_FOLDER } from '../helpers/postgres-run.ts';
import { type Caller, planText, startTestService, type TestService } from '../helpers/service.ts';

/** Small disks that can be filled: /blobs for the object store, /tables for the database. */
const DISK = mkdtempSync(join(tmpdir(), 'dpa-disk-'));
chmodSync(DISK, 0o755);
const disks = ['blobs', 'tables'].map((name) => join(DISK, name));
const [blobs = '', tables = ''] = disks;

function mountDisks(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return disks.every((path) => {
    mkdirSync(path);
    return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path]).status === 0;
  });
}

const mounted = mountDisks();
if (!mounted) process.stderr.write('storage faults are not tested: mounting a small tmpfs needs root on Linux\n');
const filler = (disk: string) => join(disk, 'filler');

/** Uses all remaining bytes. */
function fill(disk: string): void {
  spawnSync('dd', ['if=/dev/zero', `of=${filler(disk)}`, 'bs=4k']);
}
const empty = (disk: string) => rmSync(filler(disk), { force: true });

afterAll(() => {
  for (const path of disks.filter(existsSync)) spawnSync('umount', [path]);
  rmSync(DISK, { recursive: true, force: true });
});

(mounted ? describe : describe.skip)('a disk that is full', () => {
  let service: TestService;
  let ana: Caller;
  let org = '';
  let plan = '';

  beforeAll(async () => {
    service = await startTestService({ DATA_DIR: join(blobs, 'data') }, 'api');
    await useTablespace();
    ana = await service.signIn('ana');
    const { body } = await ana.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' });
    org = `/api/v2/orgs/${body.id}`;
    await service.admin_db('orgs').where({ id: body.id }).update({ plan: 'enterprise' });
    plan = await planText('every-action.json');
  });
  afterAll(async () => {
    for (const disk of disks) empty(disk);
    await service.admin_db.raw('alter table outbox set tablespace pg_default');
    await service.admin_db.raw('alter table llm_jobs set tablespace pg_default');
    await service.admin_db.raw('drop tablespace small_disk');
    await service.close();
  });

  /** Puts the tables of analyses, and temporary files of statements, on the small disk. */
  async function useTablespace(): Promise<void> {
    const folder = join(tables, 'space');
    mkdirSync(folder);
    const { uid, gid } = statSync(join(process.env[RUN_FOLDER] ?? '', 'postgres'));
    chownSync(folder, uid, gid);
    await service.admin_db.raw(`create tablespace small_disk location '${folder}'`);
    await service.admin_db.raw('grant create on tablespace small_disk to public');
    const [{ current_database: name }] = (await service.admin_db.raw('select current_database()')).rows;
    await service.admin_db.raw(`alter database ${name} set temp_tablespaces = small_disk`);
    for (const table of ['outbox', 'llm_jobs'])
      await service.admin_db.raw(`alter table ${table} set tablespace small_disk`);
    // Few rows per page, so that another page is needed soon.
    await service.admin_db.raw('alter table llm_jobs set (fillfactor = 10)');
    await service.admin_db.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  }

  const analyze = () => ana.post(`${org}/analyze`, { plan_json: plan });
  const count = async (table: string) => Number((await service.admin_db(table).count('* as n'))[0]?.['n']);

  /** Health is checked at most once a second. */
  async function readyAs(status: number): Promise<Record<string, string>> {
    for (;;) {
      const answer = await service.anonymous.get('/readyz');
      if (answer.status === status) return answer.body.checks;
    }
  }

  test('a full disk under the object store is 503 storage_unavailable and not ready, and leaves nothing behind', async () => {
    expect(await readyAs(200)).toMatchObject({ object_store: 'ok', postgres: 'ok' });
    const before = await count('llm_jobs');
    fill(blobs);

    const answer = await analyze();

    expect(answer).toMatchObject({ status: 503, body: { error_class: 'storage_unavailable', retry_after: 30 } });
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(await readyAs(503)).toMatchObject({ object_store: 'fail', postgres: 'ok' });
    expect(await count('llm_jobs')).toBe(before);
    expect(readdirSync(join(blobs, 'data/blobs/.drafts'))).toEqual([]);
    empty(blobs);
    await readyAs(200);
    expect((await analyze()).status).toBe(202);
  });

  test('a full disk under the database is 503 storage_unavailable and not ready, and leaves nothing behind', async () => {
    fill(tables);

    let [answer, last_count] = [await analyze(), await count('llm_jobs')];
    // Until the free space inside the tables' pages is used up.
    while (answer.status === 202) [last_count, answer] = [await count('llm_jobs'), await analyze()];

    expect(answer).toMatchObject({ status: 503, body: { error_class: 'storage_unavailable' } });
    expect(await readyAs(503)).toMatchObject({ object_store: 'ok', postgres: 'fail' });
    expect(await count('llm_jobs')).toBe(last_count);
    empty(tables);
    await readyAs(200);
    expect((await analyze()).status).toBe(202);
  });

  test('a full disk does not affect reads', async () => {
    fill(blobs);

    expect((await ana.get('/api/v2/me')).status).toBe(200);
    empty(blobs);
  });

  test('a database that accepts no connection is 503 unavailable until it does', async () => {
    const [{ current_database: name }] = (await service.admin_db.raw('select current_database()')).rows;
    await service.admin_db.raw(`alter database ${name} connection limit 0`);
    await service.admin_db.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );

    const answers = await Promise.all([ana.get('/api/v2/orgs'), ana.get(org), analyze()]);
    const { status } = await service.anonymous.get('/healthz');

    expect(answers.map((answer) => [answer.status, answer.body.error_class])).toEqual(
      Array(3).fill([503, 'unavailable']),
    );
    expect(status).toBe(200);
    await service.admin_db.raw(`alter database ${name} connection limit -1`);
    expect((await ana.get('/api/v2/orgs')).status).toBe(200);
  });
});
