import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Db, Keep } from '../../server/db/index.ts';
import { createIdempotencyStore, deleteExpiredAnswers, type IdempotencyStore } from '../../server/http/index.ts';
import type { AnyReply } from '../../server/http/reply/reply.ts';
import { replyOnce } from '../../server/http/request/idempotency.ts';
import { Conflict, TooManyRequests } from '../../server/lib/errors.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';
import type { Transact } from './example-handlers.ts';
import { API, bearer, examples, type Harness, ORG, OTHER_ORG, startHttp, testHandlers } from './harness.ts';

const NOON = Date.UTC(2026, 0, 2, 12);
const HOUR = 3_600_000;

let database: TestDatabase;
let http: Harness;
/** Another process that renews its claims continuously. */
let other: Harness;
let clock = NOON;
let calls = 0;
/** What the next call of the handler does within its transaction, before and after its response is stored. */
let before_keep: Step;
let after_keep: Step;
/** What it does after its commit. */
let after_commit: Step;
type Step = ((trx: Db) => Promise<unknown>) | undefined;

beforeAll(async () => {
  database = await openTestDatabase();
  const org = { id: ORG, slug: 'acme', display_name: 'Acme', noise_key_ct: Buffer.alloc(1) };
  await database.admin_db('orgs').insert(org);
  await database.admin('create table effects (call integer); grant insert on effects to app_rw');
  [http, other] = await Promise.all([start(), start({ renew_every_ms: 1 })]);
});
afterAll(async () => {
  await http?.close();
  await other?.close();
  await database?.close();
});

/** A process whose handler of POST /orgs writes one row to `effects`. */
function start(changes: Partial<IdempotencyStore> = {}): Promise<Harness> {
  const transact: Transact = (work) => database.db.inOrg(ORG, work);
  const handlers = testHandlers(transact);
  handlers.createOrg = ({ body, once }) => {
    calls += 1;
    const call = calls;
    const [before, after, at_last] = [before_keep, after_keep, after_commit];
    return once(
      () => ({
        status: 201,
        body: { ...examples.org, ...body, display_name: `call ${call}` },
        headers: { Location: `${API}/orgs/${ORG}` },
      }),
      async (keep) => {
        await transact(async (trx) => {
          await trx('effects').insert({ call });
          await before?.(trx);
          await keep(trx, undefined);
          await after?.(trx);
        });
        await at_last?.(database.platform_db);
      },
    );
  };
  const store = createIdempotencyStore(database.platform_db, () => new Date(clock));
  return startHttp({ handlers, idempotency: { ...store, ...changes } });
}

beforeEach(async () => {
  await database.platform_db('idempotency_keys').delete();
  await database.admin_db('effects').delete();
  clock = NOON;
  calls = 0;
  before_keep = after_keep = after_commit = undefined;
});

const effects = () => database.admin_db('effects').orderBy('call').pluck('call');

const ATTEMPT = { org_id: null, credential_id: 'c', method: 'POST', path: '/x', key: 'k', body_sha256: 'h' };
const store = () => createIdempotencyStore(database.platform_db, () => new Date(clock));

function create(key: string, { slug = 'acme', token = 'owner', at = http } = {}) {
  const headers = { ...bearer(token), 'idempotency-key': key };
  return at.send('POST', `${API}/orgs`, { headers, json: { display_name: 'Acme', slug } });
}

/** A step that a test can block. */
function createBarrier() {
  let release = () => {};
  let reach = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const step = () => {
    reach();
    return released;
  };
  return { step, reached, release };
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('it did not come true within five seconds');
}

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await database.admin_db.raw(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

test('the same key and body return the first response with its status and headers', async () => {
  const first = await create('one');
  const second = await create('one');

  expect(calls).toBe(1);
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(second.headers['location']).toBe(first.headers['location']);
  expect([first, second].map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true']);
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
});

test('a different body is 422; another key or caller is a new request', async () => {
  await create('one');
  const reused = await create('one', { slug: 'other' });
  await create('two');
  await create('one', { token: 'admin' });

  expect([reused.status, reused.json.error_class]).toEqual([422, 'idempotency_key_reused']);
  expect(calls).toBe(3);
});

test('without a key no response is stored', async () => {
  await http.send('POST', `${API}/orgs`, { headers: bearer('owner'), json: { display_name: 'A', slug: 'acme' } });

  expect(await database.platform_db('idempotency_keys').count({ n: '*' })).toEqual([{ n: '0' }]);
});

test.each(['', 'ü'.repeat(3), 'x'.repeat(256)])(
  'a key that is not 1 to 255 printable characters is 400 (%#)',
  async (key) => {
    const answer = await create(Buffer.from(key).toString('latin1'));

    expect([answer.status, answer.json.details[0].path]).toEqual([400, '/headers/idempotency-key']);
  },
);

test('while the first request runs, a second one is 409 with Retry-After', async () => {
  const { step, reached, release } = createBarrier();
  before_keep = step;
  const first = create('slow');
  await reached;

  const second = await create('slow');
  release();

  expect([second.status, second.json.error_class]).toEqual([409, 'idempotency_in_progress']);
  expect(second.headers['retry-after']).toBe('1');
  expect((await first).status).toBe(201);
});

test('of 20 concurrent requests one is executed', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('many')));

  expect(calls).toBe(1);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
  expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
});

