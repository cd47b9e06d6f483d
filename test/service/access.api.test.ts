import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import type { Answer, Caller } from '../helpers/service.ts';
import {
  buildValidBody,
  CANARY,
  callOperation,
  callValid,
  fingerprintOrg,
  makeRecord,
  type Person,
  type ServiceFixtures,
  startFixtures,
} from './fixtures.ts';
import { OPERATIONS, type Operation } from './operations.ts';

const ROLES = ['viewer', 'member', 'admin', 'owner'];
const KINDS = [
  'no credential',
  'a bad token',
  'a bad key',
  'a key without the scope',
  'a key',
  'viewer',
  'member',
  'admin',
  'owner',
  'stranger',
  'platform admin',
] as const;
type Kind = (typeof KINDS)[number];

let fixtures: ServiceFixtures;
beforeAll(async () => {
  fixtures = await startFixtures();
});
afterAll(() => fixtures.service.close());
/** The logged cause of the last internal error, which responses never contain. */
const fault = () => fixtures.service.log_lines.findLast(({ msg }) => msg === 'request failed');

function selectCaller(kind: Kind, { access }: Operation): { caller: Caller; recipe_for: Person } {
  const { service, people, keys } = fixtures;
  const person = (name: Person) => ({ caller: people[name], recipe_for: name });
  const other = (caller: Caller | undefined) => ({ caller: caller ?? service.anonymous, recipe_for: 'owner' as const });
  if (kind === 'no credential') return other(service.anonymous);
  if (kind === 'a bad token') return other(service.withHeaders({ authorization: 'Bearer nonsense' }));
  if (kind === 'a bad key') return other(service.withHeaders({ 'x-api-key': 'dpa_nonsense' }));
  if (kind === 'a key') return other(keys['write']);
  if (kind === 'a key without the scope')
    return other(keys[access.scope === 'traces:read' ? 'audit:read' : 'traces:read']);
  return person(kind === 'platform admin' ? 'root' : kind);
}

/** The expected result for this caller: the error_class of the error, or null if the request succeeds. */
function findRefusal(kind: Kind, { access, in_org }: Operation): [status: number, error_class: string] | null {
  if (access.credential === 'none') return null;
  if (kind === 'no credential') return [401, 'unauthenticated'];
  if (kind === 'a bad token') return [401, 'invalid_token'];
  if (kind === 'a bad key') return [401, 'invalid_api_key'];
  const is_key = kind === 'a key' || kind === 'a key without the scope';
  if (is_key && (access.credential === 'oidc' || access.platform_admin === 'required')) return [403, 'oidc_required'];
  if (access.platform_admin === 'required') return kind === 'platform admin' ? null : [403, 'platform_admin_required'];
  if (!in_org) return null;
  if (kind === 'stranger') return [404, 'not_found'];
  if (kind === 'platform admin') return access.platform_admin === 'also' ? null : [404, 'not_found'];
  if (is_key && access.key === 'exempt') return null;
  if (kind === 'a key without the scope') return access.scope === undefined ? null : [403, 'missing_scope'];
  const rank = is_key ? 3 : ROLES.indexOf(kind);
  return rank < ROLES.indexOf(access.role ?? 'viewer') ? [403, 'forbidden_role'] : null;
}

/** Who may not call an operation learns nothing else: neither that a record is unknown nor that a body is missing. */
async function callUnknown(operation: Operation, caller: Caller, org = fixtures.ours): Promise<{ answer: Answer }> {
  const ids = Object.fromEntries(operation.ids.map((name) => [name, newId()]));
  return { answer: await callOperation(operation, caller, { ...ids, id: org }, undefined) };
}

const cells = OPERATIONS.flatMap((operation) => KINDS.map((kind) => [operation.id, kind, operation] as const));

test.each(cells)('%s by %s responds as declared', async (_id, kind, operation) => {
  const refusal = findRefusal(kind, operation);
  if (refusal !== null) {
    const { answer } = await callUnknown(operation, selectCaller(kind, operation).caller);
    expect([answer.status, answer.body.error_class]).toEqual(refusal);
    return;
  }
  const { answer, recipe } = await callValid(fixtures, operation, selectCaller(kind, operation));
  if (recipe.status !== undefined) {
    expect(answer.status).toBe(recipe.status);
  } else {
    const { status, body } = answer;
    expect({ status: Math.floor(status / 100), body, fault: status < 500 ? undefined : fault() }).toMatchObject({
      status: 2,
    });
  }
});

const guarded = OPERATIONS.filter(({ access }) => access.credential !== 'none').map((one) => [one.id, one] as const);

test.each(guarded)(
  '%s with two credentials is rejected, and without one says how to sign in',
  async (_id, operation) => {
    const both = fixtures.service.withHeaders({ authorization: 'Bearer nonsense', 'x-api-key': 'dpa_nonsense' });

    const ambiguous = await callUnknown(operation, both);
    const bare = await callUnknown(operation, fixtures.service.anonymous);

    expect(ambiguous.answer).toMatchObject({ status: 400, body: { error_class: 'ambiguous_credentials' } });
    expect(bare.answer.headers.get('www-authenticate')).toBe('Bearer realm="api"');
  },
);

