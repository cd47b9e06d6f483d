import { expect, test } from '@jest/globals';
import { shouldUseColor } from '../../cli/src/terminal.ts';
import { withoutVariables } from '../helpers/environment.ts';

withoutVariables(['FORCE_COLOR', 'NO_COLOR', 'TERM']);

test.each<[boolean, boolean, Record<string, string>]>([
  [true, true, {}],
  [false, false, {}],
  [false, true, { NO_COLOR: '1' }],
  [true, true, { NO_COLOR: '' }],
  [false, true, { TERM: 'dumb' }],
  [true, false, { FORCE_COLOR: '1' }],
  [true, false, { FORCE_COLOR: '1', NO_COLOR: '1' }],
  [false, true, { FORCE_COLOR: '0' }],
])('color is %s on a terminal (%s) with %j', (expected, isTTY, env) => {
  Object.assign(process.env, env);

  expect(shouldUseColor({ isTTY })).toBe(expected);
});