describe('a successful response is stored in the transaction of its work', () => {
  test('if a process dies after the commit, the response is stored and a retry gets it immediately', async () => {
    const { step, reached, release } = createBarrier();
    after_commit = step;
    const unanswered = create('one');
    await reached;

    const retry = await create('one', { at: other });

    expect([retry.status, retry.json.display_name]).toEqual([201, 'call 1']);
    expect(retry.headers['idempotency-replayed']).toBe('true');
    expect(await effects()).toEqual([1]);
    release();
    await unanswered;
  });

  test('if a process fails after the commit, it reports the failure and a retry gets the response', async () => {
    after_commit = () => Promise.reject(new Error('boom'));
    const failed = await create('one');
    const retry = await create('one');

    expect([failed.status, retry.status, retry.json.display_name]).toEqual([500, 201, 'call 1']);
    expect(await effects()).toEqual([1]);
  });

  test('a connection that is lost before the commit rolls back both the work and the response', async () => {
    after_keep = (trx) => trx.raw('select pg_terminate_backend(pg_backend_pid())');
    const failed = await create('one');
    after_keep = undefined;
    const retry = await create('one');

    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect([retry.status, retry.json.display_name]).toEqual([201, 'call 2']);
    expect(retry.headers['idempotency-replayed']).toBeUndefined();
    expect(await effects()).toEqual([2]);
  });

  test('a request whose key was taken over commits nothing and says so in its response', async () => {
    const { step, reached, release } = createBarrier();
    before_keep = step;
    const slow = create('one');
    await reached;
    before_keep = undefined;
    clock = NOON + 6_000;

    const takeover = await create('one', { at: other });
    release();

    const late = await slow;
    expect([takeover.status, late.status, late.json.error_class]).toEqual([201, 409, 'idempotency_in_progress']);
    expect(await effects()).toEqual([2]);
    expect((await create('one')).text).toBe(takeover.text);
  });

  test.each([
    ['after a commit the response is replayed', 'replay'],
    ['after a rollback the key is claimed', 'claimed'],
  ])('a takeover between keep and commit waits for the commit: %s', async (_name, state) => {
    const first = await store().claim(ATTEMPT);
    if (first.state !== 'claimed') throw new Error(first.state);
    const { step, reached, release } = createBarrier();
    const work = database.db.inOrg(ORG, async (trx) => {
      await store().keep(trx, first.id, { status: 201, headers: {}, body: 'first' });
      await step();
      if (state === 'claimed') throw new Error('rolled back');
    });
    const ended = work.catch(() => {});
    await reached;
    clock = NOON + 6_000;

    const second = store().claim(ATTEMPT);
    await eventually(isSomebodyWaiting);
    release();
    await ended;

    expect((await second).state).toBe(state);
  });

  test.each([
    ['ends without storing its response', async () => {}],
    ['stores its response outside a transaction', (keep: Keep<string>) => keep(database.platform_db, 'done')],
  ])('work that %s is an internal error', async (_name, work) => {
    const kept: AnyReply[] = [];
    const once = replyOnce(async (_trx, reply) => void kept.push(reply));

    await expect(once(() => ({ status: 201 }), work)).rejects.toThrow(
      /storing its response|in the transaction of its work/,
    );
    expect(kept).toEqual([]);
  });
});

