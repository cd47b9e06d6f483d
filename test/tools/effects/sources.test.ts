import { describe, expect, test } from '@jest/globals';
import { parseDeclarations } from '../../../tools/effects/sources/declarations.ts';
import { addDocumentation, addMissing, matchResources } from '../../../tools/effects/sources/match.ts';
import { singularize, toSnakeCase } from '../../../tools/effects/sources/pulumi.ts';
import type { Argument, Block } from '../../../tools/effects/sources/types.ts';

describe('parseDeclarations', () => {
  test('reads properties with their comments and types', () => {
    const text = `
export interface BucketConfig {
    /**
    * Whether to encrypt.
    */
    readonly encrypted?: boolean | cdktf.IResolvable;
    readonly tags?: {
        [key: string]: string;
    };
}`;

    expect(parseDeclarations(text)).toEqual([
      {
        name: 'BucketConfig',
        members: [
          { name: 'encrypted', type: 'boolean | cdktf.IResolvable', comment: 'Whether to encrypt.' },
          { name: 'tags', type: '{ [key: string]: string; }', comment: '' },
        ],
      },
    ]);
  });

  test('puts the namespace before the name', () => {
    const text = 'export declare namespace rds {\n    interface InstanceLogs {\n        level: string;\n    }\n}';

    expect(parseDeclarations(text).map(({ name }) => name)).toEqual(['rds.InstanceLogs']);
  });
});

test.each([
  ['allocatedStorage', 'allocated_storage'],
  ['ipv6CidrBlock', 'ipv6_cidr_block'],
])('%s becomes %s', (camel, snake) => {
  expect(toSnakeCase(camel)).toBe(snake);
});

test.each([
  ['policies', 'policy'],
  ['addresses', 'address'],
  ['access', 'access'],
  ['rules', 'rule'],
])('the singular of %s is %s', (plural, singular) => {
  expect(singularize(plural)).toBe(singular);
});

describe('matchResources', () => {
  test('pairs a type with the resource of the same arguments, whatever its name', () => {
    const schema = new Map([['acme_db_instance', makeBlock('engine', 'storage', 'name')]]);
    const resources = [
      { token: 'rds/instance', block: makeBlock('engine', 'storage', 'name') },
      { token: 'ec2/instance', block: makeBlock('ami', 'name') },
    ];

    const matches = matchResources(schema, resources);

    expect(matches.map(({ type, token }) => `${type} ${token}`)).toEqual(['acme_db_instance rds/instance']);
  });

  test('pairs a known type with its resource, however different the arguments are', () => {
    const schema = new Map([['azurerm_private_dns_a_record', makeBlock('records')]]);
    const resources = ['aaaarecord', 'arecord'].map((name) => ({ token: `privatedns/${name}`, block: makeBlock('x') }));

    expect(matchResources(schema, resources).map(({ token }) => token)).toEqual(['privatedns/arecord']);
  });
});

describe('addDocumentation', () => {
  test('finds the argument under its plural and adds blocks that were open', () => {
    const to = makeBlock('rule');
    const rule: Argument = { name: 'rules', kind: 'block', doc: 'Rules.', block: makeBlock('action') };

    addDocumentation(to, new Map([['rules', rule]]));

    expect(to.get('rule')).toEqual({ name: 'rule', kind: 'block', doc: 'Rules.', block: rule.block });
  });
});

test('an older version adds only what the newer does not have', () => {
  const schema = new Map([['acme_x', makeBlock('name')]]);

  addMissing(
    schema,
    new Map([
      ['acme_x', makeBlock('name', 'old')],
      ['acme_y', makeBlock('name')],
    ]),
  );

  expect([...schema.keys()]).toEqual(['acme_x', 'acme_y']);
  expect([...schema.get('acme_x')!.keys()]).toEqual(['name', 'old']);
});

function makeBlock(...names: string[]): Block {
  return new Map(names.map((name) => [name, { name, kind: 'string' as const, doc: '' }]));
}
