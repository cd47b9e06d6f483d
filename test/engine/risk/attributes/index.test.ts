import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareLevels } from '../../../../engine/model/levels.ts';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { findAttributeReasons, isWatched } from '../../../../engine/risk/attributes/index.ts';
import { NO_OWNERSHIP } from '../../../../engine/risk/destinations/index.ts';
import { NO_LISTS } from '../../../../engine/risk/ordering/lists.ts';
import { NO_NEIGHBORS } from '../../../../engine/risk/relations/neighbors.ts';
import { NO_POWERS } from '../../../../engine/risk/relations/powers.ts';
import { NO_SELECTORS } from '../../../../engine/risk/relations/tags.ts';
import { buildChange, findings, judge } from './judging.ts';

const NO_FACTS = {
  accounts: new Set<string>(),
  destroyed: new Set<string>(),
  created: new Set<string>(),
  owned: NO_OWNERSHIP,
  ordered: NO_LISTS,
  neighbors: NO_NEIGHBORS,
  powers: NO_POWERS,
  selectors: NO_SELECTORS,
  publishes: false,
  unguarded: false,
};

describe('a value that is unknown until apply', () => {
  test.each<[string, 'create' | 'update', string, JsonObject, string | undefined]>([
    ['is medium for a watched setting on update', 'update', 'aws_db_instance', { kms_key_id: true }, 'medium'],
    [
      'gives no reason for any other attribute on update',
      'update',
      'aws_db_instance',
      { arn: true, address: true },
      undefined,
    ],
    [
      'gives no reason for a provider default on create',
      'create',
      'aws_db_instance',
      { kms_key_id: true, multi_az: true, engine_version: true },
      undefined,
    ],
    ['gives no reason for a computed policy on create', 'create', 'aws_kms_key', { policy: true }, undefined],
    [
      'gives no reason for the rules of a new group',
      'create',
      'aws_security_group',
      { ingress: true, egress: true },
      undefined,
    ],
    ['is medium for a policy document on create', 'create', 'aws_iam_policy', { policy: true }, 'medium'],
    ['is medium for an address list on create', 'create', 'aws_security_group_rule', { cidr_blocks: true }, 'medium'],
    [
      'is medium for one address of a list on create',
      'create',
      'aws_security_group_rule',
      { cidr_blocks: [true] },
      'medium',
    ],
    ['is medium for a principal on create', 'create', 'google_project_iam_member', { member: true }, 'medium'],
  ])('%s', (_, action, type, unknown, level) => {
    const sides = action === 'create' ? { after: {}, unknown } : { before: { kms_key_id: 'a' }, after: {}, unknown };
    expect(judge(action, type, sides)['R-UNKNOWN-WATCHED']).toBe(level);
  });
});

describe('a plain-text value', () => {
  test.each<[string, JsonObject, string | undefined]>([
    ['is high for a cloud key', { environment: [{ variables: { A: `AKIA${'ABCDEFGH23456723'}` } }] }, 'high'],
    [
      'is medium for a value that is named like a password',
      { environment: [{ variables: { DB_PASSWORD: 'hunter2' } }] },
      'medium',
    ],
    [
      'gives no reason for a reference by ARN',
      { environment: [{ variables: { DB_SECRET: 'arn:aws:secretsmanager:eu-west-1:1:secret:db' } }] },
      undefined,
    ],
    [
      'gives no reason for a reference by URL',
      { environment: [{ variables: { TOKEN: 'https://login.example.com/token' } }] },
      undefined,
    ],
    [
      'gives no reason for a reference by path',
      { environment: [{ variables: { API_KEY: '/run/secrets/api' } }] },
      undefined,
    ],
    ['gives no reason for a keyword of an API', { image_pull_credentials_type: 'SERVICE_ROLE' }, undefined],
    ['gives no reason for an empty string', { master_password: '' }, undefined],
    ['gives no reason for ordinary text', { description: 'nothing here' }, undefined],
  ])('%s', (_, after, level) => {
    expect(judge('create', 'aws_lambda_function', { after })['R-SEC-SECRETPLAIN']).toBe(level);
    expect(judge('update', 'aws_lambda_function', { before: {}, after })['R-SEC-SECRETPLAIN']).toBe(level);
    expect(
      judge('create', 'aws_lambda_function', { after, sensitive: { environment: true } })['R-SEC-SECRETPLAIN'],
    ).toBe(after.environment ? undefined : level);
  });

  test('does not appear in a message when it is a secret', () => {
    const { reasons } = findings('create', 'aws_lambda_function', {
      after: { environment: [{ variables: { DB_PASSWORD: 'hunter2' } }] },
    });
    expect(JSON.stringify(reasons)).not.toContain('hunter2');
  });
});

