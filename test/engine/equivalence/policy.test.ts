import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSameDocument } from '../../../engine/equivalence/same-document.ts';
import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import { clone, respelled, type Speller, speller } from './policies.ts';

const isSame = (before: string, after: string) => isSameDocument(before, after, { kind: 'policy' });

const ACTIONS = ['s3:GetObject', 's3:PutObject', 'kms:Decrypt', 'sts:AssumeRole', 'sqs:SendMessage', 'ecr:GetImage'];
const PRINCIPALS: JsonValue[] = [
  '*',
  { AWS: '*' },
  { AWS: ['111122223333', 'arn:aws:iam::444455556666:role/Deploy'] },
  { Service: ['sns.amazonaws.com', 'events.amazonaws.com'] },
  { AWS: ['111122223333'], Service: ['ecs-tasks.amazonaws.com'] },
];
const CONDITIONS: JsonObject[] = [
  { Bool: { 'aws:SecureTransport': 'false' } },
  { StringEquals: { 'aws:SourceAccount': ['111122223333', '444455556666'] } },
  { IpAddress: { 'aws:SourceIp': ['10.0.0.0/8', '192.0.2.0/24'] }, NumericLessThan: { 's3:max-keys': 10 } },
];

const texts = fc.uniqueArray(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 4 });
const statements = fc
  .record(
    {
      Effect: fc.constantFrom('Allow', 'Deny'),
      Action: texts,
      Resource: fc.uniqueArray(fc.constantFrom('arn:aws:s3:::data', 'arn:aws:s3:::Logs/*', 'arn:aws:s3:::logs/*'), {
        minLength: 1,
      }),
      Principal: fc.constantFrom(...PRINCIPALS),
      Condition: fc.constantFrom(...CONDITIONS),
    },
    { requiredKeys: ['Effect', 'Action', 'Resource'] },
  )
  .map((statement) => ({ ...statement }) as unknown as JsonObject);

