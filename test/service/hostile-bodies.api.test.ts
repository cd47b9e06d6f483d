import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildValidRequest, callValid, type ServiceFixtures, startFixtures } from './fixtures.ts';
import { OPERATIONS, type Operation } from './operations.ts';

let fixtures: ServiceFixtures;
beforeAll(async () => {
  fixtures = await startFixtures();
});
afterAll(() => fixtures.service.close());

/** Fields that a caller must never be able to set. */
const NOT_THEIRS = [
  'id',
  'org_id',
  'user_id',
  'plan',
  'role',
  'is_platform_admin',
  'created_by',
  'created_at',
  'deleted_at',
  'expires_at',
  'seq',
  'hash',
  'last_used_at',
  'kind',
  '__proto__',
  'constructor',
];

/** No text field accepts these, because PostgreSQL could not store them unchanged. */
const UNSTORABLE = ['\u0000', 'a\u0000b', '\ud800', 'x\udfff'];
const HOSTILE = [
  ...UNSTORABLE,
  '',
  ' ',
  '\n',
  '\u202eevil',
  '\ufeff',
  "'; drop table users; --",
  '$1 $2 ? ??',
  '%s%n%00',
  '../../etc/passwd',
  '{"$gt": ""}',
  '<script>alert(1)</script>',
  '__proto__',
  'İıſK',
  '𝕏'.repeat(300),
  'x'.repeat(100_000),
];

/**
 * Without public operations: token exchanges are limited to 30 a minute, and provider payloads are verified unread. An
 * uploaded state is a file, which a reader of its own refuses with 422, and the body of a placeholder is not read.
 */
const UNREAD: readonly string[] = ['uploadState', 'putSsoConfig'];
const withBody = OPERATIONS.filter(
  ({ id, access, body_members }) => body_members !== null && access.credential !== 'none' && !UNREAD.includes(id),
).map((one) => [one.id, one] as const);

function selectCaller({ access }: Operation) {
  return access.platform_admin === 'required' ? fixtures.people.root : fixtures.people.owner;
}

/**
 * Sends a valid request with changed bodies, which are written as text because JSON.stringify ignores `__proto__`. What was
 * refused has changed nothing, so the same request serves again.
 */
function startCalls(operation: Operation) {
  let valid: ReturnType<typeof buildValidRequest> | undefined;
  return async (text: (body: object) => string) => {
    valid ??= buildValidRequest(fixtures, operation);
    const { path, recipe } = await valid;
    const answer = await selectCaller(operation).send(operation.method, path, text((recipe.body ?? {}) as object));
    if (answer.status < 300) valid = undefined;
    return answer;
  };
}

test.each(withBody)('%s accepts no unknown field', async (_id, operation) => {
  const callWithBody = startCalls(operation);
  for (const name of NOT_THEIRS.filter((one) => !operation.body_members?.includes(one))) {
    const answer = await callWithBody((body) => {
      const rest = JSON.stringify(body).slice(1);
      return `{"${name}":"x"${rest === '}' ? '' : ','}${rest}`;
    });

    const { status, body } = answer;
    expect({ name, status, error_class: body.error_class }).toEqual({
      name,
      status: 400,
      error_class: 'unknown_field',
    });
    expect(JSON.stringify(body)).toContain(`unknown field \\"${name}\\"`);
  }
});

test.each(withBody)('%s handles every hostile text in every field without a 5xx', async (_id, operation) => {
  const callWithBody = startCalls(operation);
  for (const name of operation.body_members ?? []) {
    for (const text of HOSTILE) {
      const { status, body } = await callWithBody((right) => JSON.stringify({ ...right, [name]: text }));

      const refused = status >= 400 && status < 500;
      const fine = refused || (status < 300 && !UNSTORABLE.includes(text));
      expect({ name, text: text.slice(0, 20), fine, body: fine ? null : body }).toEqual({
        name,
        text: text.slice(0, 20),
        fine: true,
        body: null,
      });
    }
  }
});

test.each(withBody)('%s rejects a non-object and a truncated object', async (_id, operation) => {
  const callWithBody = startCalls(operation);
  for (const text of ['', 'null', '[]', '"x"', '1', '{', '{"a":1', '{"a":1}{"a":1}', '{"a":NaN}']) {
    const { status } = await callWithBody(() => text);
    expect({ text, status }).toEqual({ text, status: 400 });
  }
});

test('no hostile value was stored, and the service still works', async () => {
  const { admin_db } = fixtures.service;
  expect(await admin_db('users').where({ is_platform_admin: true }).pluck('id')).toEqual([fixtures.users.root]);
  expect(await admin_db('orgs').where({ id: fixtures.ours }).first('plan')).toEqual({ plan: 'enterprise' });
  for (const [, operation] of withBody) {
    const { answer, recipe } = await callValid(fixtures, operation, { caller: selectCaller(operation) });
    expect({ id: operation.id, done: answer.status === recipe.status || answer.status < 300 }).toMatchObject({
      done: true,
    });
  }
});
