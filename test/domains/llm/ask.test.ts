import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAsk } from '../../../server/domains/llm/ask-service.ts';
import { createBreakers } from '../../../server/domains/llm/breaker-service.ts';
import { type LlmClient, LlmError, type LlmErrorClass, type OpenedConfig } from '../../../server/domains/llm/types.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { minutesLater } from '../orgs/setup.ts';
import { failure, type LlmUnderTest, OWN, PLATFORM, REQUEST, setUpLlm } from './setup.ts';

const NOON = new Date('2026-05-01T12:00:00.000Z');

let at: LlmUnderTest;
let org: string;
let owner: Principal;
beforeAll(async () => {
  at = await setUpLlm();
});
afterAll(() => at.closeAll());
beforeEach(async () => {
  at.clock.now = NOON;
  ({ org, owner } = await at.makeOwner());
});

const opened = {
  byok: { kind: 'byok', config: OWN, updated_at: NOON },
  platform: { kind: 'platform', config: PLATFORM },
};

/** `ask` with a clock that only its sleeps move. */
function fake(
  kind: 'byok' | 'platform',
  script: (LlmError | 'answer')[],
  { signal = new AbortController().signal } = {},
) {
  const slept: number[] = [];
  const asked: string[] = [];
  const client: LlmClient = {
    model: 'fake',
    async ask() {
      const next = script.length > 1 ? script.shift() : script[0];
      if (next instanceof LlmError) throw next;
      return { text: '{}', model: 'fake-1', input_tokens: 10, output_tokens: 5 };
    },
  };
  const { ask } = createAsk({
    configs: { open: async () => opened[kind] as OpenedConfig },
    breakers: createBreakers({ db: at.database.db, now: () => at.clock.now }),
    openClient: async (config) => {
      asked.push(config.provider);
      return client;
    },
    sleep: async (ms) => void slept.push(ms),
    clock: () => slept.reduce((sum, ms) => sum + ms, 0),
  });
  return { ask: () => ask({ org_id: org, request: REQUEST, signal }), slept, asked };
}

describe('retries', () => {
  test.each(['rate_limited', 'unavailable', 'timeout'] as const)('%s is tried three times', async (error_class) => {
    const { ask, asked } = fake('platform', [failure(error_class)]);

    const outcome = await ask();

    expect(asked).toHaveLength(3);
    expect(outcome).toMatchObject({ fallback: expect.any(String), call: { tries: 3, error_class } });
  });

  test.each(['auth', 'rejected', 'refused'] as const)('%s is not retried', async (error_class) => {
    const { ask, asked } = fake('platform', [failure(error_class)]);

    expect(await ask()).toMatchObject({ call: { tries: 1, error_class } });
    expect(asked).toHaveLength(1);
  });

  test('the third attempt can succeed, after the waits that the provider requested', async () => {
    const { ask, slept } = fake('platform', [failure('rate_limited', 7), failure('unavailable', 3), 'answer']);

    expect(await ask()).toMatchObject({
      answer: { text: '{}' },
      billed_to: 'platform',
      call: { model: 'fake-1', input_tokens: 10, output_tokens: 5, latency_ms: 10_000, tries: 3, error_class: null },
    });
    expect(slept).toEqual([7_000, 3_000]);
  });

  test('a wait beyond ninety seconds is not started', async () => {
    const { ask, slept } = fake('platform', [failure('rate_limited', 60), failure('rate_limited', 31), 'answer']);

    expect(await ask()).toMatchObject({ fallback: expect.any(String), call: { tries: 2 } });
    expect(slept).toEqual([60_000]);
  });

  test('without a requested wait, the retries wait one and two seconds, plus or minus a quarter', async () => {
    const { ask, slept } = fake('platform', [failure('unavailable')]);
    await ask();

    expect(slept).toHaveLength(2);
    expect(Math.abs((slept[0] ?? 0) - 1_000)).toBeLessThanOrEqual(250);
    expect(Math.abs((slept[1] ?? 0) - 2_000)).toBeLessThanOrEqual(500);
  });

  test('a canceled caller gets no outcome', async () => {
    const { ask, asked } = fake('byok', [failure('unavailable')], { signal: AbortSignal.abort() });

    await expect(ask()).rejects.toMatchObject({ error_class: 'cancelled' });
    expect(asked).toHaveLength(1);
  });
});

