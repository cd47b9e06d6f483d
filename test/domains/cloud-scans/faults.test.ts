import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addFaults, toScanErrors } from '../../../server/domains/cloud-scans/faults.ts';
import type { CountedFault } from '../../../server/domains/cloud-scans/types.ts';
import { fakeFault } from '../../fakes/cloud/adapter.ts';

const fault = (more: Partial<CountedFault>): CountedFault => ({
  ...fakeFault('throttled', 'Slow down.'),
  count: 1,
  ...more,
});

describe('errors of a scan', () => {
  test('equal faults are counted', () => {
    const faults = addFaults(
      [],
      [fakeFault('throttled', 'a'), fakeFault('throttled', 'b'), fakeFault('throttled', 'a')],
    );

    expect(addFaults(faults, [fakeFault('throttled', 'b')]).map(({ message, count }) => [message, count])).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
  });

  test('a missing permission is named once', () => {
    const [added] = toScanErrors([fault({ message: 'Denied.', permission: 'a:List' })], 'aws');
    const [named] = toScanErrors([fault({ message: 'Grant a:List.', permission: 'a:List' })], 'aws');

    expect([added?.message, named?.message]).toEqual(['Denied. Missing permission: a:List.', 'Grant a:List.']);
  });

  test('up to 200 errors are listed as they are', () => {
    const faults = Array.from({ length: 200 }, (_, i) => fault({ region: `r-${i}` }));

    expect(toScanErrors(faults, 'aws').map(({ region }) => region)).toEqual(faults.map(({ region }) => region));
  });

  test('more of them are counted together over regions, then over types, and then the rest is counted', () => {
    const many = (build: (i: number) => Partial<CountedFault>) =>
      toScanErrors(
        Array.from({ length: 1_000 }, (_, i) => fault(build(i))),
        'gcp',
      );

    expect(many((i) => ({ region: `r-${i}` }))).toMatchObject([{ region: null, count: 1_000 }]);
    expect(many((i) => ({ region: `r-${i}`, provider_type: `t-${i}` }))).toMatchObject([
      { resource_type: null, count: 1_000 },
    ]);
    const cut = many((i) => ({ message: `m-${i}` }));
    expect(cut).toHaveLength(200);
    expect(cut.at(-1)).toMatchObject({ code: 'truncated', count: 801 });
  });

  test('no fault is lost in the counts', () => {
    const names = fc.constantFrom(null, ...Array.from({ length: 30 }, (_, i) => `n-${i}`));
    const faults = fc.array(
      fc.record({ region: names, provider_type: names, service: names, count: fc.integer({ min: 1, max: 9 }) }),
      { maxLength: 600 },
    );
    fc.assert(
      fc.property(faults, (list) => {
        const errors = toScanErrors(list.map(fault), 'aws');
        expect(errors.length).toBeLessThanOrEqual(200);
        expect(errors.reduce((sum, { count }) => sum + count, 0)).toBe(list.reduce((sum, { count }) => sum + count, 0));
      }),
    );
  });
});
