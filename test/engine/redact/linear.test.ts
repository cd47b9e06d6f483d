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

// A search that is not linear would reach the time limit of the test; `npm run bench -- P6` measures the growth.
test.each(UNITS)('a secret after a megabyte of %j is masked', (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));

  expect(maskConcealed(`${text}\n"' DB_PASSWORD=hunter2hunter2`, '(sensitive)')).not.toContain('hunter2hunter2');
});
