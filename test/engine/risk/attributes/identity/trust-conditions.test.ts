import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { judgePlan } from '../../plans.ts';

const policy = (...statements: JsonObject[]) => JSON.stringify({ Statement: statements });
const read = (condition: JsonObject) => ({
  Effect: 'Allow',
  Principal: '*',
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::b/*',
  Condition: condition,
});
const findLevel = (condition: JsonObject) =>
  judgePlan([
    ['aws_s3_bucket_policy', { bucket: 'b', policy: policy() }, { bucket: 'b', policy: policy(read(condition)) }],
  ]).level;

describe('conditions of public statements', () => {
  test.each<[JsonObject]>([
    [{ StringLike: { 'aws:Referer': '*' } }],
    [{ StringLike: { 'aws:Referer': 'https://acme.io/*' } }],
    [{ StringEquals: { 'aws:UserAgent': 'acme' } }],
    [{ IpAddress: { 'aws:SourceIp': '0.0.0.0/0' } }],
    [{ NotIpAddress: { 'aws:SourceIp': '192.0.2.1/32' } }],
    [{ StringLike: { 'aws:PrincipalArn': '*' } }],
    [{ StringEqualsIfExists: { 'aws:PrincipalOrgID': 'o-1' } }],
    [{ DateGreaterThan: { 'aws:CurrentTime': '2020-01-01T00:00:00Z' } }],
  ])('%j restricts nobody', (condition) => {
    expect(findLevel(condition)).toBe('high');
  });

  test.each<[JsonObject]>([
    [{ StringEquals: { 'aws:PrincipalOrgID': 'o-1' } }],
    [{ StringEquals: { 'aws:SourceVpce': 'vpce-1' } }],
    [{ IpAddress: { 'aws:SourceIp': '203.0.113.0/24' } }],
    [{ ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::111122223333:role/x' } }],
  ])('%j restricts the callers', (condition) => {
    expect(findLevel(condition)).toBe('medium');
  });
});

describe('exemptions of denials', () => {
  const deny = (...exempted: string[]) => ({
    content: policy({
      Effect: 'Deny',
      Action: ['cloudtrail:StopLogging'],
      Resource: '*',
      Condition: { ArnNotLike: { 'aws:PrincipalArn': exempted } },
    }),
  });
  const listRules = (before: JsonObject, after: JsonObject) =>
    judgePlan([['aws_organizations_policy', before, after]]).rules;
  const role = 'arn:aws:iam::*:role/BreakGlass';

  test.each([
    ['the path of the role', deny(role), deny('arn:aws:iam::*:role/ops/BreakGlass')],
    ['one account', deny(role), deny('arn:aws:iam::111122223333:role/BreakGlass')],
    ['fewer roles', deny(role, 'arn:aws:iam::*:role/Other'), deny(role)],
  ])('that are bound to %s are no lost denial', (_, before, after) => {
    expect(listRules(before, after)).not.toContain('R-IAM-CONDITION');
  });

  test.each([
    ['every role', deny(role), deny('arn:aws:iam::*:role/*')],
    ['another role', deny(role), deny('arn:aws:iam::*:role/Developer')],
    ['one more role', deny(role), deny(role, 'arn:aws:iam::*:role/Developer')],
  ])('that cover %s are a lost denial', (_, before, after) => {
    expect(listRules(before, after)).toContain('R-IAM-CONDITION');
  });
});

describe('roles in their order', () => {
  const levelOfRole = (type: string, attribute: string, before: string, after: string) =>
    judgePlan([[type, { user: 'x', [attribute]: before }, { user: 'x', [attribute]: after }]]).level;

  test.each([
    ['acmecloud_project_member', 'role', 'viewer', 'owner', 'high'],
    ['acmecloud_team_access', 'access', 'read', 'admin', 'high'],
    ['acmecloud_group_share', 'group_access', 'guest', 'maintainer', 'medium'],
    ['acmecloud_org_user', 'org_role', 'Viewer', 'Editor', 'medium'],
    ['acmecloud_project_member', 'role', 'owner', 'viewer', 'low'],
    ['acmecloud_dashboard_theme', 'role', 'viewer', 'owner', 'low'],
  ])('%s with %s from %s to %s is %s', (type, attribute, before, after, level) => {
    expect(levelOfRole(type, attribute, before, after)).toBe(level);
  });
});
