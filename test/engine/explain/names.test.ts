import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createNameFinder } from '../../../engine/explain/names.ts';
import type { KnownName } from '../../../engine/explain/types.ts';

class CountedNames extends Map<string, KnownName> {
  lookups = 0;

  override get(name: string): KnownName | undefined {
    this.lookups += 1;
    return super.get(name);
  }
}

function createNames(...names: string[]): CountedNames {
  return new CountedNames(names.map((name) => [name, { shown: name, change: null }]));
}

function find(names: CountedNames, text: string): [number, string][] {
  const found = createNameFinder({ names, numbers: new Set() }).find(text);
  return found.map(({ start, name }) => [start, name]);
}

describe('names with quotes, brackets or spaces in a text', () => {
  test('are found from left to right, longest first', () => {
    const names = createNames('web["a"]', 'web["a"].disk[0]', 'disk[0]', 'the "x"');

    expect(find(names, 'web["a"].disk[0] and web["a"] the "x"')).toEqual([
      [0, 'web["a"].disk[0]'],
      [21, 'web["a"]'],
      [30, 'the "x"'],
    ]);
  });

  test('exclude simple names and names of one or two characters', () => {
    expect(find(createNames('aws_instance.web', '[]', '"'), 'aws_instance.web [] "')).toEqual([]);
  });

  test('match a separate search for each name', () => {
    const pieces = fc.constantFrom('a', ' ', '[', ']', 'b');
    const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));

    fc.assert(
      fc.property(fc.array(texts, { maxLength: 6 }), texts, (names, text) => {
        const known = names.filter((name) => name.length > 2 && /[^a-z]/.test(name));
        const starts = known.map((name) => text.indexOf(name)).filter((at) => at >= 0);

        expect(find(createNames(...known), text)[0]?.[0]).toBe(starts.length === 0 ? undefined : Math.min(...starts));
      }),
    );
  });

  test('need at most one lookup per position, for any number of names', () => {
    const names = createNames(...Array.from({ length: 2_000 }, (_, i) => `web["${'a '.repeat(i % 50)}${i}"]`));
    const text = 'web["a a a a a a '.repeat(300);

    find(names, text);

    expect(names.lookups).toBeLessThanOrEqual(text.length);
  });
});
