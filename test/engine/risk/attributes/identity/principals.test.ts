import { describe, expect, test } from '@jest/globals';
import { judge } from '../judging.ts';

const OTHER = '999988887777';
const facts = { accounts: new Set(['111122223333']) };

describe('a grant to one principal', () => {
  test.each([
    ['aws_ram_principal_association', 'principal'],
    ['aws_kms_grant', 'grantee_principal'],
    ['aws_vpc_endpoint_service_allowed_principal', 'principal_arn'],
  ])('%s is high for another account and gives no reason for the own account', (type, attribute) => {
    const after = { [attribute]: `arn:aws:iam::${OTHER}:root` };
    expect(judge('create', type, { after, facts })['R-IAM-TRUST']).toBe('high');
    expect(judge('create', type, { after: { [attribute]: 'arn:aws:iam::111122223333:role/app' }, facts })).toEqual({});
  });

  test('to every account is high unless an organization id restricts it', () => {
    const type = 'aws_lambda_layer_version_permission';
    expect(judge('create', type, { after: { principal: '*' } })).toEqual({ 'R-IAM-TRUST': 'high' });
    expect(judge('create', type, { after: { principal: '*', organization_id: 'o-1' } })).toEqual({});
  });
});

describe('adding a user to a group', () => {
  test.each(['Administrators', 'platform-admins', 'root'])('is high for the administrator group %s', (group) => {
    const type = 'aws_iam_group_membership';
    const before = { group, users: ['bob'] };
    const after = { group, users: ['bob', 'eve'] };
    expect(judge('update', type, { before, after })).toEqual({ 'R-IAM-WIDE': 'high' });
    expect(judge('update', type, { before: after, after: before })).toEqual({});
    expect(judge('create', 'aws_iam_user_group_membership', { after: { user: 'eve', groups: [group] } })).toEqual({
      'R-IAM-WIDE': 'high',
    });
  });

  test.each(['developers', 'administration-readers', 'rooters'])('gives no reason for the group %s', (group) => {
    expect(judge('create', 'aws_iam_user_group_membership', { after: { user: 'eve', groups: [group] } })).toEqual({});
  });
});

describe('privileges in a database', () => {
  test.each([
    ['postgresql_default_privileges', 'role'],
    ['postgresql_grant', 'role'],
    ['redshift_grant', 'group'],
    ['snowflake_grant_privileges_to_account_role', 'account_role_name'],
  ])('of %s are high for every login and give no reason for one role', (type, attribute) => {
    const grant = (grantee: string) => ({ [attribute]: grantee, privileges: ['SELECT'] });

    expect(judge('create', type, { after: grant('public') })['R-IAM-WIDE']).toBe('high');
    expect(judge('update', type, { before: grant('app'), after: grant('PUBLIC') })['R-IAM-WIDE']).toBe('high');
    expect(judge('update', type, { before: grant('public'), after: grant('app') })['R-IAM-WIDE']).toBeUndefined();
    expect(judge('create', type, { after: grant('reporting') })['R-IAM-WIDE']).toBeUndefined();
  });
});