/** All statements of a policy differ, with or without a Sid. */
const policies = fc
  .tuple(fc.array(statements, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([list, named]): JsonObject => {
    const Statement = list.map((statement, i) => {
      const own = clone(statement);
      // Statements with the same actions could be merged.
      (own['Resource'] as JsonValue[]).push(`arn:aws:s3:::own-${i}`);
      (own['Action'] as JsonValue[]).push(`own:Action${i}`);
      return named ? { Sid: `Statement${i}`, ...own } : own;
    });
    return { Version: '2012-10-17', Statement };
  });

type Edit = (policy: JsonObject, statement: JsonObject, pick: number) => boolean;

/** Each edit changes the meaning of a policy, or returns false if it does not apply. */
const EDITS: [string, Edit][] = [
  ['another version', (policy) => put(policy, 'Version', '2008-10-17')],
  ['no version', (policy) => delete policy['Version']],
  ['an id', (policy) => put(policy, 'Id', 'policy-1')],
  ['another effect', (_, statement) => put(statement, 'Effect', statement['Effect'] === 'Allow' ? 'Deny' : 'Allow')],
  ['an action more', (_, statement) => list(statement, 'Action').push('iam:PassRole') > 0],
  ['a wildcard for an action', (_, statement, pick) => widen(list(statement, 'Action'), pick)],
  ['an action less', (_, statement) => shorten(list(statement, 'Action'))],
  ['a resource more', (_, statement) => list(statement, 'Resource').push('arn:aws:s3:::secrets/*') > 0],
  ['a resource in another case', (_, statement) => list(statement, 'Resource').push('arn:aws:s3:::OWN-0') > 0],
  ['a resource less', (_, statement) => shorten(list(statement, 'Resource'))],
  ['NotAction for Action', (_, statement) => rename(statement, 'Action', 'NotAction')],
  ['NotResource for Resource', (_, statement) => rename(statement, 'Resource', 'NotResource')],
  ['NotPrincipal for Principal', (_, statement) => rename(statement, 'Principal', 'NotPrincipal')],
  ['everyone instead of every account, or back', (_, statement) => swapEveryone(statement)],
  ['a principal more', (_, statement) => addPrincipal(statement)],
  ['no principal', (_, statement) => 'Principal' in statement && delete statement['Principal']],
  ['no condition', (_, statement) => 'Condition' in statement && delete statement['Condition']],
  ['an emptied condition', (_, statement) => 'Condition' in statement && put(statement, 'Condition', {})],
  ['another operator', (_, statement) => renameFirst(statement['Condition'], 'StringNotEquals')],
  ['another condition key', (_, statement) => renameFirst(readFirst(statement['Condition']), 'aws:username')],
  ['another condition value', (_, statement) => changeFirst(readFirst(statement['Condition']), ['10.0.0.0/7'])],
  ['a statement more', (policy, statement) => list(policy, 'Statement').push({ ...statement, Resource: 'new' }) > 0],
  ['a statement less', (policy, _, pick) => list(policy, 'Statement').splice(pick, 1).length > 0],
];

describe('two AWS access policies', () => {
  test('are equal in any equivalent order and format', () => {
    fc.assert(
      fc.property(policies, speller, speller, (policy, one: Speller, other: Speller) =>
        isSame(respelled(policy, one), respelled(policy, other)),
      ),
      { numRuns: 300 },
    );
  });

  test.each(EDITS)('are never equal after the edit "%s", in any format', (_what, edit) => {
    let edited = 0;
    fc.assert(
      fc.property(policies, fc.nat(3), speller, speller, (policy, pick, one: Speller, other: Speller) => {
        const after = clone(policy);
        const statement = list(after, 'Statement')[pick % list(after, 'Statement').length] as JsonObject;
        const at = list(after, 'Statement').indexOf(statement);
        if (!edit(after, statement, at)) return true;
        edited += 1;
        return !isSame(respelled(policy, one), respelled(after, other));
      }),
      { numRuns: 100 },
    );
    expect(edited).toBeGreaterThan(5);
  });

  test.each<[string, JsonValue, JsonValue]>([
    ['an empty name and none', { Sid: '', Effect: 'Allow' }, { Effect: 'Allow' }],
    ['another name of a statement', { Sid: 'Read', Effect: 'Allow' }, { Sid: 'AllowRead', Effect: 'Allow' }],
    ['an empty condition and none', { Effect: 'Allow', Condition: {} }, { Effect: 'Allow' }],
    ['an action that a wildcard covers', allow(['s3:Get*', 's3:GetObject'], 'a'), allow('s3:Get*', 'a')],
    [
      'two statements and one',
      [allow('s3:GetObject', 'a'), allow('s3:GetObject', 'b')],
      allow('s3:GetObject', ['a', 'b']),
    ],
    [
      'principals of one statement in two',
      assume({ Service: ['ec2.amazonaws.com', 'lambda.amazonaws.com'] }),
      [assume({ Service: 'lambda.amazonaws.com' }), assume({ Service: 'ec2.amazonaws.com' })],
    ],
    [
      'two operators for ARNs',
      { Condition: { ArnEquals: { 'aws:SourceArn': 'a' } } },
      { Condition: { ArnLike: { 'aws:SourceArn': 'a' } } },
    ],
    [
      'two operators for texts without wildcards',
      { Condition: { StringLike: { 'aws:x': 'a' } } },
      condition({ 'aws:x': 'a' }),
    ],
    ['an address and a block of one', fromAddress('192.0.2.1'), fromAddress('192.0.2.1/32')],
    ['one statement and a list of it', { Effect: 'Allow' }, [{ Effect: 'Allow' }]],
    ['a condition key in another case', condition({ 'AWS:sourceip': 'x' }), condition({ 'aws:SourceIp': 'x' })],
    ['true and its text', condition({ 'aws:SecureTransport': true }), condition({ 'aws:SecureTransport': 'true' })],
  ])('are equal for %s', (_what, before, after) => {
    expect(isSame(JSON.stringify({ Statement: before }), JSON.stringify({ Statement: after }))).toBe(true);
  });

  test.each<[string, JsonValue, JsonValue]>([
    ['a text with a wildcard', { Condition: { StringLike: { 'aws:x': 'a*' } } }, condition({ 'aws:x': 'a*' })],
    ['crossed actions and resources', [allow('a:x', '1'), allow('a:y', '2')], allow(['a:x', 'a:y'], ['1', '2'])],
    ['a wildcard in front', allow(['*:Get', 's3:Get'], 'a'), allow('*:Get', 'a')],
    ['principals of two kinds', assume({ AWS: 'a', Service: 'b' }), assume({ AWS: ['a', 'b'] })],
    ['a block that is wider', fromAddress('192.0.2.0/24'), fromAddress('192.0.2.0')],
    ['an effect that IAM does not know', { Effect: 'Allow' }, { Effect: 'allow' }],
    ['the key of a tag', condition({ 'aws:ResourceTag/Team': 'x' }), condition({ 'aws:ResourceTag/team': 'x' })],
    ['two keys and one', condition({ 'aws:A': '1', 'AWS:a': '2' }), condition({ 'aws:a': ['1', '2'] })],
    ['a letter that only looks like k', { Action: '\u212aMS:Decrypt' }, { Action: 'KMS:Decrypt' }],
    ['the id of a role and its ARN', aws('AROAEXAMPLEID'), aws('arn:aws:iam::111122223333:role/r')],
    ['an account and its user', aws('111122223333'), aws('arn:aws:iam::111122223333:user/root')],
    ['accounts in other sets', { Resource: '111122223333' }, { Resource: 'arn:aws:iam::111122223333:root' }],
  ])('are different for %s', (_what, before, after) => {
    expect(isSame(JSON.stringify({ Statement: before }), JSON.stringify({ Statement: after }))).toBe(false);
  });

  test.each([
    ['arn:aws-cn:s3:::b', 'arn:aws-cn:iam::111122223333:root', true],
    ['arn:aws:s3:::b', 'arn:aws-cn:iam::111122223333:root', false],
    ['arn:aws-us-gov:s3:::b', 'arn:aws:iam::111122223333:root', false],
    ['*', 'arn:aws:iam::111122223333:root', true],
  ])('next to %s, account id and root ARN are equal in that partition: %s, %s', (Resource, root, expected) => {
    const before = JSON.stringify({ Statement: { Resource, Principal: { AWS: '111122223333' } } });
    const after = JSON.stringify({ Statement: { Resource, Principal: { AWS: root } } });

    expect(isSame(before, after)).toBe(expected);
  });

  test('the root user of one partition is not the root user of another', () => {
    const statement = (partition: string) =>
      JSON.stringify({ Statement: aws(`arn:${partition}:iam::111122223333:root`) });

    expect(isSame(statement('aws'), statement('aws-cn'))).toBe(false);
  });
});

function allow(Action: JsonValue, Resource: JsonValue): JsonObject {
  return { Effect: 'Allow', Action, Resource };
}

function assume(Principal: JsonValue): JsonObject {
  return { Effect: 'Allow', Action: 'sts:AssumeRole', Principal };
}

function fromAddress(address: string): JsonObject {
  return { Condition: { IpAddress: { 'aws:SourceIp': address } } };
}

function put(object: JsonObject, name: string, value: JsonValue): boolean {
  object[name] = value;
  return true;
}

function list(object: JsonObject, name: string): JsonValue[] {
  return object[name] as JsonValue[];
}

function shorten(items: JsonValue[]): boolean {
  return items.length > 1 && items.shift() !== undefined;
}

function widen(items: JsonValue[], pick: number): boolean {
  const at = pick % items.length;
  items[at] = `${String(items[at]).split(':')[0]}:*`;
  return true;
}

function rename(object: JsonObject, from: string, to: string): boolean {
  if (object[from] === undefined) return false;
  object[to] = object[from];
  return delete object[from];
}

function swapEveryone(statement: JsonObject): boolean {
  const principal = statement['Principal'];
  if (principal === '*') return put(statement, 'Principal', { AWS: '*' });
  return JSON.stringify(principal) === '{"AWS":"*"}' && put(statement, 'Principal', '*');
}

function addPrincipal(statement: JsonObject): boolean {
  const principal = statement['Principal'] as JsonObject | string | undefined;
  if (principal === undefined || typeof principal === 'string') return false;
  const accounts = principal['AWS'] ?? [];
  return put(principal, 'AWS', [...(Array.isArray(accounts) ? accounts : [accounts]), '777788889999']);
}

function readFirst(value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined ? undefined : Object.values(value as JsonObject)[0];
}

function renameFirst(value: JsonValue | undefined, to: string): boolean {
  return value !== undefined && rename(value as JsonObject, Object.keys(value as JsonObject)[0] as string, to);
}

function changeFirst(value: JsonValue | undefined, to: JsonValue): boolean {
  return value !== undefined && put(value as JsonObject, Object.keys(value as JsonObject)[0] as string, to);
}

function condition(keys: JsonObject): JsonValue {
  return { Condition: { StringEquals: keys } };
}

function aws(principal: string): JsonValue {
  return { Principal: { AWS: principal } };
}
