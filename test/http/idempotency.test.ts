import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createIdempotencyStore, deleteExpiredAnswers } from '../../server/http/index.ts';
import { Conflict, TooManyRequests } from '../../server/lib/errors.ts';
import { type TestDatabase, testDatabase } from '../helpers/database.ts';
import { API, bearer, type Harness, ORG, startHttp, testHandlers } from './harness.ts';

const NOON = Date.UTC(2026, 0, 2, 12);
const HOUR = 3_600_000;

let database: TestDatabase;
let http: Harness;
let clock = NOON;
let calls = 0;
/** What the next call of the handler does instead of answering. */
let instead: (() => Promise<void>) | undefined;

beforeAll(async () => {
  database = await testDatabase();
  const org = { id: ORG, slug: 'acme', display_name: 'Acme', noise_key_ct: Buffer.alloc(1) };
  await database.admin_db('orgs').insert(org);
  const handlers = testHandlers();
  const { createOrg } = handlers;
  handlers.createOrg = async (request) => {
    calls += 1;
    await instead?.();
    const reply = await createOrg(request);
    return { ...reply, body: { ...reply.body, display_name: `call ${calls}` } as typeof reply.body };
  };
  http = await startHttp({
    handlers,
    idempotency: createIdempotencyStore(database.platform_db, () => new Date(clock)),
  });
});
afterAll(async () => {
  await http?.close();
  await database?.close();
});

beforeEach(async () => {
  await database.platform_db('idempotency_keys').delete();
  clock = NOON;
  calls = 0;
  instead = undefined;
});

function create(key: string, { slug = 'acme', token = 'owner' } = {}) {
  const headers = { ...bearer(token), 'idempotency-key': key };
  return http.send('POST', `${API}/orgs`, { headers, json: { display_name: 'Acme', slug } });
}

test('the same key and body bring the first answer back, status, headers and all', async () => {
  const first = await create('one');
  const second = await create('one');

  expect(calls).toBe(1);
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(second.headers['location']).toBe(first.headers['location']);
  expect([first, second].map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true']);
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
});

test('another body is 422, another key or caller is another attempt', async () => {
  await create('one');
  const reused = await create('one', { slug: 'other' });
  await create('two');
  await create('one', { token: 'admin' });

  expect([reused.status, reused.json.error_class]).toEqual([422, 'idempotency_key_reused']);
  expect(calls).toBe(3);
});

test('without a key nothing is kept', async () => {
  await http.send('POST', `${API}/orgs`, { headers: bearer('owner'), json: { display_name: 'A', slug: 'acme' } });

  expect(await database.platform_db('idempotency_keys').count({ n: '*' })).toEqual([{ n: '0' }]);
});

test.each(['', 'ü'.repeat(3), 'x'.repeat(256)])(
  'a key that is no 1 to 255 printable characters is 400 (%#)',
  async (key) => {
    const answer = await create(Buffer.from(key).toString('latin1'));

    expect([answer.status, answer.json.details[0].path]).toEqual([400, '/headers/idempotency-key']);
  },
);

test('while the first attempt runs the second is 409, and told when to come back', async () => {
  let finish = () => {};
  const started = new Promise<void>((resolve) => {
    instead = () => {
      resolve();
      return new Promise((done) => {
        finish = done;
      });
    };
  });
  const first = create('slow');
  await started;

  const second = await create('slow');
  finish();

  expect([second.status, second.json.error_class]).toEqual([409, 'idempotency_in_progress']);
  expect(second.headers['retry-after']).toBe('1');
  expect((await first).status).toBe(201);
});

test('of 20 attempts at once one is performed', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('many')));

  expect(calls).toBe(1);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
  expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
});

describe('which answers are kept', () => {
  test('a refusal that stays one', async () => {
    instead = () => Promise.reject(new Conflict('slug "acme" is taken', 'slug_taken'));
    const first = await create('one');
    const second = await create('one');

    expect([first.status, second.status, calls]).toEqual([409, 409, 1]);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });

  test.each([
    ['a fault of ours', new Error('boom'), 500],
    ['a limit that passes', new TooManyRequests('later', 7), 429],
  ])('not %s: the next attempt is performed', async (_name, fault, status) => {
    instead = () => Promise.reject(fault);
    const first = await create('one');
    instead = undefined;
    const second = await create('one');

    expect([first.status, second.status, calls]).toEqual([status, 201, 2]);
  });

  test('not what the checks before the handler refuse', async () => {
    const headers = { ...bearer('owner'), 'idempotency-key': 'one' };
    const refused = await http.send('POST', `${API}/orgs`, { headers, json: { slug: 'acme' } });

    expect([refused.status, (await create('one')).status]).toEqual([400, 201]);
  });
});

describe('what is shown once', () => {
  test.each([
    [`/orgs/${ORG}/api-keys`, 'key', { name: 'CI', scopes: ['read'] }],
    [`/orgs/${ORG}/invitations`, 'accept_url', { email: 'bo@example.com', role: 'viewer' }],
  ])('%s: %s is not in a replay, nor in what is kept', async (path, secret, json) => {
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

describe('time', () => {
  test('after 24 hours a key is new', async () => {
    await create('one');
    clock = NOON + 24 * HOUR - 1;
    await create('one');
    expect(calls).toBe(1);

    clock = NOON + 24 * HOUR + 1;
    expect((await create('one', { slug: 'other' })).status).toBe(201);
    expect(calls).toBe(2);
  });

  test('an attempt whose process died holds its key for a minute', async () => {
    const store = createIdempotencyStore(database.platform_db, () => new Date(clock));
    const attempt = {
      org_id: null,
      credential_id: 'c',
      method: 'POST',
      path: '/x',
      key: 'k',
      body_sha256: 'h',
    };
    const dead = await store.claim(attempt);
    clock = NOON + 59_000;
    const early = await store.claim(attempt);
    clock = NOON + 61_000;
    const other_body = await store.claim({ ...attempt, body_sha256: 'other' });
    const late = await store.claim(attempt);

    expect([dead, early, other_body, late].map(({ state }) => state)).toEqual([
      'claimed',
      'running',
      'other_body',
      'claimed',
    ]);
    // The dead one comes back to life: what it did not finish in time is not its own any more.
    if (dead.state === 'claimed') await store.keep(dead.id, { status: 201, headers: {}, body: 'late' });
    expect((await store.claim(attempt)).state).toBe('running');
  });

  test('the sweep removes what is older than 24 hours', async () => {
    await create('old');
    clock = NOON + 2 * HOUR;
    await create('new');

    const removed = await deleteExpiredAnswers(database.sweeper_db, new Date(NOON + 25 * HOUR));

    expect(removed).toBe(1);
    expect(await database.platform_db('idempotency_keys').pluck('key')).toEqual(['new']);
  });
});