describe('a foreign organization', () => {
  const in_org = OPERATIONS.filter((operation) => operation.in_org);
  const withIds = in_org.filter(({ ids }) => ids.length > 0).map((one) => [one.id, one] as const);
  const withSlots = in_org
    .filter(({ id_slots }) => id_slots.query.length + id_slots.body.length > 0)
    .map((one) => [one.id, one] as const);
  const shown = ({ status, body }: Answer) => ({ status, body: { ...body, request_id: '' } });

  /** All that is stored of it, before the first call. */
  let stored: Record<string, string> | undefined;

  test.each(in_org.map((one) => [one.id, one] as const))(
    '%s returns the same 404 as for an organization that does not exist',
    async (_id, operation) => {
      stored ??= await fingerprintOrg(fixtures, fixtures.theirs);
      const foreign = await callUnknown(operation, fixtures.people.owner, fixtures.theirs);
      const unknown = await callUnknown(operation, fixtures.people.owner, newId());

      expect(foreign.answer.status).toBe(404);
      expect(shown(foreign.answer)).toEqual(shown(unknown.answer));
      expect(await fingerprintOrg(fixtures, fixtures.theirs)).toEqual(stored);
    },
  );

  test.each(withIds)('%s does not find a record of it and changes nothing there', async (_id, operation) => {
    const [foreign, unknown]: Record<string, string>[] = [{ id: fixtures.ours }, { id: fixtures.ours }];
    for (const name of operation.ids) {
      foreign![name] = await makeRecord(fixtures, name, 'theirs');
      unknown![name] = newId();
    }
    const body = await buildValidBody(fixtures, operation);
    const before = await fingerprintOrg(fixtures, fixtures.theirs);

    const answer = await callOperation(operation, fixtures.people.owner, foreign!, body);

    expect(answer.status).toBe(404);
    expect(shown(answer)).toEqual(shown(await callOperation(operation, fixtures.people.owner, unknown!, body)));
    expect(await fingerprintOrg(fixtures, fixtures.theirs)).toEqual(before);
  });

  test.each(withSlots)('%s accepts no id of it in query or body', async (_id, { id_slots, ...operation }) => {
    const foreign = await makeRecord(fixtures, 'scan_id', 'theirs');
    const query = id_slots.query.map((name) => `${name}=${foreign}`).join('&');
    const slots = Object.fromEntries(id_slots.body.map((name) => [name, foreign]));
    const body =
      id_slots.body.length === 0
        ? undefined
        : { ...((await buildValidBody(fixtures, { ...operation, id_slots })) as object), ...slots };
    const before = await fingerprintOrg(fixtures, fixtures.theirs);

    const answer = await callOperation(
      { ...operation, id_slots },
      fixtures.people.owner,
      { id: fixtures.ours },
      body,
      query && `?${query}`,
    );

    expect(JSON.stringify(answer.body)).not.toContain(CANARY);
    expect(await fingerprintOrg(fixtures, fixtures.theirs)).toEqual(before);
  });

  test.each(withIds)('%s returns 404 for a malformed id', async (_id, operation) => {
    const ids = { id: fixtures.ours, ...Object.fromEntries(operation.ids.map((name) => [name, 'x'])) };

    expect(
      (await callOperation(operation, fixtures.people.owner, ids, await buildValidBody(fixtures, operation))).status,
    ).toBe(404);
  });

  test('no list shows the organization', async () => {
    for (const operation of in_org.filter(({ method, ids }) => method === 'GET' && ids.length === 0)) {
      const { answer } = await callValid(fixtures, operation, { caller: fixtures.people.owner });
      expect(JSON.stringify(answer.body)).not.toContain(CANARY);
    }
  });
});

const audited = OPERATIONS.filter(({ access }) => (access.audit ?? []).length > 0).map((one) => [one.id, one] as const);

test.each(audited)('%s writes the declared audit rows, and none on an error', async (_id, operation) => {
  const { access } = operation;
  const rows = () => fixtures.service.admin_db('audit_log').orderBy('created_at').orderBy('id').pluck('action');
  const person = access.platform_admin === 'required' ? fixtures.people.root : fixtures.people.owner;
  // Preparing a valid request writes audit rows; only later ones count.
  await callValid(fixtures, operation, { caller: fixtures.service.anonymous });
  const prepared = (await rows()).length;
  await callValid(fixtures, operation, { caller: fixtures.service.anonymous });
  const cost_of_preparing = (await rows()).length - prepared;
  const before = (await rows()).length;

  const { answer, recipe } = await callValid(fixtures, operation, { caller: person });

  if (recipe.status === undefined) expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  const declared = access.audit ?? [];
  const expected = recipe.audit ?? declared;
  // The row of a download is written after its last byte, which the caller may receive earlier.
  while ((await rows()).length < before + expected.length) await new Promise((resolve) => setTimeout(resolve, 20));
  const written = (await rows()).slice(before);
  expect(declared).toEqual(expect.arrayContaining(expected));
  expect(written).toHaveLength(cost_of_preparing + expected.length);
  expect(written).toEqual(expect.arrayContaining(expected));
});
