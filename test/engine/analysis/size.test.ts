import { describe, expect, test } from '@jest/globals';
import { fitResult, MAX_RESULT_BYTES } from '../../../engine/analysis/fit.ts';
import { chooseDiffs, shortenValue } from '../../../engine/analysis/shorten.ts';
import { analyzePlan } from '../../../engine/index.ts';
import type { AttributeDiff, Reason } from '../../../engine/model/result.ts';
import { entry, planText } from './plans.ts';

function wide(name: string, count: number, length: number) {
  const after = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'é'.repeat(length)]));
  return entry('aws_instance', name, { before: {}, after });
}

describe('the attributes of a change', () => {
  test('are limited to 200, security-relevant ones first', () => {
    const change = wide('a', 300, 3);
    Object.assign(change.change.after as object, { metadata_options: [{ http_tokens: 'optional' }] });
    Object.assign(change.change.before as object, { metadata_options: [{ http_tokens: 'required' }] });

    const [shown] = analyzePlan(planText({ resource_changes: [change] })).changes;

    expect(shown).toMatchObject({ attributes_total: 301, attributes_truncated: true });
    expect(shown!.attributes).toHaveLength(200);
    expect(shown!.attributes[0]).toMatchObject({ path: 'metadata_options[0].http_tokens', direction: 'weakening' });
  });

  test.each<[string, Partial<AttributeDiff>]>([
    ['has a direction', { direction: 'strengthening' }],
    ['forces the replacement', { forces_replacement: true }],
    ['is named by a reason', { path: 'named' }],
  ])('are sorted first if one %s', (_why, special) => {
    const plain = Array.from({ length: 250 }, (_, i) => diff({ path: `p${i}` }));
    const reasons = [{ path: 'named' }] as Reason[];

    const chosen = chooseDiffs([...plain, diff(special)], reasons);

    expect(chosen).toHaveLength(200);
    expect(chosen[0]).toMatchObject(special);
    expect(chosen[1]!.path).toBe('p0');
  });

  test('have strings cut at 1,024 characters, never inside a surrogate pair, with the truncated flag set', () => {
    const after = { a: 'x'.repeat(1025), b: `${'x'.repeat(1023)}😀`, c: 'x'.repeat(1024) };

    const [shown] = analyzePlan(
      planText({ resource_changes: [entry('aws_instance', 'a', { before: {}, after })] }),
    ).changes;

    const lengths = shown!.attributes.map(({ path, after, truncated }) => [path, (after as string).length, truncated]);
    expect(lengths).toEqual([
      ['a', 1024, true],
      ['b', 1023, true],
      ['c', 1024, false],
    ]);
  });

  test('have lists cut at 1,000 items with the flag set, and rules still see the whole list', () => {
    const blocks = (third: number) => Array.from({ length: 12_000 }, (_, i) => `10.${i >> 8}.${i & 255}.${third}/32`);
    const rule = (cidr_blocks: string[]) => ({
      type: 'ingress',
      protocol: 'tcp',
      from_port: 22,
      to_port: 22,
      cidr_blocks,
    });
    const change = { before: rule(blocks(1)), after: rule([...blocks(2), '0.0.0.0/0']) };

    const [shown] = analyzePlan(
      planText({ resource_changes: [entry('aws_security_group_rule', 'a', change)] }),
    ).changes;

    expect(shown!.risk).toMatchObject({ level: 'critical' });
    expect(shown!.risk.reasons.map(({ rule_id }) => rule_id)).toContain('R-NET-OPEN');
    expect(shown!.attributes).toMatchObject([{ path: 'cidr_blocks', truncated: true, direction: 'weakening' }]);
    expect(shown!.attributes[0]!.after).toHaveLength(1000);
  });

  test('have strings cut inside lists and objects too', () => {
    const long = { list: ['x'.repeat(2000), 1], kept: 'y' };

    expect(shortenValue(long)).toEqual({ list: ['x'.repeat(1024), 1], kept: 'y' });
    expect(shortenValue(['a'])).toEqual(['a']);
  });
});

describe('a result of more than 8 MiB', () => {
  test('loses the attributes of the lowest-ranked changes first', () => {
    const lost = entry('aws_db_instance', 'z', { actions: ['delete'], before: { id: 'z', name: 'x'.repeat(1000) } });
    const many = Array.from({ length: 60 }, (_, i) => wide(`w${String(i).padStart(2, '0')}`, 200, 500));

    const analysis = analyzePlan(planText({ resource_changes: [...many, lost] }));

    const bytes = Buffer.byteLength(JSON.stringify(analysis));
    const kept = analysis.changes.map(({ attributes }) => attributes.length > 0);
    expect(bytes).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    expect(bytes).toBeGreaterThan(MAX_RESULT_BYTES * 0.95);
    expect(analysis.changes).toHaveLength(61);
    expect(kept.indexOf(false)).toBe(kept.lastIndexOf(true) + 1);
    expect(analysis.changes.at(-1)).toMatchObject({
      attributes: [],
      attributes_total: 200,
      attributes_truncated: true,
    });
  });

  test('fits even if names and outputs alone are too long', () => {
    const outputs = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `o${i}`,
        { actions: ['create'], after: Array(300).fill('y'.repeat(1000)) },
      ]),
    );
    const address = (i: number) => `a.${'n'.repeat(100_000)}${i}`;
    const many = Array.from({ length: 100 }, (_, i) => ({ ...wide('w', 1, 1), address: address(i) }));

    const analysis = analyzePlan(planText({ resource_changes: many, output_changes: outputs }));

    expect(Buffer.byteLength(JSON.stringify(analysis))).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    expect(analysis).toMatchObject({ output_changes: [], changes_total: 100, changes_truncated: true });
    expect(analysis.changes.length).toBeGreaterThan(50);
  });

  test('a result within the limit is unchanged', () => {
    const analysis = analyzePlan(planText({ resource_changes: [wide('a', 5, 5)] }));
    const before = structuredClone(analysis);

    fitResult(analysis);

    expect(analysis).toEqual(before);
  });
});

function diff(more: Partial<AttributeDiff>): AttributeDiff {
  return {
    path: 'p',
    path_segments: ['p'],
    op: 'update',
    before: 1,
    after: 2,
    before_sensitive: false,
    after_sensitive: false,
    after_unknown: false,
    forces_replacement: false,
    direction: 'neutral',
    noise: 'novel',
    truncated: false,
    ...more,
  };
}
