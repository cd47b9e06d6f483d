import { describe, expect, test } from '@jest/globals';
import {
  compileRules,
  type NoiseRuleConfig,
  type OrgRules,
  type Parsed,
  parseNoiseConfig,
  parsePolicyRules,
  parseRiskConfig,
} from '../../../engine/rules/index.ts';
import { makeChange, RUN } from './changes.ts';

const NOTHING: OrgRules = {
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  suppressions: [],
  owners: [],
  policy: { version: 0, rules: [] },
};

function accepted<T>(parsed: Parsed<T>): T {
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}

describe('a noise rule for attributes managed by an autoscaler', () => {
  const config = accepted<NoiseRuleConfig>(
    parseNoiseConfig({
      version: 1,
      match: { resource_types: ['aws_autoscaling_group'], actions: ['update'] },
      attributes: ['desired_capacity'],
      attributes_mode: 'only',
      severity: 'harmless',
    }),
  );
  const book = compileRules({ ...NOTHING, noise_rules: [{ id: 'n1', config }] }, RUN);
  const change = makeChange(
    { before: { desired_capacity: 3, max_size: 5 }, after: { desired_capacity: 4, max_size: 6 } },
    { type: 'aws_autoscaling_group' },
  );

  test('matches only the capacity', () => {
    const [rule] = book.noiseRules(change);

    expect(rule).toMatchObject({ id: 'n1', severity: 'harmless', only: true });
    expect(change.diffs.map((diff) => [diff.path, rule?.covers(diff)])).toEqual([
      ['desired_capacity', true],
      ['max_size', false],
    ]);
  });

  test('does not match other types and actions', () => {
    const other = makeChange({ before: { desired_capacity: 3 }, after: { desired_capacity: 4 } });
    const deleted = makeChange({ actions: ['delete'], before: {}, after: null }, { type: 'aws_autoscaling_group' });

    expect(book.noiseRules(other)).toEqual([]);
    expect(book.noiseRules(deleted)).toEqual([]);
  });
});

describe('a risk rule for databases that become public', () => {
  const config = accepted(
    parseRiskConfig({
      version: 1,
      match: { resource_types: ['aws_db_*'], addresses: ['module.live.**'] },
      when: [{ path: 'publicly_accessible', op: 'became', value: ['*', true] }],
      effect: 'raise',
      level: 'critical',
      message: 'Live databases stay private.',
    }),
  );
  const book = compileRules({ ...NOTHING, risk_rules: [{ id: 'r1', name: 'No public databases', config }] }, RUN);
  const entry = { type: 'aws_db_instance', module_address: 'module.live' };

  test('raises the level and names the attribute', () => {
    const opened = makeChange({ before: { publicly_accessible: false }, after: { publicly_accessible: true } }, entry);

    expect(book.riskRules(opened)).toEqual([
      {
        id: 'r1',
        name: 'No public databases',
        effect: 'raise',
        level: 'critical',
        message: 'Live databases stay private.',
        path: 'publicly_accessible',
      },
    ]);
  });

  test('matches a database that is created public', () => {
    const created = makeChange({ actions: ['create'], before: null, after: { publicly_accessible: true } }, entry);

    expect(book.riskRules(created)).toHaveLength(1);
  });

  test('does not match a database that was already public, nor another module', () => {
    const still = makeChange(
      { before: { publicly_accessible: true, size: 1 }, after: { publicly_accessible: true, size: 2 } },
      entry,
    );
    const elsewhere = makeChange(
      { before: { publicly_accessible: false }, after: { publicly_accessible: true } },
      { ...entry, module_address: 'module.lab' },
    );

    expect(book.riskRules(still)).toEqual([]);
    expect(book.riskRules(elsewhere)).toEqual([]);
  });
});

describe('a policy that freezes names', () => {
  const rules = accepted(
    parsePolicyRules([
      {
        id: 'freeze-names',
        name: 'Freeze of names',
        enabled: true,
        match: { resource_types: ['aws_route53_*', 'google_dns_*'], actions: ['delete', 'replace'] },
        effect: 'block',
        reason: 'Nobody is there to help.',
        expires_at: '2026-11-21T12:00:01Z',
      },
      {
        id: 'calm',
        name: 'Calm',
        enabled: false,
        match: {},
        effect: 'set',
        level: 'none',
        reason: 'Switched off.',
      },
    ]),
  );
  const deleted = makeChange(
    { actions: ['delete'], before: { name: 'a' }, after: null },
    { type: 'aws_route53_record' },
  );

  test('blocks until it expires', () => {
    const book = compileRules({ ...NOTHING, policy: { version: 3, rules } }, RUN);

    expect(book.policy_version).toBe(3);
    expect(book.policyRules(deleted)).toEqual([
      {
        id: 'freeze-names',
        name: 'Freeze of names',
        effect: 'block',
        level: null,
        reason: 'Nobody is there to help.',
        path: null,
      },
    ]);
  });

  test('expires exactly at its end time', () => {
    const now = new Date('2026-11-21T12:00:01Z');
    const book = compileRules({ ...NOTHING, policy: { version: 3, rules } }, { ...RUN, now });

    expect(book.policyRules(deleted)).toEqual([]);
  });
});
