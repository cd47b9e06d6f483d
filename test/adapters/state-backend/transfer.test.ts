import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { allowedMs, longestFetchMs, startDeadline } from '../../../server/adapters/state-backend/deadline.ts';
import { startTransfer, toStateBody } from '../../../server/adapters/state-backend/transfer.ts';
import { findFailure } from './setup.ts';

const PLACE = { service: 'AWS', name: 'the object "a" in the S3 bucket "b"' };
const MEBIBYTE = 1_048_576;

describe('the deadline of a transfer', () => {
  afterEach(() => void jest.useRealTimers());

  test('is 30 seconds, and one more for each mebibyte that has arrived', () => {
    expect([0, MEBIBYTE, 256 * MEBIBYTE].map((bytes) => allowedMs(bytes))).toEqual([30_000, 31_000, 286_000]);
  });

  test('aborts the transfer at 30 seconds', () => {
    jest.useFakeTimers();
    const { signal } = startDeadline({ signal: new AbortController().signal });

    jest.advanceTimersByTime(29_999);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  test('moves with the bytes that arrive', () => {
    jest.useFakeTimers();
    const { signal, pause, resume } = startDeadline({ signal: new AbortController().signal });

    jest.advanceTimersByTime(20_000);
    pause(10 * MEBIBYTE);
    resume();
    jest.advanceTimersByTime(19_999);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  test('does not move for a sender that trickles bytes', () => {
    jest.useFakeTimers();
    const { signal, pause, resume } = startDeadline({ signal: new AbortController().signal });

    for (let second = 0; second < 31; second += 1) {
      pause(1);
      resume();
      jest.advanceTimersByTime(1_000);
    }

    expect(signal.aborted).toBe(true);
  });

  test('does not count the time in which this service works with the bytes', () => {
    jest.useFakeTimers();
    const { signal, pause, resume } = startDeadline({ signal: new AbortController().signal });

    for (let chunk = 0; chunk < 10; chunk += 1) {
      jest.advanceTimersByTime(2_900);
      pause(0);
      jest.advanceTimersByTime(60_000);
      resume();
    }
    jest.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  test('of the largest state is part of the longest fetch', () => {
    expect(longestFetchMs(256 * MEBIBYTE)).toBe(allowedMs(256 * MEBIBYTE) + 60_000);
  });

  test('ends with the caller, and leaves no timer behind', () => {
    jest.useFakeTimers();
    const caller = new AbortController();
    const { signal, end } = startDeadline({ signal: caller.signal });

    caller.abort();
    end();

    expect([signal.aborted, jest.getTimerCount()]).toEqual([true, 0]);
  });
});

describe('the body of a transfer', () => {
  const start = (caller = new AbortController().signal) =>
    startTransfer({ fetch: () => Promise.reject(new Error('not used')), max_bytes: 10 }, PLACE, caller);
  const read = async (chunks: AsyncIterable<Uint8Array>, announced_bytes = 0) => {
    const read: Uint8Array[] = [];
    for await (const chunk of start().readState({ chunks, announced_bytes })) read.push(chunk);
    return Buffer.concat(read).toString();
  };
  async function* write(...texts: string[]) {
    for (const text of texts) yield Buffer.from(text);
  }

  test('has at most the largest size', async () => {
    expect(await read(write('12345', '67890'))).toBe('1234567890');
    expect((await findFailure(read(write('12345', '678901'))))[0]).toBe('too_large');
  });

  test('must have all announced bytes', async () => {
    expect((await findFailure(read(write('12345'), 6)))[0]).toBe('unreachable');
  });

  test('is not cut off when its reader is slower than its sender', async () => {
    const fetch = () => Promise.reject(new Error('not used'));
    const options = { fetch, max_bytes: 10, response_ms: 30 };
    const transfer = startTransfer(options, PLACE, new AbortController().signal);
    const body = transfer.readState({ chunks: write('12', '34', '56'), announced_bytes: 6 });
    let text = '';

    await delay(40);
    for await (const chunk of body) {
      await delay(40);
      expect(transfer.signal.aborted).toBe(false);
      text += Buffer.from(chunk).toString();
    }

    expect(text).toBe('123456');
  });

  test('is not a web page, even if white space comes first in chunks of its own', async () => {
    expect((await findFailure(read(write(' ', '\n', '<p>'))))[0]).toBe('unusable');
    expect(await read(write('{', '<'))).toBe('{<');
  });

  test('ends with the reason of the caller when the caller cancels', async () => {
    const caller = new AbortController();
    const stop = new Error('canceled by the caller');
    async function* fail() {
      yield Buffer.from('{');
      caller.abort(stop);
      throw new Error('aborted');
    }
    const transfer = start(caller.signal);
    const body = transfer.readState({ chunks: fail(), announced_bytes: 0 });
    const consume = async () => {
      for await (const _chunk of body);
    };

    await expect(consume()).rejects.toBe(stop);
  });

  test('that is empty is read as empty', async () => {
    const transfer = start();

    expect(await transfer.readText(new Response(null))).toBe('');
    expect(toStateBody(new Response(null)).announced_bytes).toBe(0);
    transfer.end();
  });
});
