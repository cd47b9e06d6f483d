import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { API, bearer, examples, type Harness, ORG, startHttp, testHandlers } from './harness.ts';

const ASKED_AT_ONCE = 12;
const SHARE = 5;

let http: Harness;
let begun = 0;
let release: () => void = () => undefined;
let reportFull: () => void = () => undefined;

beforeAll(async () => {
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handlers: ReturnType<typeof testHandlers> = {
    ...testHandlers(),
    async getOrg({ org }) {
      begun += 1;
      if (begun === SHARE) reportFull();
      await released;
      return { status: 200, body: { ...examples.org, id: org.id } };
    },
  };
  http = await startHttp({ handlers });
});
afterAll(() => http.close());

test('a caller who asks much at once takes a share of the handlers, and others are answered meanwhile', async () => {
  const full = new Promise<void>((resolve) => {
    reportFull = resolve;
  });
  const asked = Array.from({ length: ASKED_AT_ONCE }, () =>
    http.send('GET', `${API}/orgs/${ORG}`, { headers: bearer('owner') }),
  );
  await full;
  const form = 'grant_type=x&subject_token=x&subject_token_type=x&audience=x';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const other = await http.send('POST', `${API}/federation/token`, { headers, body: form });

  expect(other.status).toBe(200);
  expect(begun).toBe(SHARE);
  release();
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual(Array(ASKED_AT_ONCE).fill(200));
});
