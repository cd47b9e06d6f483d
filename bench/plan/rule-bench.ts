import { analyzePlan, builtinCatalog } from '../../engine/index.ts';
import { compileRules, type NoiseRuleConfig, type OrgRules, type RiskRuleConfig } from '../../engine/rules/index.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { measureCpuMs } from '../lib/time.ts';
import { generatePlanText } from './plan-generator.ts';

const RESOURCES_5_MB = 750;
const MANY_CHANGES = 10_000;
const MAX_MS = 1500;
const MAX_GROWTH = 1.3;
const ROUNDS = 9;
/** Rounds until V8 has compiled the code. */
const WARM_UP = 3;
/** Each side pays for its own garbage collection. */
const IN_A_ROW = 5;

/** P7: a very large plan. P8: the cost of an organization's own rules, and how it grows. */
export async function benchRules(): Promise<BenchRow[]> {
  return [benchManyChanges(), ...benchOwnRules()];
}

function benchManyChanges(): BenchRow {
  const bytes = Buffer.from(generatePlanText(MANY_CHANGES));
  const times = Array.from({ length: 3 }, () => measureCpuMs(() => analyzePlan(bytes)));
  const measured = computeMedian(times);
  return {
    id: 'P7',
    what: `plan of ${MANY_CHANGES} resources, ${(bytes.length / 1e6).toFixed(0)} MB`,
    limit: MAX_MS,
    measured,
    unit: 'ms',
    goal: `≤ ${MAX_MS} ms CPU`,
    passed: measured <= MAX_MS,
  };
}

function benchOwnRules(): BenchRow[] {
  const bytes = Buffer.from(generatePlanText(RESOURCES_5_MB));
  const [none, hundred, thousand] = [0, 100, 1000].map((count) => makeRules(count)) as [OrgRules, OrgRules, OrgRules];
  const times: [number[], number[], number[]] = [[], [], []];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    [none, hundred, thousand].forEach((rules, i) => {
      const time = measureCpuMs(() => {
        for (let k = 0; k < IN_A_ROW; k += 1) analyzePlan(bytes, { book: compileRules(rules, CONTEXT) });
      });
      if (round >= 0) times[i]?.push(time / IN_A_ROW);
    });
  }
  const [plain, some, many] = times.map(computeMedian) as [number, number, number];
  return [
    toRatioRow({
      id: 'P8',
      what: '1,000 rules of an organization, most of them for other resource types',
      ratio: many / some,
      limit: MAX_GROWTH,
      comparison: 'the time with 100',
      note: `${plain.toFixed(0)} ms without rules, ${some.toFixed(0)} with 100, ${many.toFixed(0)} with 1,000`,
    }),
  ];
}

const CONTEXT = { repo: 'acme/shop', branch: 'main', now: new Date('2026-01-01T00:00:00Z') };
/** Every type in the catalog: a large organization has rules for many types, and a plan uses few of them. */
const { risk_iam_types, risk_network_types, risk_security_types, risk_stateful_types } = builtinCatalog(null);
const TYPES = [...risk_iam_types, ...risk_network_types, ...risk_security_types, ...risk_stateful_types];

/** A typical mix: most rules match one type, some match part of the tree or every type, half have a condition. */
function makeRules(count: number): OrgRules {
  const buildMatch = (i: number) => {
    if (i % 5 === 0) return { addresses: [`module.team_${i}.**`] };
    return { resource_types: [i === 1 ? '*' : (TYPES[(i * 37) % TYPES.length] ?? '*')] };
  };
  const buildConditions = (i: number) =>
    i % 2 === 0 ? [] : [{ path: 'tags.*', op: 'matches' as const, value: `^team-${i}-[a-z]+$` }];
  const noise = (i: number): NoiseRuleConfig => ({
    version: 1,
    match: buildMatch(i),
    when: buildConditions(i),
    attributes: [`tags.key_${i}`, 'desired_*'],
    severity: 'harmless',
  });
  const risk = (i: number): RiskRuleConfig => ({
    version: 1,
    match: buildMatch(i),
    when: [...buildConditions(i), { path: `name_${i}`, op: 'exists' }],
    effect: 'raise',
    level: 'high',
    message: 'Look twice.',
  });
  const numbers = Array.from({ length: count / 2 }, (_, i) => i);
  return {
    noise_rules: numbers.map((i) => ({ id: `n${i}`, config: noise(i) })),
    risk_rules: numbers.map((i) => ({ id: `r${i}`, name: `r${i}`, config: risk(i) })),
    disabled: { noise: [], risk: [] },
    suppressions: [],
    owners: [],
    policy: { version: 0, rules: [] },
  };
}
