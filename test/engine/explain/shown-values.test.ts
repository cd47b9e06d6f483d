import { expect, test } from '@jest/globals';
import { pickValues } from '../../../engine/explain/shown-values.ts';
import type { AttributeDiff } from '../../../engine/index.ts';
import { aDiff } from '../noise/builders.ts';
import { aChange } from '../render/builders.ts';

const pick = (names: string[], more: Partial<AttributeDiff> = {}) => {
  const diff = aDiff(names.join('.'), 'load > 4711', 'load > 4712', { path_segments: names, ...more });
  return pickValues(aChange('parcel_desk.a', { attributes: [diff] })).map(({ shown }) => shown);
};

test('the parts of a query are shown, but not under the name of a secret', () => {
  expect(pick(['alert', 'query'])).toEqual([{ path: 'alert.query', before: '4711', after: '4712', shows: 'parts' }]);
  expect(pick(['client_secret', 'query'])).toEqual([]);
});

test.each([{ before_sensitive: true }, { after_sensitive: true }, { scrubbed: true as const }, { truncated: true }])(
  'nothing is shown of a query with %j',
  (more) => {
    expect(pick(['alert', 'query'], more)).toEqual([]);
  },
);
