import { describe, expect, test } from '@jest/globals';
import { countArguments, EFFECTS, SAFE_WORDS } from '../../../engine/effects/index.ts';
import { EffectTableReader, type TableBlock } from '../../../engine/effects/table.ts';
import { TABLES } from '../../../engine/effects/tables.ts';
import vocabulary from '../../../engine/effects/vocabulary.json' with { type: 'json' };

describe('the table', () => {
  test('has at least 40,000 arguments of at least 14 providers', () => {
    const counts = countArguments();
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);

    expect(counts.size).toBeGreaterThanOrEqual(14);
    expect(total).toBeGreaterThanOrEqual(40_000);
  });

  test('leaves at most 5 percent of the arguments unknown', () => {
    const effects = Object.values(TABLES).flatMap((table) => listEffects(new EffectTableReader(table)));
    const unknown = effects.filter(({ effect }) => effect === 'unknown');

    expect(unknown.length / effects.length).toBeLessThan(0.05);
  });
});

describe.each(Object.keys(TABLES))('the table of %s', (provider) => {
  const reader = new EffectTableReader(TABLES[provider]!);

  test('has effects and safe ends of the closed lists only', () => {
    for (const { effect, safe_end, sentinel } of new Set(listEffects(reader))) {
      expect(EFFECTS).toContain(effect);
      if (typeof safe_end === 'string') expect(SAFE_WORDS).toContain(safe_end);
      if (Array.isArray(safe_end)) expect(new Set(safe_end).size).toBe(safe_end.length);
      if (sentinel !== null) expect(['most', 'least']).toContain(sentinel.as);
    }
  });

  test('has its types in the order that a binary search needs, and finds each of them', () => {
    const types = reader.listTypes();

    expect(types).toEqual(types.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(types.filter((type) => reader.findType(type) === undefined)).toEqual([]);
    expect(types.filter((type) => !types.includes(`${type}x`) && reader.findType(`${type}x`) !== undefined)).toEqual(
      [],
    );
  });

  test('has well-formed types and names', () => {
    const names = reader.listTypes().flatMap((type) => listNames(reader.findType(type)!));

    for (const name of new Set([...reader.listTypes(), ...names])) expect(name).toMatch(/^[a-zA-Z0-9_]+$/);
  });
});

describe('the vocabulary', () => {
  test('has effects of the closed list only', () => {
    for (const { effect } of vocabulary.concepts) expect(EFFECTS).toContain(effect);
    for (const { effects } of vocabulary.values) {
      for (const effect of effects.split(' ')) expect(EFFECTS).toContain(effect);
    }
  });
});

function listBlocks(block: TableBlock): TableBlock[] {
  return [block, ...[...block.values()].flatMap((entry) => (entry.block === undefined ? [] : listBlocks(entry.block)))];
}

function listEffects(reader: EffectTableReader) {
  const blocks = reader.listTypes().flatMap((type) => listBlocks(reader.findType(type)!));
  return blocks.flatMap((block) => [...block.values()].map(({ effect }) => effect));
}

function listNames(block: TableBlock): string[] {
  return listBlocks(block).flatMap((one) => [...one.keys()]);
}
