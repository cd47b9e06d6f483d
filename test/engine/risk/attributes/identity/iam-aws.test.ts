import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

const doc = (...statements: JsonObject[]) => JSON.stringify({ Version: '2012-10-17', Statement: statements });
const allow = (Action: JsonValue, Resource: JsonValue = '*', more: JsonObject = {}): JsonObject => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});
const policy = (...statements: JsonObject[]) => ({ name: 'p', policy: doc(...statements) });

describe('an identity policy', () => {
  test.each<[string, JsonObject, Record<string, string>]>([
    ['*', allow('*'), { 'R-IAM-ADMIN': 'critical' }],
    ['iam:*', allow('iam:*'), { 'R-IAM-ADMIN': 'critical' }],
    ['sts:*', allow('sts:*'), { 'R-IAM-ADMIN': 'critical' }],
    ['organizations:*', allow(['ec2:DescribeInstances', 'Organizations:*']), { 'R-IAM-ADMIN': 'critical' }],
    [
      'everything but billing',
      { Effect: 'Allow', NotAction: ['aws-portal:*'], Resource: '*' },
      { 'R-IAM-ADMIN': 'critical' },
    ],
    ['everything but identities', { Effect: 'Allow', NotAction: ['iam:*'], Resource: '*' }, { 'R-IAM-WIDE': 'high' }],
    ['a whole service', allow('s3:*'), { 'R-IAM-WILDCARD': 'high' }],
    ['a whole service on every bucket', allow('s3:*', 'arn:aws:s3:::*'), { 'R-IAM-WILDCARD': 'high' }],
    ['a whole service on a named resource', allow('s3:*', 'arn:aws:s3:::logs/*'), {}],
    ['PassRole', allow('iam:PassRole'), { 'R-IAM-WILDCARD': 'high' }],
    ['creating identities', allow('iam:CreateUser'), { 'R-IAM-WILDCARD': 'high' }],
    ['assuming any role', allow('sts:AssumeRole'), { 'R-IAM-WILDCARD': 'high' }],
    ['reading secrets', allow('secretsmanager:GetSecretValue'), { 'R-IAM-WILDCARD': 'high' }],
    ['reading parameters by pattern', allow('ssm:GetParam*'), { 'R-IAM-WILDCARD': 'high' }],
    ['reading objects by pattern', allow('s3:Get*'), { 'R-IAM-WILDCARD': 'high' }],
    ['decrypting', allow('kms:Decrypt'), { 'R-IAM-WILDCARD': 'high' }],
    ['another write', allow('ec2:RunInstances'), { 'R-IAM-WILDCARD': 'medium' }],
    [
      'a write under a condition',
      allow('ec2:RunInstances', '*', { Condition: { StringEquals: { 'aws:ResourceTag/team': 'a' } } }),
      {},
    ],
    ['only read actions', allow(['ec2:Describe*', 's3:ListBucket', 'iam:GetRole']), {}],
    [
      'writes of logs, traces and metrics',
      allow(['logs:PutLogEvents', 'xray:PutTraceSegments', 'cloudwatch:PutMetricData']),
      {},
    ],
    ['network interfaces of functions', allow(['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface']), {}],
    ['a registry token', allow('ecr:GetAuthorizationToken'), {}],
    ['every action on named resources', allow('*', 'arn:aws:s3:::logs/*'), { 'R-IAM-WILDCARD': 'medium' }],
    ['a deny statement for everything', { Effect: 'Deny', Action: '*', Resource: '*' }, {}],
  ])('with %s gives the same reasons on create and update: %j gives %j', (_, statement, expected) => {
    for (const type of ['aws_iam_policy', 'aws_iam_role_policy']) {
      expect(judge('create', type, { after: policy(statement) })).toEqual(expected);
      expect(judge('update', type, { before: policy(allow('ec2:DescribeVpcs')), after: policy(statement) })).toEqual(
        expected,
      );
    }
    expect(
      judge('create', 'aws_iam_role', { after: { inline_policy: [{ name: 'a', policy: doc(statement) }] } }),
    ).toEqual(expected);
  });

  test('gives no reason for grants that existed before in another notation', () => {
    const before = policy(allow(['s3:*', 'ec2:RunInstances']), allow('kms:Decrypt'));
    expect(
      judge('update', 'aws_iam_policy', {
        before,
        after: policy(allow('kms:decrypt', ['*']), allow(['ec2:RunInstances', 's3:PutObject'])),
      }),
    ).toEqual({});
    expect(judge('update', 'aws_iam_policy', { before: policy(allow('*')), after: policy(allow('iam:*')) })).toEqual(
      {},
    );
  });

  test('reports a grant that loses its condition as new', () => {
    const condition = { Condition: { StringEquals: { 'aws:SourceVpc': 'vpc-1' } } };
    expect(
      judge('update', 'aws_iam_policy', {
        before: policy(allow('s3:*', '*', condition)),
        after: policy(allow('s3:*')),
      }),
    ).toEqual({
      'R-IAM-WILDCARD': 'high',
      'R-IAM-CONDITION': 'high',
    });
  });

  test('that is narrowed strengthens', () => {
    const { change, reasons } = findings('update', 'aws_iam_policy', {
      before: policy(allow(['s3:*', 'ec2:*'])),
      after: policy(allow('s3:*')),
    });
    expect(reasons).toEqual([]);
    expect(change.diffs.map(({ direction }) => direction)).toEqual(['strengthening']);
  });

  test('gives no reason when its text is not a policy document', () => {
    for (const text of ['', '{', '[]', '"*"', '{"Statement":"x"}'])
      expect(judge('create', 'aws_iam_policy', { after: { name: 'p', policy: text } })).toEqual({});
  });

  test('has a message that names the action unless the plan marks the document as sensitive', () => {
    expect(findings('create', 'aws_iam_policy', { after: policy(allow('iam:*')) }).reasons[0]!.message).toContain(
      'iam:*',
    );
    const { reasons } = findings('create', 'aws_iam_policy', {
      after: policy(allow('iam:*')),
      sensitive: { policy: true },
    });
    expect(reasons[0]).toMatchObject({ rule_id: 'R-IAM-ADMIN', level: 'critical' });
    expect(reasons[0]!.message).not.toContain('iam:');
  });

  test('gives no reason when statements, actions and resources are reordered', () => {
    const statement = fc.record({
      Effect: fc.constantFrom('Allow', 'Deny'),
      Action: fc.uniqueArray(fc.constantFrom('s3:*', 'iam:PassRole', 'ec2:RunInstances', '*', 'kms:Decrypt'), {
        minLength: 1,
      }),
      Resource: fc.uniqueArray(fc.constantFrom('*', 'arn:aws:s3:::a', 'arn:aws:s3:::b'), { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(statement, { minLength: 1, maxLength: 5 }), (statements) => {
        const turned = statements
          .map((one) => ({ ...one, Action: [...one.Action].reverse(), Resource: [...one.Resource].reverse() }))
          .reverse();
        expect(judge('update', 'aws_iam_policy', { before: policy(...statements), after: policy(...turned) })).toEqual(
          {},
        );
      }),
    );
  });
});

describe('the restrictions of a policy', () => {
  const deny = { Effect: 'Deny', Action: 's3:DeleteBucket', Resource: '*' };

  test.each<[string, JsonObject[], JsonObject[], string | undefined]>([
    ['removing a deny statement is high', [deny], [], 'high'],
    [
      'narrowing a deny statement is high',
      [{ ...deny, Action: ['s3:DeleteBucket', 's3:DeleteObject'] }],
      [deny],
      'high',
    ],
    ['widening a deny statement gives no reason', [deny], [{ ...deny, Action: 's3:*' }], undefined],
    ['renaming a deny statement gives no reason', [{ ...deny, Sid: 'a' }], [{ ...deny, Sid: 'b' }], undefined],
    [
      'adding a condition to a deny statement is high',
      [deny],
      [{ ...deny, Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
      'high',
    ],
    [
      'reordering the values of a condition gives no reason',
      [allow('s3:PutObject', 'arn:aws:s3:::a', { Condition: { StringEquals: { k: ['a', 'b'] } } })],
      [allow('s3:PutObject', 'arn:aws:s3:::a', { Condition: { StringEquals: { k: ['b', 'a'] } } })],
      undefined,
    ],
  ])('%s', (_, before, after, level) => {
    const judged = judge('update', 'aws_iam_policy', {
      before: policy(allow('ec2:DescribeVpcs'), ...before),
      after: policy(allow('ec2:DescribeVpcs'), ...after),
    });
    expect(judged['R-IAM-CONDITION']).toBe(level);
  });

  test('removing a permissions boundary is high, and adding one strengthens', () => {
    const bound = { permissions_boundary: 'arn:aws:iam::123456789012:policy/ceiling' };
    expect(judge('update', 'aws_iam_role', { before: bound, after: { permissions_boundary: null } })).toEqual({
      'R-IAM-CONDITION': 'high',
    });
    const { change } = findings('update', 'aws_iam_role', { before: { permissions_boundary: '' }, after: bound });
    expect(change.diffs[0]!.direction).toBe('strengthening');
  });

  test('deleting a policy with a deny statement is high unless its bucket is deleted, too', () => {
    const before = { bucket: 'logs', policy: doc({ Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: '*' }) };
    expect(judge('delete', 'aws_s3_bucket_policy', { before })).toEqual({ 'R-IAM-CONDITION': 'high' });
    expect(judge('delete', 'aws_s3_bucket_policy', { before, facts: { destroyed: new Set(['logs']) } })).toEqual({});
  });
});

describe('a trust policy', () => {
  const trust = (Principal: JsonValue, more: JsonObject = {}) => ({
    assume_role_policy: doc({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal, ...more }),
  });
  const github = { Federated: 'arn:aws:iam::111111111111:oidc-provider/token.actions.githubusercontent.com' };
  const sub = (value: string) => ({ Condition: { StringLike: { 'token.actions.githubusercontent.com:sub': value } } });
  const own = { accounts: new Set(['111111111111']) };

  test.each<[string, JsonObject, string | undefined]>([
    ['everyone', trust('*'), 'critical'],
    ['everyone in a list of accounts', trust({ AWS: ['*'] }), 'critical'],
    [
      'everyone in one organization',
      trust('*', { Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } }),
      undefined,
    ],
    ['everyone over TLS', trust('*', { Condition: { Bool: { 'aws:SecureTransport': 'true' } } }), 'critical'],
    [
      'everyone but one account',
      { assume_role_policy: doc({ Effect: 'Allow', Action: 'sts:AssumeRole', NotPrincipal: { AWS: '111111111111' } }) },
      'critical',
    ],
    ['another account', trust({ AWS: 'arn:aws:iam::999999999999:root' }), 'high'],
    ['another account by number', trust({ AWS: '999999999999' }), 'high'],
    ['the own account', trust({ AWS: 'arn:aws:iam::111111111111:role/ci' }), undefined],
    ['a service', trust({ Service: 'lambda.amazonaws.com' }), undefined],
    ['a platform without a subject', trust(github), 'high'],
    [
      'a platform with only an audience',
      trust(github, {
        Condition: { StringEquals: { 'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com' } },
      }),
      'high',
    ],
    ['one repository', trust(github, sub('repo:acme/app:*')), undefined],
    ['every repository', trust(github, sub('repo:*')), 'high'],
    ['every owner whose name begins alike', trust(github, sub('repo:acme*:ref:refs/heads/main')), 'high'],
    ['owners with any last letter', trust(github, sub('repo:acme-?/shop:*')), 'high'],
    ['every owner, in one environment', trust(github, sub('repo:*/*:environment:production')), 'high'],
    ['groups that begin alike', trust(github, sub('project_path:acme*:ref_type:branch:ref:main')), 'high'],
    [
      'organizations that begin alike',
      trust(github, sub('organization:acme*:project:a:workspace:b:run_phase:apply')),
      'high',
    ],
    [
      'everyone in a deny statement',
      { assume_role_policy: doc({ Effect: 'Deny', Action: 'sts:AssumeRole', Principal: '*' }) },
      undefined,
    ],
  ])('that starts to name %s is rated by that principal', (_, after, level) => {
    expect(judge('create', 'aws_iam_role', { after, facts: own })['R-IAM-TRUST']).toBe(level);
    const before = trust({ Service: 'ec2.amazonaws.com' });
    expect(judge('update', 'aws_iam_role', { before, after, facts: own })['R-IAM-TRUST']).toBe(level);
    expect(
      judge('update', 'aws_iam_role', { before: after, after: { ...after, description: 'x' }, facts: own }),
    ).toEqual({});
  });

  test('of a new role that names another account is medium while the own account is unknown', () => {
    const after = trust({ AWS: '999999999999' });
    expect(judge('create', 'aws_iam_role', { after })['R-IAM-TRUST']).toBe('medium');
    expect(
      judge('update', 'aws_iam_role', { before: trust({ Service: 'a.amazonaws.com' }), after })['R-IAM-TRUST'],
    ).toBe('high');
  });
});

describe('a resource policy', () => {
  const open = (Action: JsonValue, more: JsonObject = {}) =>
    doc({ Effect: 'Allow', Principal: '*', Action, Resource: '*', ...more });

  test.each([
    ['read', 's3:GetObject', 'high'],
    ['write', 's3:PutObject', 'critical'],
    ['every action', 's3:*', 'critical'],
  ])('that lets everyone access a bucket (%s) makes it public', (_, action, level) => {
    expect(judge('create', 'aws_s3_bucket_policy', { after: { bucket: 'b', policy: open(action) } })).toEqual({
      'R-STO-PUBLIC': level,
    });
  });

  test('that makes a public bucket writable is critical, and the reverse change gives no reason', () => {
    const side = (action: string) => ({ bucket: 'b', policy: open(action) });
    expect(
      judge('update', 'aws_s3_bucket_policy', { before: side('s3:GetObject'), after: side('s3:PutObject') })[
        'R-STO-PUBLIC'
      ],
    ).toBe('critical');
    expect(judge('update', 'aws_s3_bucket_policy', { before: side('s3:*'), after: side('s3:GetObject') })).toEqual({});
  });

  test.each([
    'aws_sqs_queue_policy',
    'aws_sns_topic_policy',
    'aws_ecr_repository_policy',
    'aws_secretsmanager_secret_policy',
  ])('of type %s that allows everyone is critical', (type) => {
    expect(judge('create', type, { after: { policy: open('*:*') } })['R-IAM-TRUST']).toBe('critical');
    const source = { Condition: { ArnEquals: { 'aws:SourceArn': 'arn:aws:sns:eu-west-1:111111111111:t' } } };
    expect(judge('create', type, { after: { policy: open('sqs:SendMessage', source) } })).toEqual({});
  });

  test('that lets everyone invoke an API is high', () => {
    expect(
      judge('create', 'aws_api_gateway_rest_api', { after: { policy: open('execute-api:Invoke') } })['R-IAM-TRUST'],
    ).toBe('high');
  });

  test('with a wildcard resource means only the resource itself', () => {
    const owner = {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::111111111111:root' },
      Action: 'kms:*',
      Resource: '*',
    };
    expect(
      judge('create', 'aws_kms_key', {
        after: { policy: doc(owner), enable_key_rotation: true },
        facts: { accounts: new Set(['111111111111']) },
      }),
    ).toEqual({});
  });

  test('of a key that loses the statement of its account is critical', () => {
    const owner = {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::111111111111:root' },
      Action: 'kms:*',
      Resource: '*',
    };
    const user = {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::111111111111:role/app' },
      Action: 'kms:Decrypt',
      Resource: '*',
    };
    const facts = { accounts: new Set(['111111111111']) };
    expect(
      judge('update', 'aws_kms_key', { before: { policy: doc(owner, user) }, after: { policy: doc(user) }, facts }),
    ).toEqual({ 'R-ATTR-aws_kms_key.policy': 'critical' });
  });

  test.each([
    [{ principal: '*' }, 'critical'],
    [{ principal: '*', function_url_auth_type: 'NONE' }, 'high'],
    [{ principal: '*', source_account: '111111111111' }, undefined],
    [{ principal: 'sns.amazonaws.com' }, undefined],
    [{ principal: '999999999999' }, 'high'],
  ])('with the function permission %j is rated by its principal', (after, level) => {
    expect(
      judge('create', 'aws_lambda_permission', { after, facts: { accounts: new Set(['111111111111']) } })[
        'R-IAM-TRUST'
      ],
    ).toBe(level);
  });
});

describe('attaching managed policies', () => {
  test.each([
    ['AdministratorAccess', 'R-IAM-ADMIN', 'critical'],
    ['IAMFullAccess', 'R-IAM-ADMIN', 'critical'],
    ['AmazonS3FullAccess', 'R-IAM-WIDE', 'high'],
    ['PowerUserAccess', 'R-IAM-WIDE', 'high'],
    ['service-role/AWSLambdaBasicExecutionRole', 'R-IAM-WIDE', undefined],
    ['ReadOnlyAccess', 'R-IAM-ADMIN', undefined],
  ])('the policy %s is rated by its permissions', (name, rule, level) => {
    const arn = `arn:aws:iam::aws:policy/${name}`;
    expect(judge('create', 'aws_iam_role_policy_attachment', { after: { role: 'r', policy_arn: arn } })[rule]).toBe(
      level,
    );
    expect(
      judge('update', 'aws_iam_role', { before: { managed_policy_arns: [] }, after: { managed_policy_arns: [arn] } })[
        rule
      ],
    ).toBe(level);
    expect(
      judge('update', 'aws_iam_role', {
        before: { managed_policy_arns: [arn, 'x'] },
        after: { managed_policy_arns: ['x', arn] },
      }),
    ).toEqual({});
  });

  test('a customer-managed policy with such a name gives no reason', () => {
    expect(
      judge('create', 'aws_iam_role_policy_attachment', {
        after: { policy_arn: 'arn:aws:iam::111111111111:policy/AdministratorAccess' },
      }),
    ).toEqual({});
  });

  test('administrator access to a cluster is critical', () => {
    const policy_arn = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy';
    expect(judge('create', 'aws_eks_access_policy_association', { after: { policy_arn } })).toEqual({
      'R-IAM-ADMIN': 'critical',
    });
    expect(judge('create', 'aws_eks_access_entry', { after: { kubernetes_groups: ['system:masters'] } })).toEqual({
      'R-IAM-ADMIN': 'critical',
    });
  });

  test('an exclusive attachment is reported when it detaches others', () => {
    const after = { name: 'a', policy_arn: 'arn:aws:iam::111111111111:policy/p', roles: ['a'] };
    expect(judge('create', 'aws_iam_policy_attachment', { after })).toEqual({ 'R-IAM-AUTHORITATIVE': 'high' });
    expect(judge('update', 'aws_iam_policy_attachment', { before: { ...after, roles: ['a', 'b'] }, after })).toEqual({
      'R-IAM-AUTHORITATIVE': 'high',
    });
    expect(
      judge('update', 'aws_iam_policy_attachment', { before: after, after: { ...after, roles: ['a', 'b'] } }),
    ).toEqual({});
    expect(judge('create', 'aws_iam_role_policies_exclusive', { after: { role_name: 'r', policy_names: [] } })).toEqual(
      { 'R-IAM-AUTHORITATIVE': 'high' },
    );
  });

  test('a static access key is medium', () => {
    expect(judge('create', 'aws_iam_access_key', { after: { user: 'ci' } })).toEqual({ 'R-IAM-KEY': 'medium' });
    expect(
      judge('update', 'aws_iam_access_key', { before: { status: 'Active' }, after: { status: 'Inactive' } }),
    ).toEqual({});
  });
});
