import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addCounts, countByLevel, formatActionCounts, partitionChanges } from '../../../engine/model/counts.ts';
import type { Change, PlanAnalysis } from '../../../engine/model/result.ts';
import { RISK_LEVELS } from '../../../engine/model/result.ts';
import { writeNarrative } from '../../../engine/narrative/narrative.ts';
import { renderText } from '../../../engine/render/text.ts';
import { renderMarkdown } from '../../../engine/review/render.ts';
import { aChange, aDelete, anAnalysis, aReplace } from '../render/builders.ts';

const changeArb: fc.Arbitrary<Change> = fc
  .record({
    make: fc.constantFrom(aChange, aDelete, aReplace),
    level: fc.constantFrom(...RISK_LEVELS),
    type: fc.constantFrom('aws_a', 'aws_b', 'aws_c', 'aws_d', 'aws_e'),
    is_noise: fc.boolean(),
    reverts: fc.boolean(),
  })
  .map(({ make, level, type, is_noise, reverts }) => {
    const reverts_drift = reverts ? { kind: 'revert' as const, paths: ['tags.a'], paths_total: 1 } : null;
    const change = make('a.b', { level, type, reverts_drift });
    if (is_noise && make === aChange) change.noise.classification = 'known_benign';
    return change;
  });

/** An analysis of any size that lists some of its changes, riskiest first, and counts all of them. */
const analysisArb: fc.Arbitrary<PlanAnalysis> = fc
  .tuple(fc.array(changeArb, { maxLength: 300 }), fc.nat({ max: 300 }))
  .map(([changes, listed]) => {
    const sorted = changes
      .toSorted((a, b) => RISK_LEVELS.indexOf(b.risk.level) - RISK_LEVELS.indexOf(a.risk.level))
      .map((change, i) => ({ ...change, address: `a.b[${i}]` }));
    const whole = anAnalysis(sorted);
    whole.plan_noise.known_benign = sorted.filter(({ noise }) => noise.classification === 'known_benign').length;
    return { ...whole, changes: sorted.slice(0, listed), changes_truncated: listed < sorted.length };
  });

const sum = (numbers: readonly (number | string | undefined)[]) =>
  numbers.reduce<number>((n, m) => n + Number(m ?? 0), 0);
const numbersIn = (text: string, pattern: RegExp) => sum([...text.matchAll(pattern)].map(([, count]) => count));

describe('the counts of every output format', () => {
  test('per action add up to the total', () => {
    fc.assert(
      fc.property(analysisArb, ({ summary }) => {
        const { destructive, others } = formatActionCounts(summary);
        expect(sum([...destructive, ...others].map((label) => Number.parseInt(label, 10)))).toBe(summary.total);
        const { high, low } = countByLevel(summary);
        expect(high + low).toBe(summary.total);
        expect(addCounts([summary, summary]).total).toBe(2 * summary.total);
      }),
    );
  });

  test('per list add up to the total', () => {
    fc.assert(
      fc.property(analysisArb, (analysis) => {
        const { review, others, noise, noise_unlisted, destroyed_unlisted, unlisted } = partitionChanges(analysis);
        const counts = [review.length, others.length, noise.length, noise_unlisted, destroyed_unlisted, unlisted];
        expect(counts.every((count) => count >= 0)).toBe(true);
        expect(sum(counts)).toBe(analysis.changes_total);
      }),
    );
  });

  test('in the narrative add up to the total', () => {
    fc.assert(
      fc.property(analysisArb, (analysis) => {
        const text = writeNarrative(analysis);
        const named = text.match(/^- `a\.b\[\d+\]`: (?:update|delete|replace)/gm)?.length ?? 0;
        const more = numbersIn(text, /^- and (\d+) more of level medium or above$/gm);
        const counted = numbersIn(text, /^(\d+) changes? (?:is|are) of level medium or above\.$/gm);
        const low = text.includes('The other change is') ? 1 : numbersIn(text, /^The other (\d+) changes are/gm);
        const [, kinds = ''] = /^No change is of level medium or above: (.*)\.$/m.exec(text) ?? [];
        const by_kind = sum(kinds === '' ? [] : kinds.split(', ').map((kind) => Number.parseInt(kind, 10)));

        expect(named + more + counted + low + by_kind).toBe(analysis.summary.total);
      }),
    );
  });

  test('in the terminal view add up to the total: rows, omitted rows and noise', () => {
    fc.assert(
      fc.property(analysisArb, fc.integer({ min: 1, max: 400 }), (analysis, top) => {
        const text = renderText(analysis, { color: false, top });
        const titles = numbersIn(text, /^(?:Needs review|Other changes) \((\d+)\)$/gm);
        const rows = text.match(/^ {2}[-±~] (?:update|delete|replace) /gm)?.length ?? 0;
        const more = numbersIn(text, /^ {2}… and (\d+) more/gm);
        const rest = numbersIn(text, /^(\d+) more changes? of lower risk/gm);
        const noise = numbersIn(text, /^Ignored as noise: (\d+) of/gm);

        expect(titles + rest + noise).toBe(analysis.changes_total);
        expect(rows + more).toBe(titles);
      }),
    );
  });

  test('in the comment add up to the total: rows, noise and omitted rows', () => {
    fc.assert(
      fc.property(analysisArb, fc.integer({ min: 1, max: 60 }), (analysis, top) => {
        const text = renderMarkdown(analysis, { top });
        const rows = text.match(/^\| [^|]*(?:Critical|High|Medium|Low|None)[^|]* \| /gm)?.length ?? 0;
        const noise = numbersIn(text, /^<details><summary>Ignored as noise \((\d+)\)/gm);
        const [cut = ''] = /^Not shown here: .*$/m.exec(text) ?? [];
        const shown_noise = text.includes('<summary>Ignored as noise')
          ? 0
          : numbersIn(cut, /\+ (\d+) more ignored as noise/g);
        const left = numbersIn(cut, /\+ (\d+) more (?:destroyed|of level|of lower level|changes? of lower)/g);

        expect(rows + noise + shown_noise + left).toBe(analysis.changes_total);
      }),
    );
  });
});
