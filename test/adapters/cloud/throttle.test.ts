import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createThrottle } from '../../../server/adapters/cloud/throttle.ts';
import { CloudError, type CloudFaultCode } from '../../../server/adapters/cloud/types.ts';
import { createVirtualTime } from '../../fakes/cloud/virtual-time.ts';

const signal = new AbortController().signal;

function fail(
  code: CloudFaultCode,
  { retryable = true, retry_after_s }: { retryable?: boolean; retry_after_s?: number } = {},
) {
  const fault = { code, message: code, service: 's', region: null, provider_type: null, permission: null, retryable };
  return new CloudError(fault, { retry_after_s });
}

/** Fails with the given errors, one after the other, and then succeeds. */
function createAttempt(...errors: Error[]) {
  const starts_ms: number[] = [];
  const time = createVirtualTime();
  const attempt = async () => {
    starts_ms.push(time.clock_ms());
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'done';
  };
  return { attempt, starts_ms, time, throttle: createThrottle({ ...time, random: () => 0.5 }) };
}

test('a request that succeeds is sent once and without waiting', async () => {
  const { attempt, starts_ms, throttle } = createAttempt();

  expect(await throttle.run('s', null, attempt, signal)).toBe('done');

  expect(starts_ms).toEqual([0]);
});

test('a throttled request is repeated after growing pauses', async () => {
  const { attempt, starts_ms, throttle } = createAttempt(fail('throttled'), fail('throttled'), fail('throttled'));

  await throttle.run('s', null, attempt, signal);

  expect(starts_ms).toEqual([0, 250, 750, 1750]);
});

test('the time in Retry-After is respected', async () => {
  const { attempt, starts_ms, throttle } = createAttempt(fail('throttled', { retry_after_s: 7 }));

  await throttle.run('s', null, attempt, signal);

  expect(starts_ms[1]).toBeGreaterThanOrEqual(7_000);
  expect(starts_ms[1]).toBeLessThan(8_000);
});

test('Retry-After also pauses other requests to the same service and region, and no others', async () => {
  const { attempt, throttle, time } = createAttempt(fail('throttled', { retry_after_s: 7 }));
  const started = new Map<string, number>();
  const note = (name: string) => async () => void started.set(name, time.clock_ms());

  await Promise.all([
    throttle.run('s', 'eu-west-1', attempt, signal).then(() => {}),
    Promise.resolve().then(() => throttle.run('s', 'eu-west-1', note('same'), signal)),
    Promise.resolve().then(() => throttle.run('s', 'us-east-1', note('region'), signal)),
    Promise.resolve().then(() => throttle.run('t', 'eu-west-1', note('service'), signal)),
  ]);
  await throttle.run('s', 'eu-west-1', note('later'), signal);

  expect(started.get('region')).toBe(0);
  expect(started.get('service')).toBe(0);
  expect(started.get('later')).toBeGreaterThanOrEqual(7_000);
});

test('a wait of more than a minute is left to the caller', async () => {
  const { attempt, starts_ms, throttle } = createAttempt(fail('throttled', { retry_after_s: 61 }));

  await expect(throttle.run('s', null, attempt, signal)).rejects.toMatchObject({ retry_after_s: 61 });

  expect(starts_ms).toHaveLength(1);
});

test('a service that throttles every request is asked 12 times', async () => {
  const { attempt, starts_ms, throttle } = createAttempt(...Array.from({ length: 40 }, () => fail('throttled')));

  await expect(throttle.run('s', null, attempt, signal)).rejects.toMatchObject({ fault: { code: 'throttled' } });

  expect(starts_ms).toHaveLength(12);
});

test('a server error is repeated twice', async () => {
  const { attempt, starts_ms, throttle } = createAttempt(...Array.from({ length: 9 }, () => fail('internal')));

  await expect(throttle.run('s', null, attempt, signal)).rejects.toMatchObject({ fault: { code: 'internal' } });

  expect(starts_ms).toHaveLength(3);
});

test.each([
  ['an access that is denied', fail('access_denied', { retryable: false })],
  ['an error that is final', fail('internal', { retryable: false })],
  ['an error of the program', new TypeError('x is not a function')],
])('%s is not repeated', async (_title, error) => {
  const { attempt, starts_ms, throttle } = createAttempt(error, error);

  await expect(throttle.run('s', null, attempt, signal)).rejects.toBe(error);

  expect(starts_ms).toHaveLength(1);
});

test('an abort ends a wait with its reason', async () => {
  const aborter = new AbortController();
  const throttle = createThrottle();
  const attempt = async () => {
    setImmediate(() => aborter.abort(new Error('canceled')));
    throw fail('throttled', { retry_after_s: 50 });
  };

  await expect(throttle.run('s', null, attempt, aborter.signal)).rejects.toThrow('canceled');
});

test('nothing is sent after an abort', async () => {
  const { attempt, starts_ms, throttle } = createAttempt();

  await expect(throttle.run('s', null, attempt, AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled');

  expect(starts_ms).toEqual([]);
});

test('requests to a service that allows five per second end with few rejections', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 }),
      async (parallel, numbers) => {
        const time = createVirtualTime();
        let drawn = 0;
        const throttle = createThrottle({ ...time, random: () => numbers[drawn++ % numbers.length] as number });
        let tokens = 5;
        let filled_at = 0;
        let calls = 0;
        const attempt = async () => {
          calls += 1;
          tokens = Math.min(5, tokens + ((time.clock_ms() - filled_at) / 1_000) * 5);
          filled_at = time.clock_ms();
          if (tokens < 1) throw fail('throttled');
          tokens -= 1;
        };
        let left = 200;
        const work = async () => {
          while (left > 0) {
            left -= 1;
            await throttle.run('s', null, attempt, signal);
          }
        };

        await Promise.all(Array.from({ length: parallel }, work));

        expect(calls).toBeLessThanOrEqual(200 * 1.5);
      },
    ),
    { numRuns: 40 },
  );
});
