import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { shouldUseColor } from '../../cli/src/terminal.ts';

const NAMES = ['FORCE_COLOR', 'NO_COLOR', 'TERM'] as const;
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
});

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

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
