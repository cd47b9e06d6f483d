import { describe, expect, test } from '@jest/globals';
import { EffectTableReader } from '../../../engine/effects/table.ts';
import { buildTable, listRows } from '../../../tools/effects/build-table.ts';
import { classify } from '../../../tools/effects/classify.ts';
import { orderValues, readAllowedValues, readSentinel } from '../../../tools/effects/documentation.ts';
import type { Argument, Block } from '../../../tools/effects/sources/types.ts';

function makeArgument(name: string, partial: Partial<Argument> = {}): Argument {
  return { name, kind: 'string', doc: '', ...partial };
}

describe('classify', () => {
  test('orders the values that the documentation allows', () => {
    const argument = makeArgument('mfa_configuration', { doc: 'Valid values are `OFF`, `ON` and `OPTIONAL`.' });

    expect(classify('acme_pool', ['mfa_configuration'], argument)).toMatchObject({
      effect: 'guard',
      safe_end: ['OFF', 'OPTIONAL', 'ON'],
    });
  });

  test('turns the order around if on is the weak end', () => {
    const argument = makeArgument('privileged', { doc: 'Possible values: `Disabled`, `Enabled`.' });

    expect(classify('acme_task', ['privileged'], argument).safe_end).toEqual(['Enabled', 'Disabled']);
  });

  test('reads a boolean that the provider writes as a string', () => {
    const argument = makeArgument('delete_on_termination', { doc: 'Whether to delete the volume.' });

    expect(classify('acme_disk', ['delete_on_termination'], argument)).toMatchObject({
      effect: 'destructive',
      safe_end: 'false',
    });
  });

  test('uses the documentation where the name says little', () => {
    const argument = makeArgument('value', { doc: 'Name of the KMS key.' });

    expect(classify('acme_thing', ['value'], argument).effect).toBe('encryption');
  });
});

test.each([
  ['Valid values: `a`, `b`. See `c`.', ['a', 'b']],
  ['Possible values: ["HTTP", "HTTPS"]', ['HTTP', 'HTTPS']],
  ['The name of the `bucket`.', []],
])('the allowed values of %j are %j', (doc, values) => {
  expect(readAllowedValues(doc)).toEqual(values);
});

test('values without a known strength have no order', () => {
  expect(orderValues('guard', ['round', 'square'])).toBeNull();
});

test.each([
  ['Days to keep. If `0`, events never expire.', 'more', { value: 0, as: 'most' }],
  ['Attempts. -1 means unlimited.', 'less', { value: -1, as: 'most' }],
  ['Days. `0` disables backups.', 'more', null],
  ['Between 1 and 10.', 'more', null],
] as const)('the sentinel of %j, safe at %s, is %j', (doc, end, sentinel) => {
  expect(readSentinel(doc, end)).toEqual(sentinel);
});

test('the table has the final effect of every argument, blocks included', () => {
  const inner: Block = new Map([['enabled', makeArgument('enabled', { kind: 'bool' })]]);
  const block: Block = new Map([
    ['encryption', makeArgument('encryption', { kind: 'block', block: inner })],
    ['tags', makeArgument('tags', { kind: 'map' })],
  ]);
  const corrected = { effect: 'guard', safe_end: null, sentinel: null } as const;
  const reviewed = {
    isRead: () => false,
    find: (_: string, path: string) => (path === 'tags' ? corrected : undefined),
    listUnused: () => [],
  };

  const table = buildTable(
    listRows(
      new Map([
        ['acme_a', block],
        ['acme_b', block],
      ]),
      reviewed,
    ),
    'acme_',
  );
  const reader = new EffectTableReader(table);

  expect(reader.listTypes()).toEqual(['a', 'b']);
  expect(table.blocks.split(' ')).toHaveLength(2);
  const found = reader.findType('b')!;
  expect(found.get('tags')?.effect.effect).toBe('guard');
  expect(found.get('encryption')?.block?.get('enabled')?.effect).toMatchObject({
    effect: 'encryption',
    safe_end: 'true',
  });
});
