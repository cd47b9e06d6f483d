/** The order of checks and the result of a repetition, for every operation of the contract. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import { buildValidRequest, callOperation, makeRecord, type ServiceFixtures, startFixtures } from './fixtures.ts';
import { OPERATIONS } from './operations.ts';

let fixtures: ServiceFixtures;
beforeAll(async () => {
  fixtures = await startFixtures();
}, 60_000);
afterAll(() => fixtures.service.close());

const guarded = OPERATIONS.filter(({ access, ids }) => access.credential !== 'none' && ids.length > 0);

test.each(guarded.map((one) => [one.id, one] as const))(
  '%s returns 404 for an unknown id before it reads the query and the body',
  async (_id, operation) => {
    const caller = operation.access.platform_admin === 'required' ? fixtures.people.root : fixtures.people.owner;
    // Traces and fingerprints have ids of another form.
    const forms: Record<string, string> = { trace_id: `trc-${'0'.repeat(24)}`, fingerprint: '0'.repeat(32) };
    const ids = Object.fromEntries(operation.ids.map((name) => [name, forms[name] ?? newId()]));
    const body = operation.body_members === null ? undefined : '{';

    const answer = await callOperation(
      operation,
      caller,
      { id: fixtures.ours, ...ids },
      body,
      '?limit=x&offset=x&direction=x',
    );

    expect([answer.status, answer.body.error_class]).toEqual([404, 'not_found']);
  },
);

// Disconnecting a workspace returns what is connected afterwards: nothing, however often.
const deletes = OPERATIONS.filter(({ id, method }) => method === 'DELETE' && id !== 'deleteChatInstallation').map(
  (one) => [one.id, one] as const,
);

test.each(deletes)('%s returns 404 when it is repeated', async (_id, operation) => {
  const caller = operation.access.platform_admin === 'required' ? fixtures.people.root : fixtures.people.owner;
  const { path } = await buildValidRequest(fixtures, operation);

  const first = await caller.send('DELETE', path);
  const second = await caller.send('DELETE', path);

  expect([first.status, second.status, second.body.error_class]).toEqual([204, 404, 'not_found']);
});

test('a member who cannot remove others does not learn which memberships exist', async () => {
  const known = await makeRecord(fixtures, 'membership_id', 'ours');
  const remove = (id: string) =>
    fixtures.people.member.send('DELETE', `/api/v2/orgs/${fixtures.ours}/memberships/${id}`);

  const answers = [await remove(known), await remove(newId()), await remove('no-id')];

  expect(answers.map(({ status, body }) => [status, body.error_class])).toEqual(
    answers.map(() => [403, 'forbidden_role']),
  );
});
