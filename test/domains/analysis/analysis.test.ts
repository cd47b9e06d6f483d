import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createFolderStore } from '../../../server/adapters/blob/folder.ts';
import type { OrgDatabase } from '../../../server/db/index.ts';
import { createAnalysis, createPlanHandler } from '../../../server/domains/analysis/index.ts';
import { createJobs } from '../../../server/domains/jobs/index.ts';
import type { JobsDeps } from '../../../server/domains/jobs/service.ts';
import { createKnownOwners } from '../../../server/domains/known-owners/index.ts';
import { createPlanLinks } from '../../../server/domains/resources/links-service.ts';
import { createScans } from '../../../server/domains/scans/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { labelSealer, makeOrg, makeUser } from '../../helpers/people.ts';

type Outcome =
  | {
      text: string;
      provider: null;
      resource_count: number;
      occurrences: [];
      owners: string[];
      link_candidates: [];
      unknown_patterns: [];
      prompt: null;
    }
  | { fault: { error_class: 'invalid_plan_json' | 'plan_too_complex'; message: string } };

const DONE: Outcome = {
  text: '{"risk_level":"low"}',
  provider: null,
  resource_count: 1,
  occurrences: [],
  owners: [],
  link_candidates: [],
  unknown_patterns: [],
  prompt: null,
};
const NO_RULES = {
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  policy: { version: 0, rules: [] },
};
const UNEXPLAINED = { narrative_status: 'fallback' as const, raised: {}, trace_ids: [], is_billed: false };
const NEVER = new AbortController().signal;
const SILENCE_MS = 30_000;

