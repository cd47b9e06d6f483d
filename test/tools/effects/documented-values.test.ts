import { expect, test } from '@jest/globals';
import { collectValues, formatValues } from '../../../tools/effects/documented-values.ts';
import type { Argument, Block } from '../../../tools/effects/sources/types.ts';

const argument = (name: string, doc: string, block?: Block): [string, Argument] => [
  name,
  { name, kind: block === undefined ? 'string' : 'block', doc, ...(block === undefined ? {} : { block }) },
];

function collect(...block: [string, Argument][]): string {
  const values = new Set<string>();
  collectValues(new Map([['acme_thing', new Map(block)]]), values);
  return formatValues(values);
}

test('the values that a documentation lists as allowed are collected from all blocks, once and in order', () => {
  const inner = new Map([argument('mode', 'Mode. Possible values: `ENFORCE`, `observe`.')]);

  expect(
    collect(
      argument('state', 'Valid values are `enabled` and `Disabled`.'),
      argument('again', 'Must be one of "enabled", "paused".'),
      argument('rule', '', inner),
    ),
  ).toBe('{"words":"disabled enabled enforce observe paused"}\n');
});

test('examples, names and sentences are not collected', () => {
  expect(
    collect(
      argument('host', 'Valid values: `app.example.com`, `my-host`, `10.0.0.1`, `a value with blanks`, `20240131999`.'),
      argument('free', 'Such as `sesame`.'),
    ),
  ).toBe('{"words":""}\n');
});
