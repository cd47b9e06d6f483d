import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contains, parseCidr } from '../../../../../engine/lib/cidr.ts';
import { Coverage } from '../../../../../engine/risk/attributes/network/coverage.ts';
import { combine, findNewlyPublic, type Opening } from '../../../../../engine/risk/attributes/network/openings.ts';
import { StepBudget } from '../../../../../engine/risk/attributes/step-budget.ts';

const SOURCES = ['0.0.0.0/0', '10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '::/0', '2001:db8::/32', 'sg-1', 'sg-2'];

const opening: fc.Arbitrary<Opening> = fc
  .record({
    protocol: fc.constantFrom('tcp', 'udp', 'all'),
    from: fc.integer({ min: 1, max: 12 }),
    length: fc.integer({ min: 0, max: 6 }),
    label: fc.constantFrom(...SOURCES),
  })
  .map(({ protocol, from, length, label }) => {
    return { protocol, from, to: from + length, label, source: parseCidr(label) ?? null, path: [] };
  });

/** The reference implementation: compares each port with each opening. */
function isCovered({ protocol, source, label }: Opening, port: number, others: readonly Opening[]): boolean {
  return others.some((other) => {
    const holds = other.source && source ? contains(other.source, source) : other.label === label;
    return holds && (other.protocol === 'all' || other.protocol === protocol) && other.from <= port && port <= other.to;
  });
}

function plenty(): StepBudget {
  return new StepBudget(1_000_000);
}

describe('the coverage of a set of openings', () => {
  test('has gaps exactly at the ports that no opening covers', () => {
    fc.assert(
      fc.property(fc.array(opening, { maxLength: 12 }), opening, (others, one) => {
        const gaps = new Coverage(others, plenty()).findGaps(one);
        const ports = Array.from({ length: one.to - one.from + 1 }, (_, i) => one.from + i);

        const open = ports.filter((port) => gaps.some(([from, to]) => from <= port && port <= to));

        expect(open).toEqual(ports.filter((port) => !isCovered(one, port, others)));
      }),
    );
  });

  test('reports the whole opening as a gap when the step budget is exhausted', () => {
    const one: Opening = { protocol: 'tcp', from: 1, to: 9, source: null, label: 'sg-1', path: [] };
    const other = { ...one, to: 20 };

    expect(new Coverage([other], new StepBudget(0)).findGaps(one)).toEqual([[1, 9]]);
  });

  test('reports a management port after many other gaps', () => {
    const some = [1, 3, 5, 7, 9].map((port): Opening => {
      return { protocol: 'tcp', from: port, to: port, source: null, label: 'sg-1', path: [] };
    });
    const all: Opening = { protocol: 'tcp', from: 1, to: 30, source: null, label: 'sg-1', path: [] };

    expect(new Coverage(some, plenty()).findGaps(all)).toContainEqual([22, 22]);
  });

  test.each([1000, 2000])('compares %d rules with as many others in linear steps', (count) => {
    const rules = (shift: number) =>
      Array.from({ length: count }, (_, i): Opening => {
        return { protocol: 'tcp', from: 2 * i + shift, to: 2 * i + shift, source: null, label: 'sg-1', path: [] };
      });
    const steps = new StepBudget(10 * count);

    const covered = new Coverage(rules(0), steps);
    for (const rule of rules(1)) covered.findGaps(rule);

    expect(steps.exhausted).toBe(false);
  });
});

describe('combining sources with ports', () => {
  const ports = Array.from({ length: 30_000 }, (_, i) => [2 * i, 2 * i] as const);
  const sources = Array.from({ length: 30_000 }, (_, i) => {
    const label = `10.${(i >> 8) & 255}.${i & 255}.0/24`;
    return { source: parseCidr(label) ?? null, label, path: [] };
  });
  const internet = { source: parseCidr('0.0.0.0/0') ?? null, label: '0.0.0.0/0', path: [] };

  test('does not list every combination of a large rule', () => {
    expect(combine('tcp', ports, sources)).toHaveLength(sources.length);
  });

  test('lists every port of a source that is the whole internet', () => {
    const opened = findNewlyPublic([], combine('tcp', ports, [...sources, internet]));

    expect(opened).toHaveLength(ports.length);
  });

  test('yields estimated openings that cover nothing', () => {
    const [estimated] = combine('tcp', ports, sources);
    const one: Opening = { ...(estimated as Opening), from: 2, to: 2 };

    expect(new Coverage([estimated as Opening], plenty()).findGaps({ ...one, estimated: true })).toEqual([[2, 2]]);
  });
});