describe('isWatched', () => {
  test.each<[string, (string | number)[], boolean]>([
    ['aws_security_group', ['ingress', 0, 'cidr_blocks', 1], true],
    ['aws_security_group', ['ingress'], true],
    ['aws_security_group', ['tags', 'Name'], false],
    ['aws_security_group', ['ingress', 0, 'description'], false],
    ['aws_iam_policy', ['policy'], true],
    ['google_sql_database_instance', ['settings', 0, 'ip_configuration', 0, 'ipv4_enabled'], true],
    ['google_sql_database_instance', ['settings', 0, 'tier'], false],
    ['aws_s3_bucket_versioning', ['versioning_configuration', 0, 'status'], true],
    [
      'kubernetes_deployment',
      ['spec', 0, 'template', 0, 'spec', 0, 'container', 2, 'security_context', 0, 'privileged'],
      true,
    ],
    ['unheard_of', ['deletion_protection'], true],
    ['unheard_of', ['name'], false],
    ['aws_db_instance', [], false],
    ['__proto__', ['constructor'], false],
  ])('returns for %s %j: %p', (type, segments, expected) => {
    expect(isWatched(type, segments)).toBe(expected);
  });
});

describe('a change that does not modify the resource', () => {
  test.each([[['no-op']], [['read']], [['forget']]])('gives no reason for the actions %j', (actions) => {
    const change = buildChange('update', 'aws_db_instance', {
      before: { publicly_accessible: false },
      after: { publicly_accessible: true },
    });
    const still = { ...change, actions, action: actions[0] as 'no-op' };
    expect(findAttributeReasons(still, NO_FACTS)).toEqual({ reasons: [], weakening: null, judged: [] });
  });

  test('gives no reason for a data source', () => {
    const change = buildChange('update', 'aws_db_instance', {
      before: { publicly_accessible: false },
      after: { publicly_accessible: true },
    });
    expect(findAttributeReasons({ ...change, mode: 'data' }, NO_FACTS).reasons).toEqual([]);
  });
});

describe('the attribute rules', () => {
  const types = fc.constantFrom(
    'aws_security_group',
    'aws_iam_policy',
    'aws_db_instance',
    'google_compute_firewall',
    'azurerm_network_security_group',
    'google_project_iam_policy',
    'aws_wafv2_web_acl',
    'kubernetes_deployment',
    'aws_ecs_task_definition',
    'aws_route53_record',
    'x_y',
  );
  const keys = fc.constantFrom(
    'ingress',
    'policy',
    'engine_version',
    'source_ranges',
    'allow',
    'security_rule',
    'policy_data',
    'rule',
    'spec',
    'container_definitions',
    'records',
    'name',
    'type',
    'deletion_protection',
    '__proto__',
    'constructor',
  );
  const body = fc.dictionary(keys, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 8 }) as fc.Arbitrary<JsonObject>;

  test('never throw for values of any shape', () => {
    fc.assert(
      fc.property(
        types,
        body,
        body,
        fc.constantFrom('create', 'update', 'replace', 'delete' as const),
        (type, before, after, action) => {
          const { reasons } = findings(action, type, { before, after, unknown: after, sensitive: before });
          expect(new Set(reasons.map(({ rule_id }) => rule_id)).size).toBe(reasons.length);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('give no reason for a resource that does not change', () => {
    fc.assert(
      fc.property(types, body, (type, side) => {
        expect(judge('update', type, { before: side, after: side })).toEqual({});
      }),
    );
  });

  test('never lower the level when the source of a rule widens', () => {
    const group = (source: string, from: number, to: number, protocol: string) => ({
      ingress: [{ protocol, from_port: from, to_port: to, cidr_blocks: [source] }],
      egress: [],
    });
    const top = (source: string, port: readonly [number, number], protocol: string) => {
      const { reasons } = findings('update', 'aws_security_group', {
        before: group('10.1.2.0/28', ...port, protocol),
        after: group(source, ...port, protocol),
      });
      return reasons.reduce<'none' | (typeof reasons)[0]['level']>(
        (highest, { level }) => (compareLevels(level, highest) > 0 ? level : highest),
        'none',
      );
    };
    const ports = fc.tuple(fc.nat(65535), fc.nat(65535)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(
        ports,
        fc.constantFrom('tcp', 'udp', 'icmp', '-1', '50'),
        fc.integer({ min: 0, max: 28 }),
        fc.integer({ min: 0, max: 28 }),
        (port, protocol, a, b) => {
          const wide = top(`10.1.2.0/${Math.min(a, b)}`, port, protocol);
          const narrow = top(`10.1.2.0/${Math.max(a, b)}`, port, protocol);
          expect(compareLevels(wide, narrow)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test('give no reason when the rules of a group are reordered', () => {
    const entry = fc.record({
      protocol: fc.constantFrom('tcp', 'udp', '-1'),
      from_port: fc.constantFrom(22, 80, 443),
      to_port: fc.constantFrom(443, 6000),
      cidr_blocks: fc.uniqueArray(fc.constantFrom('0.0.0.0/0', '10.0.0.0/8', '192.168.0.0/16'), { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (ingress) => {
        const turned = ingress.map((rule) => ({ ...rule, cidr_blocks: [...rule.cidr_blocks].reverse() })).reverse();
        expect(judge('update', 'aws_security_group', { before: { ingress }, after: { ingress: turned } })).toEqual({});
      }),
    );
  });
});
