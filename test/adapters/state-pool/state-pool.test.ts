import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStatePool, type StatePool } from '../../../server/adapters/state-pool/index.ts';
import { stateText } from '../../fakes/state-reader.ts';

const WORKER = fileURLToPath(new URL('json-worker.mjs', import.meta.url));

let pool: StatePool;
beforeAll(() => {
  pool = createStatePool({ threads: 2, worker: WORKER, budget: { time_ms: 1_000, heap_mb: 128 } });
});
afterAll(() => pool.close());

/** A body in chunks of these sizes, and how many were read. */
function createBody(text: string, sizes: readonly number[] = [1_000]) {
  const bytes = Buffer.from(text);
  const body = { read: 0, is_closed: false };
  async function* stream(): AsyncIterable<Uint8Array> {
    try {
      for (let from = 0, i = 0; from < bytes.length; i += 1) {
        const size = sizes[i % sizes.length] ?? 1;
        body.read += 1;
        yield bytes.subarray(from, from + size);
        from += size;
      }
    } finally {
      body.is_closed = true;
    }
  }
  return Object.assign(body, { stream: stream() });
}

const never = () => new AbortController().signal;
const read = (text: string, sizes?: readonly number[]) => pool.readState('a', createBody(text, sizes).stream, never());
const failure = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error) => error,
  );

describe('a state thread of the service', () => {
  let own: StatePool;
  beforeAll(() => {
    own = createStatePool({ threads: 1 });
  });
  afterAll(() => own.close());
  const readOwn = (text: string) => own.readState('a', createBody(text).stream, never());

  test('keeps managed resources without secrets, also where they are repeated before they are known', async () => {
    const secret = 'canary-of-a-database';
    const state = JSON.parse(stateText(3));
    const [first, second, third] = state.resources;
    first.instances[0].attributes.note = `the password is ${secret}`;
    second.mode = 'data';
    third.instances[0].attributes.password = secret;
    third.instances[0].sensitive_attributes = [[{ type: 'get_attr', value: 'password' }]];

    const { resources, ...facts } = await readOwn(JSON.stringify(state));

    expect(facts).toMatchObject({ resource_count: 2, parse_failure_count: 0, serial: 1, terraform_version: '1.11.0' });
    const text = brotliDecompressSync(resources).toString();
    expect(text).not.toContain(secret);
    const kept = text.trimEnd().split('\n');
    expect(kept.map((line) => JSON.parse(line).address)).toEqual(['terraform_data.r0', 'terraform_data.r2']);
  });

  test('says what a file is that is no state', async () => {
    const error = await failure(readOwn('<html>Sign in</html>'));

    expect(error.name).toBe('StateReadError');
    expect(error.message).toMatch(/HTML/i);
  });
});

describe('a state thread', () => {
  test('returns the facts, the checksum of all bytes, and the resources compressed', async () => {
    const text = stateText(300, 9);

    const { resources, ...facts } = await read(text);

    expect(facts).toEqual({
      content_hash: createHash('sha256').update(text).digest('hex'),
      resource_count: 300,
      parse_failure_count: 0,
      serial: 9,
      lineage: '6c2f2d5e-0000-4000-8000-000000000001',
      terraform_version: '1.11.0',
    });
    const lines = brotliDecompressSync(resources).toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(text).resources);
    expect(resources.length).toBeLessThan(text.length / 5);
  });

  test('returns the same for chunks of any size', async () => {
    const text = stateText(20);
    const expected = await read(text);

    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 }), async (sizes) => {
        expect(await read(text, sizes)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  test('reads several states at once, each with its own result', async () => {
    const counts = [1, 2, 3, 4, 5, 6];

    const results = await Promise.all(counts.map((count) => read(stateText(count), [100])));

    expect(results.map(({ resource_count }) => resource_count)).toEqual(counts);
  });

  test('refuses what is no state with the message of the reader', async () => {
    const error = await failure(read('<html>'));

    expect([error.name, error.message]).toEqual(['StateReadError', 'this is not a state']);
    expect(await read(stateText(1))).toMatchObject({ resource_count: 1 });
  });

  test('reports a fault of the reader as it is', async () => {
    expect((await failure(read('{"fault": 1}'))).message).toBe('a bug of the reader');
  });

  test('ends a state that takes too long, and closes its body', async () => {
    const body = createBody(`{"loop": 1}${' '.repeat(50_000)}`);

    const error = await failure(pool.readState('a', body.stream, never()));

    expect(error).toMatchObject({ name: 'StateReadError', message: expect.stringContaining('stopped after 1 s') });
    expect(body.is_closed).toBe(true);
    expect(body.read).toBeLessThan(5);
  });

  test('ends with the error of a body that breaks', async () => {
    async function* broken(): AsyncIterable<Uint8Array> {
      yield Buffer.from('{"version":');
      throw new Error('the connection was cut');
    }

    expect((await failure(pool.readState('a', broken(), never()))).message).toBe('the connection was cut');
    expect(await read(stateText(1))).toMatchObject({ resource_count: 1 });
  });

  test('ends with the reason of its signal, also while the body sends nothing', async () => {
    const cancel = new AbortController();
    let is_asked = () => {};
    const asked = new Promise<void>((resolve) => {
      is_asked = resolve;
    });
    const silent: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next() {
          is_asked();
          return new Promise((_resolve, reject) => {
            cancel.signal.addEventListener('abort', () => reject(cancel.signal.reason));
          });
        },
      }),
    };

    const attempt = failure(pool.readState('a', silent, cancel.signal));
    await asked;
    cancel.abort(new Error('canceled'));

    expect((await attempt).message).toBe('canceled');
    await expect(pool.check()).resolves.toBeUndefined();
  });
});
