import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import { startCommitCutter } from '../helpers/commit-cutter.ts';
import type { Answer } from '../helpers/service.ts';
import { buildValidRequest, type ServiceFixtures, startFixtures } from './fixtures.ts';
import { OPERATIONS, type Operation } from './operations.ts';

const IDEMPOTENT = OPERATIONS.filter(({ takes_key }) => takes_key).map(
  (operation) => [operation.id, operation] as const,
);

/** Rejects every commit of a stored response. */
const REFUSE_COMMITS = `
  create function refuse_commit() returns trigger language plpgsql as $$
    begin raise 'the commit is refused'; end $$;
  create constraint trigger refuse_commit after update on idempotency_keys deferrable initially deferred
    for each row when (new.status = 'done') execute function refuse_commit()`;

let fixtures: ServiceFixtures;
let cutter: Awaited<ReturnType<typeof startCommitCutter>>;
/** An instance whose commits of stored responses are never confirmed. */
let cut_url: string;
let all_rows: string;
beforeAll(async () => {
  fixtures = await startFixtures('api');
  const tables = await fixtures.service.admin_db('pg_tables').where({ schemaname: 'public' }).pluck('tablename');
  all_rows = tables
    .filter((name) => name !== 'idempotency_keys')
    .map(
      (name) => `select '${name}' as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from ${name} t`,
    )
    .join(' union all ');
  cutter = await startCommitCutter(fixtures.service.database_url);
  cut_url = (await fixtures.service.startProcess('api', { DATABASE_URL: cutter.url })).url ?? '';
});
afterAll(async () => {
  cutter.close();
  await fixtures.service.close();
});

/** The same request, to be sent any number of times. */
async function repeatable(operation: Operation): Promise<(at?: string) => Promise<Answer>> {
  const name = operation.access.platform_admin === 'required' ? 'root' : 'owner';
  const { path, recipe } = await buildValidRequest(fixtures, operation);
  const key = newId();
  return async (at) => {
    const caller = await fixtures.service.signIn(name, at);
    return caller.send(operation.method, path, recipe.body, { ...recipe.headers, 'idempotency-key': key });
  };
}

/** A fingerprint per table of all rows except stored responses. */
async function fingerprints(): Promise<Record<string, string>> {
  const { rows } = await fixtures.service.admin_db.raw(all_rows);
  return Object.fromEntries(rows.map((row: { name: string; md5: string }) => [row.name, row.md5]));
}

function expectReplay(operation: Operation, replay: Answer, first: Answer): void {
  const shown = Object.entries(first.body).filter(([name]) => !operation.secret_fields.includes(name));
  const body =
    operation.secret_fields.length === 0 ? first.body : { ...Object.fromEntries(shown), secret_available: false };
  expect([replay.status, replay.headers.get('idempotency-replayed'), replay.body]).toEqual([
    first.status,
    'true',
    body,
  ]);
  expect(replay.headers.get('location')).toBe(first.headers.get('location'));
}

test('the contract has operations that accept an Idempotency-Key', () => {
  expect(IDEMPOTENT.length).toBeGreaterThanOrEqual(14);
});

describe.each(IDEMPOTENT)('%s', (_id, operation) => {
  test('repeating the request with the same key has one effect', async () => {
    const send = await repeatable(operation);
    const before = await fingerprints();

    const first = await send();
    const after = await fingerprints();
    const second = await send();

    expect(first.status).toBeLessThan(300);
    expect(after).not.toEqual(before);
    expectReplay(operation, second, first);
    expect(await fingerprints()).toEqual(after);
  });

  test('the stored response contains no secret', async () => {
    const send = await repeatable(operation);
    const { body } = await send();

    const kept = JSON.stringify(await fixtures.service.admin_db('idempotency_keys').select());
    const secrets = operation.secret_fields.map((name) => body[name]);
    // A configuration has secrets as its members.
    const texts = secrets.flatMap((secret) => (typeof secret === 'string' ? secret : Object.values<string>(secret)));
    expect(texts.filter((text) => kept.includes(text))).toEqual([]);
  });

  test('a transaction that does not commit leaves neither work nor response', async () => {
    const send = await repeatable(operation);
    const before = await fingerprints();
    await fixtures.service.admin_db.raw(REFUSE_COMMITS);
    const failed = await send();
    await fixtures.service.admin_db.raw('drop function refuse_commit cascade');
    const after = await fingerprints();
    const retry = await send();

    expect([failed.status, retry.headers.get('idempotency-replayed')]).toEqual([500, null]);
    expect(after).toEqual(before);
    expect(retry.status).toBeLessThan(300);
  });

  test('a retry is answered immediately if the first request was committed but not answered', async () => {
    const send = await repeatable(operation);
    const cuts = cutter.cuts();

    const unanswered = await send(cut_url);
    const after = await fingerprints();
    const retry = await send();

    expect([unanswered.status >= 500, cutter.cuts()]).toEqual([true, cuts + 1]);
    expect([retry.status < 300, retry.headers.get('idempotency-replayed')]).toEqual([true, 'true']);
    expect(await fingerprints()).toEqual(after);
  });
});
