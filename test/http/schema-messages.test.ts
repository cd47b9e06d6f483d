import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATIONS, type Operation } from '../service/operations.ts';
import { API, bearer, document, type Harness, ORG, SCAN, startHttp } from './harness.ts';

let http: Harness;
beforeAll(async () => {
  http = await startHttp();
});
afterAll(() => http.close());

/** The validator's own messages, and the source of patterns. */
const RAW = /must NOT|must match|must be equal|must have required|[<>]=|should |schema|\\[a-z]|\^|\(\?/;
/** Each value violates some keyword of most fields. */
const WRONG = [1.5, true, '', '\u0001', 'x'.repeat(70_000), [], [1, 1], {}, null, -1, 'no such thing'];

const with_body = OPERATIONS.filter(
  ({ body_members, access }) => body_members !== null && body_members.length > 0 && access.credential !== 'none',
).map((one) => [one.id, one] as const);

function send({ method, path, access }: Operation, json: unknown) {
  const at = path
    .replace('{id}', ORG)
    .replace(/\{fingerprint\}/, '0'.repeat(32))
    .replace(/\{\w+\}/g, SCAN);
  return http.send(method, API + at, {
    headers: bearer(access.platform_admin === 'required' ? 'root' : 'owner'),
    json,
  });
}

test.each(with_body)('%s rejects invalid input in plain words, at a path below /body', async (_id, operation) => {
  const bodies = WRONG.map((wrong) => Object.fromEntries((operation.body_members ?? []).map((name) => [name, wrong])));

  const answers = await Promise.all([...bodies, {}, [], 'text'].map((body) => send(operation, body)));

  const refused = answers.filter(({ status }) => status === 400);
  expect(refused.length).toBeGreaterThan(0);
  for (const { json } of refused) {
    const messages = [json.error, ...(json.details ?? []).map(({ message }: { message: string }) => message)];
    expect(messages.filter((text: string) => RAW.test(text))).toEqual([]);
    expect(messages.filter((text: string) => text.includes('any of the allowed forms'))).toEqual([]);
    for (const { path } of json.details ?? []) expect(path).toMatch(/^\/body(\/|$)/);
  }
});

describe('schema messages', () => {
  test.each([
    ['slug', 'A', 'must be 3 to 40 lower-case letters, digits and hyphens, starting and ending with a letter or digit'],
    ['slug', 7, 'must be a string'],
    ['slug', undefined, 'is required'],
    ['display_name', '', 'must not be empty'],
    ['display_name', 'x'.repeat(101), 'must have at most 100 characters'],
  ])('the message for %s %j is right', async (name, value, message) => {
    const body = { slug: 'acme', display_name: 'Acme', [name]: value };

    const { status, json } = await http.send('POST', `${API}/orgs`, { headers: bearer('owner'), json: body });

    expect(status).toBe(400);
    expect(json.details.map(({ message }: { message: string }) => message)).toContain(message);
    expect(json.error).toMatch(/^invalid request body: \w+ (must|is) /);
  });
});

test('every pattern of a request has a hint in words', () => {
  const bare: string[] = [];
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { pattern, 'x-pattern-hint': hint } = node as Record<string, unknown>;
    if (typeof pattern === 'string' && !/^must [^^\\]+[^.]$/.test(String(hint))) bare.push(at);
    for (const [name, member] of Object.entries(node)) visit(member, `${at}/${name}`);
  };
  visit(document.api.components.parameters, 'parameters');
  for (const [name, schema] of Object.entries(document.api.components.schemas)) {
    if (isClosed(schema)) visit(schema, name);
  }

  // Path ids are checked with the access: a malformed one is 404.
  expect(bare.filter((at) => !/Id\/schema$|Fingerprint\/schema$/.test(at))).toEqual([]);
});

/** Request bodies are closed, responses are not. */
function isClosed({
  additionalProperties,
  oneOf = [],
}: {
  additionalProperties?: unknown;
  oneOf?: unknown[];
}): boolean {
  return additionalProperties === false || oneOf.length > 0;
}