describe('the lifecycle of an analysis job', () => {
  let database: TestDatabase;
  let folder: string;
  let ana: Principal;
  let now: Date;
  /** The plan threads; tests replace functions that should fail or wait. */
  let analyze: () => Promise<Outcome>;
  const enqueued: string[] = [];
  const noteEnqueued: JobsDeps['enqueue'] = async (_trx, { id }) => {
    enqueued.push(id);
  };

  beforeAll(async () => {
    database = await openTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'dpa-analysis-'));
    ana = await makeUser(database.admin_db);
  });
  beforeEach(() => {
    now = new Date('2026-05-01T12:00:00.000Z');
    analyze = async () => DONE;
    enqueued.length = 0;
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  function makeDomain({ concurrency = 4, db = database.db, enqueue = noteEnqueued } = {}) {
    const clock = () => now;
    const { platform_db, sweeper_db: sweep_db } = database;
    const blobs = createFolderStore(folder);
    const scans = createScans({ db, sweep_db, now: clock, getOrgPlan: async () => 'team' });
    const quotas = { reserve: async () => null, release: async () => false, settle: async () => {} };
    const orgs = { getLimit: async () => 30 };
    const shared = { db, now: clock, orgs, scans, blobs, sealer: labelSealer };
    const jobs = createJobs({
      ...shared,
      platform_db,
      sweep_db,
      quotas,
      enqueue,
      log: pino({ level: 'silent' }),
      heartbeat_ms: 20,
      silence_ms: SILENCE_MS,
      concurrency,
    });
    const handler = createPlanHandler({
      ...shared,
      ruleBooks: {
        get: async () => ({ noise_key: Buffer.alloc(32), rules: { ...NO_RULES, suppressions: [], owners: [] } }),
      },
      noise: { record: async () => {} },
      knownOwners: createKnownOwners({
        ...shared,
        orgs: { assertRoom: async () => {} },
        audit: { record: async () => {} },
      }),
      planLinks: { ...createPlanLinks(shared), findLive: async () => ({ facts: [], items: [] }) },
      planDrift: { record: async () => {} },
      classifier: { classify: async () => ({ likely_benign: [], trace_ids: [] }) },
      narrator: { sendValues: async () => null, narrate: async (_run, { text }) => ({ ...UNEXPLAINED, text }) },
      pool: { analyze: () => analyze() },
    });
    jobs.register('analyze', handler);
    return { scans, blobs, jobs, maintenance: jobs.maintenance, analysis: createAnalysis({ ...shared, jobs }) };
  }

  async function submit(domain = makeDomain(), known_org?: string, payload = Buffer.from('a plan')) {
    const org_id = known_org ?? (await makeOrg(database.admin_db, { owner: ana }));
    const plan = { payload };
    const { job_id } = await domain.analysis.submit({ id: org_id, role: 'owner' }, ana, { ci: undefined, plan });
    return { ...domain, org_id, job_id, payload: { org_id, id: job_id } };
  }

  const findRow = (id: string) => database.admin_db('llm_jobs').where({ id }).first();
  const readStatus = async (id: string) => (await findRow(id)).status;
  const minutesLater = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  /** A worker that took the job and was killed. */
  async function loseWorker(id: string) {
    await database.admin_db('llm_jobs').where({ id }).update({ status: 'running', heartbeat_at: now });
    await database.admin_db('llm_jobs').where({ id }).increment('attempts');
  }
  async function listKeys(blobs: ReturnType<typeof createFolderStore>, org_id: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of blobs.list(`plans/${org_id}`)) keys.push(key);
    return keys;
  }

  test('a plan is stored encrypted until its job is done, and then deleted', async () => {
    const { jobs, payload, org_id, job_id, blobs } = await submit();
    expect(await listKeys(blobs, org_id)).toEqual([`plans/${org_id}/${job_id}`]);

    await jobs.run(payload, NEVER);

    expect(await listKeys(blobs, org_id)).toEqual([]);
    const poll = await jobs.poll(org_id, job_id);
    expect(JSON.parse(poll.text)).toMatchObject({
      status: 'done',
      result: { risk_level: 'low', scan_run: { status: 'done' } },
    });
    expect(poll.ended).toBe(true);
  });

  test('an organization with slow plans leaves capacity for others, and its next job is delayed, not lost', async () => {
    const domain = makeDomain({ concurrency: 2 });
    const first = await submit(domain);
    const second = await submit(domain, first.org_id);
    const other = await submit(domain);
    let finish = () => {};
    const judged = new Promise<typeof DONE>((resolve) => {
      finish = () => resolve(DONE);
    });
    let is_first = true;
    analyze = () => {
      if (!is_first) return Promise.resolve(DONE);
      is_first = false;
      return judged;
    };
    enqueued.length = 0;

    const running = domain.jobs.run(first.payload, NEVER);
    await domain.jobs.run(second.payload, NEVER);
    await domain.jobs.run(other.payload, NEVER);

    expect([await readStatus(second.job_id), await readStatus(other.job_id)]).toEqual(['pending', 'done']);
    expect(enqueued).toEqual([second.job_id]);
    finish();
    await running;
    expect(await readStatus(first.job_id)).toBe('done');
  });

  test('a job is ordered behind the unfinished jobs of its organization, and by size among those of others', async () => {
    const places: [string, number][] = [];
    const enqueue: JobsDeps['enqueue'] = async (_trx, { id }, { place = 0 } = {}) => {
      places.push([id, place]);
    };
    const domain = makeDomain({ enqueue });
    const first = await submit(domain);
    const second = await submit(domain, first.org_id);
    const other = await submit(domain);
    await domain.jobs.run(first.payload, NEVER);
    const third = await submit(domain, first.org_id);
    const large = await submit(domain, undefined, Buffer.alloc(200_000));

    expect(places).toEqual([
      [first.job_id, 0],
      [second.job_id, 3],
      [other.job_id, 0],
      [third.job_id, 3],
      [large.job_id, 2],
    ]);
  });

  test('a plan beyond its budget ends its job with plan_too_complex at the first attempt', async () => {
    const fault = { error_class: 'plan_too_complex' as const, message: 'Analyzing the plan stopped after 20 s.' };
    analyze = async () => ({ fault });
    const { jobs, payload, org_id, job_id } = await submit();

    await jobs.run(payload, NEVER);

    expect(JSON.parse((await jobs.poll(org_id, job_id)).text)).toMatchObject({
      status: 'error',
      ...{ error_class: fault.error_class },
    });
    const [run] = await database.admin_db('scan_runs').where({ org_id });
    expect(run.scan_errors).toMatchObject([{ code: 'timeout', retryable: false }]);
  });

  test('running one job twenty times concurrently executes it once', async () => {
    let runs = 0;
    analyze = async () => {
      runs += 1;
      return DONE;
    };
    const { jobs, payload, job_id } = await submit();

    await Promise.all(Array.from({ length: 20 }, () => jobs.run(payload, NEVER)));

    expect(runs).toBe(1);
    expect(await findRow(job_id)).toMatchObject({ status: 'done', attempts: 1 });
  });

  test('a worker that lost its job writes nothing, and the result of the next worker is stored', async () => {
    const { jobs, maintenance, payload, job_id, org_id } = await submit();
    let wake: (outcome: Outcome) => void = () => undefined;
    const asleep = new Promise<Outcome>((resolve) => {
      wake = resolve;
    });
    analyze = () => asleep;
    const zombie = jobs.run(payload, NEVER);
    while ((await readStatus(job_id)) !== 'running') await new Promise((resolve) => setTimeout(resolve, 5));
    const silent = { heartbeat_at: new Date(now.getTime() - SILENCE_MS - 1) };
    // The worker is still alive, and may send a heartbeat in between.
    while ((await readStatus(job_id)) !== 'pending') {
      await database.admin_db('llm_jobs').where({ id: job_id }).update(silent);
      await maintenance.reconcile();
    }
    analyze = async () => ({ ...DONE, owners: ['example.com'] });
    await jobs.run(payload, NEVER);

    wake({ ...DONE, text: '{"risk_level":"critical"}', owners: ['example.com', 'example.org'] });
    await zombie;

    expect(JSON.parse((await jobs.poll(org_id, job_id)).text).result.risk_level).toBe('low');
    expect((await findRow(job_id)).attempts).toBe(2);
    const owners = await database.admin_db('known_owners').where({ org_id }).select('owner', 'status', 'plans_seen');
    expect(owners).toEqual([{ owner: 'example.com', status: 'suggested', plans_seen: 1 }]);
  });

  test('an invalid plan ends the job with its error class and is not retried', async () => {
    analyze = async () => ({ fault: { error_class: 'invalid_plan_json', message: 'element 3 is no change' } });
    const { jobs, payload, org_id, job_id, blobs } = await submit();

    await jobs.run(payload, NEVER);

    const poll = JSON.parse((await jobs.poll(org_id, job_id)).text);
    expect(poll).toMatchObject({ status: 'error', error_class: 'invalid_plan_json', error: 'element 3 is no change' });
    expect(await listKeys(blobs, org_id)).toEqual([]);
  });

  test('any other failure releases the job for another attempt, and the fifth failure ends it', async () => {
    analyze = () => Promise.reject(new Error('thread lost'));
    const { jobs, payload, job_id } = await submit();

    for (let attempt = 1; attempt < 5; attempt += 1) {
      await expect(jobs.run(payload, NEVER)).rejects.toThrow('thread lost');
      expect(await findRow(job_id)).toMatchObject({ status: 'pending', attempts: attempt });
    }
    await jobs.run(payload, NEVER);

    expect(await findRow(job_id)).toMatchObject({ status: 'error', error_class: 'internal' });
    expect((await findRow(job_id)).error).not.toContain('thread lost');
  });

  test('a job without a heartbeat is given to another worker, and ends after five lost workers', async () => {
    const { maintenance, job_id } = await submit();
    for (let lost = 1; lost <= 5; lost += 1) {
      await loseWorker(job_id);
      await maintenance.reconcile();
      expect(await readStatus(job_id)).toBe('running');
      minutesLater(1);
      await maintenance.reconcile();
      expect(await readStatus(job_id)).toBe(lost < 5 ? 'pending' : 'error');
    }
    expect(enqueued.filter((id) => id === job_id)).toHaveLength(5);
  });

  test('a pending job that the queue lost is queued again, at most once a minute', async () => {
    const { maintenance, job_id } = await submit();
    const named = () => enqueued.filter((id) => id === job_id).length;

    await maintenance.reconcile();
    expect(named()).toBe(1);
    minutesLater(2);
    await maintenance.reconcile();
    await maintenance.reconcile();

    expect(named()).toBe(2);
  });

  test('a job whose stored plan is missing ends in error without another attempt', async () => {
    const { jobs, payload, blobs, org_id, job_id } = await submit();
    await blobs.delete(`plans/${org_id}/${job_id}`);

    await jobs.run(payload, NEVER);

    expect(await readStatus(job_id)).toBe('error');
  });

  test('jobs are kept seven days, unfinished ones longer', async () => {
    const { jobs, maintenance, payload, job_id } = await submit();
    const unfinished = await submit();
    await jobs.run(payload, NEVER);

    minutesLater(7 * 24 * 60 - 1);
    await maintenance.deleteOld();
    expect(await readStatus(job_id)).toBe('done');
    minutesLater(2);
    await maintenance.deleteOld();

    expect(await findRow(job_id)).toBeUndefined();
    expect(await readStatus(unfinished.job_id)).toBe('pending');
  });

  test('old stored plans without a job are deleted, and all others are kept', async () => {
    const { maintenance, blobs, org_id, job_id } = await submit();
    const [old, young] = [`plans/${org_id}/${newId()}`, `plans/${org_id}/${newId()}`];
    for (const key of [old, young]) await blobs.put(key, Buffer.from('x'));
    now = new Date();
    const two_hours_ago = new Date(now.getTime() - 7_200_000);
    for (const key of [old, `plans/${org_id}/${job_id}`]) await utimes(join(folder, key), two_hours_ago, two_hours_ago);

    await maintenance.deleteOrphanedPayloads();

    expect((await listKeys(blobs, org_id)).sort()).toEqual([`plans/${org_id}/${job_id}`, young].sort());
  });

  test('a submission with an unconfirmed commit keeps its plan, because the job may exist', async () => {
    const { db } = database;
    const inOrg: OrgDatabase['inOrg'] = async (org_id, work) => {
      await db.inOrg(org_id, work);
      throw new Error('connection lost');
    };
    const domain = makeDomain({ db: { ...db, inOrg } });
    const org_id = await makeOrg(database.admin_db);

    const unconfirmed = domain.analysis.submit({ id: org_id, role: 'owner' }, ana, {
      ci: undefined,
      plan: { payload: Buffer.from('x') },
    });

    await expect(unconfirmed).rejects.toThrow('connection lost');
    const [job] = await database.admin_db('llm_jobs').where({ org_id });
    expect(await listKeys(domain.blobs, org_id)).toEqual([job.payload_key]);
  });

  test('a submission that cannot be written leaves no plan behind', async () => {
    const domain = makeDomain();
    const org_id = newId();

    const refused = domain.analysis.submit({ id: org_id, role: 'owner' }, ana, {
      ci: undefined,
      plan: { payload: Buffer.from('x') },
    });

    await expect(refused).rejects.toThrow();
    expect(await listKeys(domain.blobs, org_id)).toEqual([]);
  });
});
