import { expect, test } from '@jest/globals';
import { maskConcealed } from '../../../engine/redact/concealed.ts';

const UNITS = [
  'password=',
  'password: ',
  'password={',
  'password="',
  'pass:',
  'mysql -p',
  'chpasswd\nroot:',
  '://a:',
  '\\"',
];

/** The best of three runs, so that a pause of the machine does not count. */
function measure(text: string): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    maskConcealed(text, '(sensitive)');
    return performance.now() - start;
  });
  return Math.min(...times);
}

test.each(UNITS)('a megabyte of %j takes time in proportion to its length', (unit) => {
  const small = measure(unit.repeat(Math.ceil(131_072 / unit.length)));
  const large = measure(unit.repeat(Math.ceil(1_048_576 / unit.length)));

  // Eight times the text; a quadratic search would take 64 times as long.
  expect(large).toBeLessThan(32 * Math.max(small, 5));
});

test.each(UNITS)('a secret after a megabyte of %j is masked', (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));

  expect(maskConcealed(`${text}\n"' DB_PASSWORD=hunter2hunter2`, '(sensitive)')).not.toContain('hunter2hunter2');
});
