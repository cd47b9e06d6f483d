import { describe, expect, jest, test } from '@jest/globals';
import type { ConnectedSource } from '../../bot/ports.ts';
import { createWorkOnSource } from '../../bot/sources.ts';
import { PlatformError, type PlatformErrorClass } from '../../server/adapters/scm/types.ts';

const SOURCE = { config_id: 'c', installation_row_id: null };
const CONNECTED = { org_id: 'o', source: SOURCE } as ConnectedSource;

function setUp(connection: ConnectedSource | { missing: string } = CONNECTED) {
  const connect = jest.fn(async () => connection);
  const onForbidden = jest.fn(async () => {});
  return { connect, onForbidden, workOnSource: createWorkOnSource({ connect, onForbidden }) };
}

describe('work on a source', () => {
  test('gets the source, which is connected once', async () => {
    const { connect, onForbidden, workOnSource } = setUp();

    expect(await workOnSource('o', SOURCE, async (connected) => connected.org_id)).toEqual({ result: 'o' });
    expect(connect).toHaveBeenCalledTimes(1);
    expect(onForbidden).not.toHaveBeenCalled();
  });

  test('is not done if the source cannot be connected', async () => {
    const { workOnSource } = setUp({ missing: 'It is disabled.' });
    const work = jest.fn(async () => 1);

    expect(await workOnSource('o', SOURCE, work)).toEqual({ missing: 'It is disabled.' });
    expect(work).not.toHaveBeenCalled();
  });

  test.each<[PlatformErrorClass, number]>([
    ['forbidden', 1],
    ['gone', 0],
    ['rate_limited', 0],
    ['unavailable', 0],
  ])('that ends with the error %s has the credential checked %d times', async (error_class, times) => {
    const { onForbidden, workOnSource } = setUp();
    const error = new PlatformError(error_class, 'refused');

    await expect(workOnSource('o', SOURCE, () => Promise.reject(error))).rejects.toBe(error);
    expect(onForbidden.mock.calls).toEqual(Array(times).fill(['o', SOURCE]));
  });
});
