import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from '../../../server/domains/compliance-packs/csv.ts';
import { artifactKey, packFilename } from '../../../server/domains/compliance-packs/names.ts';
import { clampPeriod, parsePeriod } from '../../../server/domains/compliance-packs/period.ts';
import { createRemediation } from '../../../server/domains/compliance-packs/remediation.ts';
import { nextWait } from '../../../server/domains/compliance-packs/retries.ts';
import type { Level } from '../../../server/domains/compliance-packs/types.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-03-01T12:00:00Z');
const period_start = new Date('2026-01-01T00:00:00Z');
const period_end = new Date('2026-02-01T00:00:00Z');

describe('a line of a CSV file', () => {
  test.each([
    [['a', 1, true, null, ['x', 'y']], 'a,1,true,,x y'],
    [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"'],
    [['=1', '+1', '-1', '@x', '\tx', '＝1', -1], "'=1,'+1,'-1,'@x,'\tx,'＝1,-1"],
    [['\n=1'], `"'\n=1"`],
  ])('has %j as %j', (cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`);
  });

  test('is read back as the same texts, none of which is a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
        const found = parseLine(csvLine(cells));

        expect(found.map((cell, place) => (cell === `'${cells[place]}` ? cell.slice(1) : cell))).toEqual(cells);
        expect(found.filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([]);
      }),
    );
  });
});

/** A reader of RFC 4180 that shares no code with the writer. */
function parseLine(line: string): string[] {
  const cells: string[] = [];
  let rest = line.slice(0, -2);
  for (;;) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/s.exec(rest);
    if (match === null) throw new Error(`not CSV: ${rest}`);
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return cells;
    rest = rest.slice(match[0].length);
  }
}

describe('the period of a request', () => {
  const parse = (start: string, end: string) => parsePeriod({ period_start: start, period_end: end }, NOW);

  test('can end up to a minute in the future, because clocks differ', () => {
    expect(parse('2026-02-01T00:00:00Z', '2026-03-01T12:01:00Z').period_end).toEqual(new Date('2026-03-01T12:01:00Z'));
    expect(() => parse('2026-02-01T00:00:00Z', '2026-03-01T12:01:00.001Z')).toThrow('in the future');
  });

  test('must not be empty or reversed', () => {
    expect(() => parse('2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z')).toThrow('is not before');
    expect(() => parse('2026-02-02T00:00:00Z', '2026-02-01T00:00:00Z')).toThrow('is not before');
  });

  test('starts where the window of the plan starts', () => {
    const earliest = new Date(NOW.getTime() - 30 * DAY_MS);

    expect(clampPeriod({ period_start, period_end: NOW }, 30, NOW).period_start).toEqual(earliest);
    expect(clampPeriod({ period_start, period_end: NOW }, null, NOW).period_start).toEqual(period_start);
    expect(() => clampPeriod({ period_start, period_end: earliest }, 30, NOW)).toThrow('choose a later period');
  });

  test('has at most 366 days', () => {
    const days = (count: number) => ({ period_start: new Date(NOW.getTime() - count * DAY_MS), period_end: NOW });

    expect(clampPeriod(days(366), null, NOW)).toEqual(days(366));
    expect(() => clampPeriod(days(366.001), null, NOW)).toThrow('longer than 366 days');
  });
});

describe('the time to resolution', () => {
  test('has the same numbers as a calculation over all findings at once', () => {
    const finding = fc.record({
      risk_level: fc.constantFrom<Level>('critical', 'high', 'medium', 'low', 'none'),
      opened_h: fc.integer({ min: -3_000, max: 743 }),
      open_h: fc.integer({ min: 1, max: 4_000 }),
      suppressed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(finding), (drawn) => {
        const findings = drawn.map(({ risk_level, opened_h, open_h, suppressed }) => {
          const first_detected_at = new Date(period_start.getTime() + opened_h * 3_600_000);
          const end = new Date(first_detected_at.getTime() + open_h * 3_600_000);
          const resolved_at = end >= period_start && end < period_end ? end : null;
          const status =
            resolved_at !== null ? ('resolved' as const) : suppressed ? ('suppressed' as const) : ('open' as const);
          return { risk_level, first_detected_at, resolved_at, status };
        });
        const remediation = createRemediation({ period_start, period_end });
        for (const one of findings) remediation.add(one);

        for (const row of remediation.rows()) {
          const ours = findings.filter((one) => one.risk_level === row.risk_level && one.status !== 'suppressed');
          const hours = (one: (typeof ours)[number]) =>
            ((one.resolved_at ?? period_end).getTime() - one.first_detected_at.getTime()) / 3_600_000;
          const resolved = ours.filter((one) => one.resolved_at !== null).map(hours);
          const in_target = resolved.filter((one) => one <= row.target_days * 24).length;
          expect(row).toEqual({
            risk_level: row.risk_level,
            target_days: { critical: 1, high: 7, medium: 30, low: 90, none: 0 }[row.risk_level],
            opened: ours.filter((one) => one.first_detected_at >= period_start).length,
            resolved: resolved.length,
            resolved_in_target: in_target,
            breached: resolved.length - in_target,
            open_breached: ours.filter((one) => one.resolved_at === null && hours(one) > row.target_days * 24).length,
            median_hours: median(resolved),
          });
        }
      }),
    );
  });

  function median(values: number[]): number | null {
    const sorted = [...values].sort((a, b) => a - b);
    if (sorted.length === 0) return null;
    return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
  }
});

test('attempts wait 30 seconds, 2 minutes and 10 minutes, each up to a fifth more or less', () => {
  expect([1, 2, 3, 4].map((attempts) => nextWait(attempts, 0.5))).toEqual([30_000, 120_000, 600_000, null]);
  expect([nextWait(1, 0), nextWait(1, 1)]).toEqual([24_000, 36_000]);
});

test('a pack is named by its organization and the UTC dates of its period', () => {
  const odd = { period_start: new Date('2025-12-31T23:59:59Z'), period_end };

  expect(packFilename('acme', odd)).toBe('compliance-pack-acme-2025-12-31_2026-02-01.zip');
  expect(artifactKey({ org_id: 'o', id: 'p', attempts: 2 })).toBe('packs/o/p/2.zip');
});
