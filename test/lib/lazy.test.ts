import { describe, expect, jest, test } from '@jest/globals';
import { lazy } from '../../server/lib/lazy.ts';

describe('a lazy value', () => {
  test('is loaded once for concurrent and later callers', async () => {
    const load = jest.fn(async () => 7);
    const value = lazy(load);

    expect(load).not.toHaveBeenCalled();
    expect(await Promise.all([value(), value()])).toEqual([7, 7]);
    expect(await value()).toBe(7);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('is loaded again after a failure', async () => {
    const load = jest.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('no answer')).mockResolvedValue(7);
    const value = lazy(load);

    await expect(value()).rejects.toThrow('no answer');
    expect(await value()).toBe(7);
  });

  test('is loaded again after it was forgotten, even if the forgotten load fails later', async () => {
    let fail = (_error: Error) => {};
    const slow = new Promise<number>((_resolve, reject) => {
      fail = reject;
    });
    const load = jest.fn<() => Promise<number>>().mockReturnValueOnce(slow).mockResolvedValueOnce(7);
    const value = lazy(load);

    const forgotten = value();
    value.forget();
    expect(await value()).toBe(7);
    fail(new Error('too late'));
    await expect(forgotten).rejects.toThrow('too late');
    expect(await value()).toBe(7);
    expect(load).toHaveBeenCalledTimes(2);
  });
});