describe('the table of stored responses', () => {
  test('the role for one organization can only release a claim', async () => {
    const inOurs = database.db.inOrg;

    await expect(inOurs(ORG, (trx) => trx('idempotency_keys'))).rejects.toMatchObject({ code: '42501' });
    await expect(inOurs(ORG, (trx) => trx('idempotency_keys').delete())).rejects.toMatchObject({ code: '42501' });
  });

  test.each([
    ['its own organization', ORG, ORG, true],
    ['no organization', null, ORG, true],
    ['another organization', ORG, OTHER_ORG, false],
  ])('a unit of work can release the claim of %s (%#)', async (_name, org_id, works_in, kept) => {
    const claim = await store().claim({ ...ATTEMPT, org_id });
    if (claim.state !== 'claimed') throw new Error(claim.state);
    const answer = { status: 201, headers: {}, body: 'first' };

    expect(await database.db.inOrg(works_in, (trx) => store().keep(trx, claim.id, answer))).toBe(kept);
  });
});

describe('stored responses', () => {
  test('a permanent error response is stored', async () => {
    before_keep = () => Promise.reject(new Conflict('slug "acme" is taken', 'slug_taken'));
    const first = await create('one');
    const second = await create('one');

    expect([first.status, second.status, calls]).toEqual([409, 409, 1]);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });

  test.each([
    ['an internal error', new Error('boom'), 500],
    ['a temporary limit', new TooManyRequests('later', 7), 429],
  ])('%s is not stored, and the next request is executed', async (_name, fault, status) => {
    before_keep = () => Promise.reject(fault);
    const first = await create('one');
    before_keep = undefined;
    const second = await create('one');

    expect([first.status, second.status, calls]).toEqual([status, 201, 2]);
  });

  test('an error of the checks before the handler is not stored', async () => {
    const headers = { ...bearer('owner'), 'idempotency-key': 'one' };
    const refused = await http.send('POST', `${API}/orgs`, { headers, json: { slug: 'acme' } });

    expect([refused.status, (await create('one')).status]).toEqual([400, 201]);
  });
});

describe('secrets that are shown once', () => {
  test.each([
    [`/orgs/${ORG}/api-keys`, 'key', { name: 'CI', scopes: ['read'] }],
    [`/orgs/${ORG}/invitations`, 'accept_url', { email: 'bo@example.com', role: 'viewer' }],
  ])('the response of %s is replayed and stored without %s', async (path, secret, json) => {
    const headers = { ...bearer('owner'), 'idempotency-key': 'one' };
    const first = await http.send('POST', API + path, { headers, json });
    const second = await http.send('POST', API + path, { headers, json });

    const { [secret]: shown, ...rest } = first.json;
    expect(shown).toEqual(expect.any(String));
    expect([second.status, second.json]).toEqual([201, { ...rest, secret_available: false }]);
    const kept = JSON.stringify(await database.admin_db('idempotency_keys').select('*'));
    expect(kept).not.toContain(shown);
  });
});

describe('expiration', () => {
  test('a key can be used again after 24 hours', async () => {
    await create('one');
    clock = NOON + 24 * HOUR - 1;
    await create('one');
    expect(calls).toBe(1);

    clock = NOON + 24 * HOUR + 1;
    expect((await create('one', { slug: 'other' })).status).toBe(201);
    expect(calls).toBe(2);
  });

  test('a request whose process died holds its key for five seconds', async () => {
    const dead = await store().claim(ATTEMPT);
    clock = NOON + 4_000;
    const early = await store().claim(ATTEMPT);
    clock = NOON + 6_000;
    const other_body = await store().claim({ ...ATTEMPT, body_sha256: 'other' });
    const late = await store().claim(ATTEMPT);

    expect([dead, early, other_body, late].map(({ state }) => state)).toEqual([
      'claimed',
      'running',
      'other_body',
      'claimed',
    ]);
  });

  test('a running request holds its key until it ends', async () => {
    const { step, reached, release } = createBarrier();
    before_keep = step;
    const first = create('long', { at: other });
    await reached;
    clock = NOON + 4_000;
    await eventually(async () => {
      const [locked_until] = await database.platform_db('idempotency_keys').pluck('locked_until');
      return locked_until.getTime() === NOON + 9_000;
    });
    clock = NOON + 8_000;

    const second = await create('long');
    release();

    expect([second.status, (await first).status, calls]).toEqual([409, 201, 1]);
  });

  test('the sweep deletes responses older than 24 hours', async () => {
    await create('old');
    clock = NOON + 2 * HOUR;
    await create('new');

    const removed = await deleteExpiredAnswers(database.sweeper_db, new Date(NOON + 25 * HOUR));

    expect(removed).toBe(1);
    expect(await database.platform_db('idempotency_keys').pluck('key')).toEqual(['new']);
  });
});