test.each<[LlmErrorClass, object]>([
  ['auth', { skipped: 'byok_client_error' }],
  ['rejected', { skipped: 'byok_client_error' }],
  ['rate_limited', { skipped: 'byok_rate_limited' }],
  ['unavailable', { skipped: 'byok_rate_limited' }],
  ['timeout', { skipped: 'byok_rate_limited' }],
  ['refused', { fallback: 'the model gave no usable response' }],
])(
  "%s of the organization's account is reported as %j, and the platform's model is not called",
  async (error_class, outcome) => {
    const { ask, asked } = fake('byok', [failure(error_class)]);

    expect(await ask()).toMatchObject(outcome);
    expect(new Set(asked)).toEqual(new Set([OWN.provider]));
  },
);

describe('a failing model account', () => {
  const breaker = () => at.database.admin_db('llm_breakers').where({ org_id: org }).first();

  async function failFive() {
    for (let n = 0; n < 5; n += 1) await fake('byok', [failure('auth')]).ask();
  }

  test('a failing account is not called for five minutes by any instance', async () => {
    await failFive();
    const { ask, asked } = fake('byok', ['answer']);

    expect(await ask()).toEqual({ skipped: 'byok_rate_limited', call: null });
    expect(asked).toEqual([]);
  });

  test('one of many callers probes a failing account, and a success closes the breaker', async () => {
    await failFive();
    at.clock.now = minutesLater(NOON, 5);
    const many = Array.from({ length: 8 }, () => fake('byok', ['answer']));

    const outcomes = await Promise.all(many.map(({ ask }) => ask()));

    expect(outcomes.filter((outcome) => 'answer' in outcome).length).toBeGreaterThanOrEqual(1);
    expect(await breaker()).toBeUndefined();
  });

  test('one probe runs at a time without retries, and a failure doubles the open time', async () => {
    await failFive();
    at.clock.now = minutesLater(NOON, 5);
    const many = Array.from({ length: 8 }, () => fake('byok', [failure('unavailable')]));

    await Promise.all(many.map(({ ask }) => ask()));

    expect(many.flatMap(({ asked }) => asked)).toHaveLength(1);
    expect(await breaker()).toMatchObject({ open_until: minutesLater(NOON, 15), open_ms: 600_000 });
  });

  test('a failing account is probed again after two minutes if the prober died', async () => {
    await failFive();
    at.clock.now = minutesLater(NOON, 5);
    const breakers = createBreakers({ db: at.database.db, now: () => at.clock.now });
    expect(await breakers.acquire(org, OWN.provider)).toMatchObject({ probe: true });
    expect(await breakers.acquire(org, OWN.provider)).toBeUndefined();

    at.clock.now = minutesLater(NOON, 7);

    expect(await breakers.acquire(org, OWN.provider)).toMatchObject({ probe: true });
  });

  test('errors of a prompt do not count, and a success resets the count', async () => {
    for (let n = 0; n < 6; n += 1) await fake('byok', [failure('rejected')]).ask();
    expect(await breaker()).toBeUndefined();

    for (let n = 0; n < 4; n += 1) await fake('byok', [failure('auth')]).ask();
    await fake('byok', ['answer']).ask();
    for (let n = 0; n < 4; n += 1) await fake('byok', [failure('auth')]).ask();

    expect(await fake('byok', ['answer']).ask()).toMatchObject({ billed_to: 'org' });
  });

  test('a failing account is called again after it is configured again', async () => {
    await at.llm.configs.put(owner, org, OWN);
    await failFive();
    await at.llm.configs.put(owner, org, OWN);

    expect(await fake('byok', ['answer']).ask()).toMatchObject({ billed_to: 'org' });
  });

  test('a failing account does not affect other organizations', async () => {
    await failFive();
    ({ org } = await at.makeOwner());

    expect(await fake('byok', ['answer']).ask()).toMatchObject({ billed_to: 'org' });
  });
});

test('without any model the outcome has a reason', async () => {
  const llm = at.instance({ platform: null });
  const signal = new AbortController().signal;

  expect(await llm.ask({ org_id: org, request: REQUEST, signal })).toEqual({
    fallback: 'no model is configured',
    call: null,
  });
});
