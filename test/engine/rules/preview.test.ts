import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { analyzePlan, type PlanAnalysis } from '../../../engine/index.ts';
import { compileRules, type OrgRules, previewRules, type RunContext } from '../../../engine/rules/index.ts';
import { writePlans } from '../../score/make/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpa-preview-'));
writePlans(folder);
const PLANS = readdirSync(folder)
  .filter((name, i) => name.endsWith('.json') && i % 3 === 0)
  .map((name) => readFileSync(join(folder, name)));
afterAll(() => rmSync(folder, { recursive: true }));

const CONTEXT: RunContext = { repo: 'acme/shop', branch: 'main', now: new Date('2026-05-01T12:00:00Z') };
const NOTHING: OrgRules = {
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  suppressions: [],
  owners: [],
  policy: { version: 0, rules: [] },
};

const SETS: [string, Partial<OrgRules>][] = [
  [
    'risk rules',
    {
      risk_rules: [
        aRiskRule('raise', 'high', { match: { categories: ['network'] } }),
        aRiskRule('cap', 'low', { match: { actions: ['create', 'update'] } }),
        aRiskRule('raise', 'critical', { match: {}, when: [{ path: 'tags.*', op: 'changed' }] }),
      ],
    },
  ],
  [
    'noise rules',
    {
      noise_rules: [
        { id: 'lambda', config: { version: 1, match: { resource_types: ['*_function*'] }, severity: 'harmless' } },
        { id: 'gcp', config: { version: 1, match: { providers: ['gcp'] }, attributes: ['**'], severity: 'harmless' } },
        {
          id: 'any',
          config: {
            version: 1,
            match: { providers: ['aws'] },
            attributes: ['desired_*', 'description'],
            attributes_mode: 'any',
            severity: 'warning',
          },
        },
      ],
    },
  ],
  [
    'a policy',
    {
      policy: {
        version: 3,
        rules: [
          aPolicyRule('all', 'cap', 'medium', { match: {} }),
          aPolicyRule('deletes', 'set', 'critical', { match: { actions: ['delete'] } }),
          aPolicyRule('iam', 'raise', 'high', { match: { categories: ['iam'], not: { providers: ['gcp'] } } }),
          aPolicyRule('elsewhere', 'set', 'none', { match: { repos: ['acme/other'] } }),
        ],
      },
    },
  ],
];

function aRiskRule(
  effect: 'raise' | 'cap',
  level: 'low' | 'high' | 'critical',
  condition: Pick<OrgRules['risk_rules'][number]['config'], 'match' | 'when'>,
): OrgRules['risk_rules'][number] {
  return { id: `${effect} ${level}`, name: effect, config: { version: 1, ...condition, effect, level, message: 'x' } };
}

function aPolicyRule(
  id: string,
  effect: 'raise' | 'cap' | 'set',
  level: 'none' | 'medium' | 'high' | 'critical',
  condition: Pick<OrgRules['policy']['rules'][number], 'match'>,
): OrgRules['policy']['rules'][number] {
  return { id, name: id, enabled: true, ...condition, effect, level, reason: 'x' };
}

const entry = (type: string) => ({
  ...{ address: `${type}.x`, mode: 'managed', type, name: 'x' },
  change: { actions: ['delete'], before: { id: 'x' }, after: null, after_unknown: {} },
});

const analyze = (plan: Buffer, rules: OrgRules): PlanAnalysis =>
  // Stored results have been serialized as JSON.
  JSON.parse(JSON.stringify(analyzePlan(plan, { book: compileRules(rules, CONTEXT) })));

const describeLevels = ({ changes }: PlanAnalysis) =>
  changes.map(({ address, risk }) => `${address} ${risk.level}`).sort();

describe('a preview', () => {
  test.each(SETS)('of a stored analysis equals an analysis with %s', (_name, some) => {
    const rules = { ...NOTHING, ...some };
    let differing = 0;
    for (const plan of PLANS) {
      const stored = analyze(plan, NOTHING);
      const judged = analyze(plan, rules);

      const preview = previewRules(stored, rules, CONTEXT);

      const after = new Map(preview.changed.map(({ address, after }) => [address, after]));
      const expected = stored.changes
        .map(({ address, risk }) => `${address} ${after.get(address) ?? risk.level}`)
        .sort();
      expect(expected).toEqual(describeLevels(judged));
      expect([preview.before, preview.after]).toEqual([stored.risk_level, judged.risk_level]);
      if (preview.changed.length > 0) differing += 1;
    }
    expect(differing).toBeGreaterThan(2);
  });

  test.each([
    ['a failed check', { checks: [{ address: { to_display: 'check.a' }, status: 'fail', instances: [] }] }],
    [
      'an action',
      { action_invocations: [{ address: 'action.x.y', type: 'aws_ec2_stop_instance', config_values: {} }] },
    ],
    [
      'a secret in an output',
      { output_changes: { db_password: { actions: ['create'], before: null, after: 'x8Tq-2Lm' } } },
    ],
    [
      'a deferred deletion',
      { deferred_changes: [{ reason: 'provider_config_unknown', resource_change: entry('aws_db_instance') }] },
    ],
  ])('keeps the level of %s when rules lower every change', (_what, members) => {
    const policy = { version: 1, rules: [aPolicyRule('all', 'set', 'none', { match: {} })] };
    const plan = { format_version: '1.2', resource_changes: [entry('aws_sqs_queue')], ...members };
    const text = Buffer.from(JSON.stringify(plan));
    const stored = analyze(text, NOTHING);
    const judged = analyze(text, { ...NOTHING, policy });

    const preview = previewRules(stored, { ...NOTHING, policy }, CONTEXT);

    expect(judged.changes[0]?.risk.level).toBe('none');
    expect(['medium', 'high', 'critical']).toContain(judged.risk_level);
    expect(preview.after).toBe(judged.risk_level);
  });

  test.each(SETS)('of an analysis with %s equals an analysis without it', (_name, some) => {
    for (const plan of PLANS) {
      const preview = previewRules(analyze(plan, { ...NOTHING, ...some }), NOTHING, CONTEXT);
      const plain = analyze(plan, NOTHING);
      if ('noise_rules' in some) continue;
      expect(preview.after).toBe(plain.risk_level);
    }
  });
});
