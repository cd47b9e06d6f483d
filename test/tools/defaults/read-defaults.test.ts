import { describe, expect, test } from '@jest/globals';
import { readDefault, readDefaults } from '../../../tools/defaults/read-defaults.ts';
import type { Argument, Kind } from '../../../tools/effects/sources/types.ts';

describe('the default of an argument', () => {
  test.each<[Kind, string, unknown]>([
    ['bool', 'Whether it is public. Defaults to `false`.', false],
    ['bool', 'Turns it on. (Default: true)', true],
    ['number', 'How long it is kept. The default value is 5 days.', 5],
    ['number', 'Defaults to 300 if not specified.', 300],
    ['string', 'The branch. Defaults to "main".', 'main'],
    ['string', 'Default value is "NONE" Possible values: ["NONE", "PROXY_V1"]', 'NONE'],
  ])('is read from a %s: %s', (kind, doc, value) => {
    expect(readDefault({ kind, doc })).toBe(value);
  });

  test.each<[Kind, string]>([
    ['bool', 'Defaults to `true` if `kind` is `web`.'],
    ['bool', 'Defaults to `true` for new clusters, and by default `false` for others.'],
    ['number', 'Defaults to 80 if type is HTTP or 443 if type is HTTPS.'],
    ['number', 'Defaults to `50%`.'],
    ['string', 'Defaults to the region of the provider.'],
    ['string', 'Defaults to `null`.'],
    ['list', 'Defaults to `a`.'],
    ['bool', 'Whether it is public.'],
  ])('is not known for a %s: %s', (kind, doc) => {
    expect(readDefault({ kind, doc })).toBeUndefined();
  });

  test('of a block has the path of the block', () => {
    const limit: Argument = { name: 'limit', kind: 'number', doc: 'Defaults to 3.' };
    const block: Argument = { name: 'retry', kind: 'block', doc: '', block: new Map([['limit', limit]]) };

    expect([...readDefaults(new Map([['retry', block]]))]).toEqual([['retry.limit', 3]]);
  });
});
