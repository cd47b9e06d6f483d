import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgePlan, type PlannedResource, unchanged } from '../plans.ts';

const ADMIN = 'arn:aws:iam::aws:policy/AdministratorAccess';
const policy = (...statements: JsonObject[]) => JSON.stringify({ Statement: statements });
const allow = (action: string, more: JsonObject = {}) => ({ Effect: 'Allow', Action: action, Resource: '*', ...more });

describe('grants through other objects', () => {
  const set = 'arn:aws:sso:::permissionSet/s/ps-1';
  const own = 'arn:aws:iam::111122223333:policy/ops';
  const definition = '/subscriptions/x/providers/Microsoft.Authorization/roleDefinitions/abc';

  test.each<[string, PlannedResource, PlannedResource]>([
    [
      'an assignment of a permission set',
      [
        'aws_ssoadmin_account_assignment',
        null,
        { permission_set_arn: set, principal_id: 'g', target_id: '111122223333' },
      ],
      unchanged('aws_ssoadmin_managed_policy_attachment', { permission_set_arn: set, managed_policy_arn: ADMIN }),
    ],
    [
      'an attachment of a policy',
      ['aws_iam_role_policy_attachment', null, { role: 'app', policy_arn: own }],
      unchanged('aws_iam_policy', { arn: own, policy: policy(allow('*')) }),
    ],
    [
      'a membership of a group',
      ['aws_iam_user_group_membership', null, { user: 'ci', groups: ['ops'] }],
      unchanged('aws_iam_group_policy_attachment', { group: 'ops', policy_arn: ADMIN }),
    ],
    [
      'an assignment of a custom role',
      [
        'azurerm_role_assignment',
        null,
        { scope: '/subscriptions/x', role_definition_id: definition, principal_id: 'p' },
      ],
      unchanged('azurerm_role_definition', {
        role_definition_resource_id: definition,
        permissions: [{ actions: ['*'] }],
      }),
    ],
    [
      'a token of a policy for everything',
      ['vault_identity_group', { name: 'g', policies: ['app'] }, { name: 'g', policies: ['app', 'ops'] }],
      unchanged('vault_policy', { name: 'ops', policy: 'path "*" {\n  capabilities = ["create", "sudo"]\n}' }),
    ],
  ])('%s that administers is critical', (_, change, other) => {
    expect(judgePlan([change, other]).level).toBe('critical');
  });

  test('a function or machine that gets an administrator role is high', () => {
    const attachment = unchanged('aws_iam_role_policy_attachment', { role: 'ops', policy_arn: ADMIN });
    const profile = unchanged('aws_iam_instance_profile', { name: 'ops-profile', role: 'ops' });
    const machine: PlannedResource = [
      'aws_instance',
      { ami: 'ami-1', iam_instance_profile: 'app' },
      { ami: 'ami-1', iam_instance_profile: 'ops-profile' },
    ];
    expect(judgePlan([machine, profile, attachment]).level).toBe('high');
    expect(judgePlan([machine, profile]).rules).not.toContain('R-IAM-ADMIN');
  });

  test('a policy of the plan that only reads is no administrator grant', () => {
    const attachment: PlannedResource = ['aws_iam_role_policy_attachment', null, { role: 'app', policy_arn: own }];
    const reads = unchanged('aws_iam_policy', { arn: own, policy: policy(allow('s3:GetObject')) });
    expect(judgePlan([attachment, reads]).rules).not.toContain('R-IAM-ADMIN');
  });
});

describe('tags that something selects by', () => {
  const tagged = (type: string, before: JsonObject, after: JsonObject): PlannedResource => [
    type,
    { id: 'i', tags: before },
    { id: 'i', tags: after },
  ];
  const condition = (key: string, value: string) =>
    unchanged('aws_iam_policy', {
      arn: 'arn:aws:iam::111122223333:policy/p',
      policy: policy(allow('ec2:*', { Condition: { StringEquals: { [`aws:ResourceTag/${key}`]: value } } })),
    });
  const backup = unchanged('aws_backup_selection', {
    selection_tag: [{ type: 'STRINGEQUALS', key: 'plan', value: 'gold' }],
  });

  test('a tag that a policy or a backup reads is high', () => {
    expect(
      judgePlan([tagged('aws_instance', { access: 'dev' }, { access: 'prod' }), condition('access', 'prod')]).level,
    ).toBe('high');
    expect(judgePlan([tagged('aws_db_instance', { plan: 'gold' }, {}), backup]).level).toBe('high');
  });

  test('a network tag that a firewall rule targets is high', () => {
    const rule = unchanged('google_compute_firewall', { name: 'f', direction: 'EGRESS', target_tags: ['no-egress'] });
    const machine: PlannedResource = [
      'google_compute_instance',
      { name: 'i', tags: ['no-egress'] },
      { name: 'i', tags: [] },
    ];
    expect(judgePlan([machine, rule]).level).toBe('high');
  });

  test('another key, another value, or joining a backup stays quiet', () => {
    const quiet = [
      [tagged('aws_instance', { owner: 'a' }, { owner: 'b' }), condition('access', 'prod')],
      [tagged('aws_instance', { access: 'dev' }, { access: 'test' }), condition('access', 'prod')],
      [tagged('aws_db_instance', {}, { plan: 'gold' }), backup],
    ];
    for (const plan of quiet) expect(judgePlan(plan).rules).not.toContain('R-TAG-SELECTED');
  });
});

describe('destinations of new resources', () => {
  const queue = unchanged('aws_sqs_queue', { arn: 'arn:aws:sqs:eu-west-1:111122223333:orders' });
  const forwarder = (account: string): PlannedResource => [
    'aws_cloudwatch_log_subscription_filter',
    null,
    { destination_arn: `arn:aws:logs:eu-west-1:${account}:destination:x`, log_group_name: 'audit' },
  ];
  const providers = {
    aws: { name: 'aws', expressions: { allowed_account_ids: { constant_value: ['999988887777'] } } },
  };

  test('logs to an account that is not ours are high', () => {
    expect(judgePlan([forwarder('999988887777'), queue]).level).toBe('high');
  });

  test('an account of the plan or of the configuration is ours', () => {
    expect(judgePlan([forwarder('111122223333'), queue]).level).toBe('low');
    expect(judgePlan([forwarder('999988887777'), queue], { providers }).level).toBe('low');
  });

  test('without a known account, nothing is said', () => {
    expect(judgePlan([forwarder('999988887777')]).level).toBe('low');
  });

  test('an account next to its own destination is not ours for that reason', () => {
    const target: PlannedResource = [
      'aws_cloudwatch_event_target',
      null,
      { rule: 'all', arn: 'arn:aws:events:eu-west-1:999988887777:event-bus/default' },
    ];
    expect(judgePlan([target, queue]).rules).toContain('R-DST-FOREIGN');
  });

  test('a workspace in another subscription is high, and the subscription of the provider is ours', () => {
    const id = (start: string, end: string) =>
      `/subscriptions/${start}-2222-3333-4444-555555555555/resourceGroups/a/providers/${end}`;
    const vault = unchanged('azurerm_key_vault', { id: id('11111111', 'Microsoft.KeyVault/vaults/v') });
    const setting: PlannedResource = [
      'azurerm_monitor_diagnostic_setting',
      null,
      { log_analytics_workspace_id: id('99999999', 'Microsoft.OperationalInsights/workspaces/w') },
    ];
    const azurerm = {
      name: 'azurerm',
      expressions: { subscription_id: { constant_value: '99999999-2222-3333-4444-555555555555' } },
    };
    expect(judgePlan([setting, vault]).level).toBe('high');
    expect(judgePlan([setting, vault], { providers: { azurerm } }).rules).not.toContain('R-DST-FOREIGN');
  });
});

describe('accounts that administer', () => {
  const account = 'projects/p/serviceAccounts/deploy@p.iam.gserviceaccount.com';
  const owner = (role: string) =>
    unchanged('google_folder_iam_member', {
      folder: 'f',
      role,
      member: 'serviceAccount:deploy@p.iam.gserviceaccount.com',
    });
  const impersonate = (role: string): PlannedResource => [
    'google_service_account_iam_member',
    null,
    { service_account_id: account, role, member: 'group:dev@example.org' },
  ];
  const federated = (subject: string): JsonObject => ({ parent_id: '/uai/ci', subject });
  const identity = unchanged('azurerm_user_assigned_identity', { id: '/uai/ci', principal_id: 'o-1' });
  const assigned = (scope: string) =>
    unchanged('azurerm_role_assignment', { scope, role_definition_name: 'Owner', principal_id: 'o-1' });

  test('give their rights to whoever may act as them', () => {
    expect(judgePlan([impersonate('roles/iam.serviceAccountTokenCreator'), owner('roles/owner')]).level).toBe(
      'critical',
    );
    const change: PlannedResource = [
      'azurerm_federated_identity_credential',
      federated('repo:o/r:environment:prod'),
      federated('repo:o/r:pull_request'),
    ];
    expect(judgePlan([change, identity, assigned('/subscriptions/s')]).level).toBe('critical');
  });

  test('do not if they only read, or if the grant only shows them', () => {
    const quiet = [
      [impersonate('roles/iam.serviceAccountTokenCreator'), owner('roles/viewer')],
      [impersonate('roles/iam.serviceAccountViewer'), owner('roles/owner')],
    ];
    for (const plan of quiet) expect(judgePlan(plan).rules).not.toContain('R-IAM-ADMIN');
  });
});

describe('groups that hold everybody', () => {
  const group = (display_name: string) => unchanged('aws_identitystore_group', { group_id: 'g-1', display_name });
  const assignment: PlannedResource = [
    'aws_ssoadmin_account_assignment',
    null,
    { permission_set_arn: 'arn:aws:sso:::permissionSet/s/ps-1', principal_id: 'g-1', target_id: '111122223333' },
  ];

  test('make a grant high, and one to administer critical', () => {
    const set = unchanged('aws_ssoadmin_permission_set', {
      arn: 'arn:aws:sso:::permissionSet/s/ps-1',
      name: 'AdministratorAccess',
    });
    expect(judgePlan([assignment, group('All Staff')]).level).toBe('high');
    expect(judgePlan([assignment, group('All Staff'), set]).level).toBe('critical');
  });

  test('are not every group with such a word', () => {
    for (const name of ['All-hands organizers', 'Platform team', 'Everyone in finance'])
      expect(judgePlan([assignment, group(name)]).rules).not.toContain('R-IAM-TRUST');
  });
});

describe('tags that windows and downtimes select by', () => {
  const window = unchanged('aws_ssm_maintenance_window_target', {
    resource_type: 'INSTANCE',
    targets: [{ key: 'tag:Stop', values: ['nightly'] }],
  });
  const downtime = unchanged('datadog_downtime_schedule', {
    scope: '*',
    monitor_identifier: [{ monitor_tags: ['phase:old'] }],
  });
  const machine = (before: JsonObject, after: JsonObject): PlannedResource => [
    'aws_instance',
    { ami: 'a', tags: before },
    { ami: 'a', tags: after },
  ];
  const monitor = (before: string[], after: string[]): PlannedResource => [
    'datadog_monitor',
    { name: 'm', tags: before },
    { name: 'm', tags: after },
  ];

  test('are high when a resource gets one', () => {
    expect(judgePlan([machine({}, { Stop: 'nightly' }), window]).level).toBe('high');
    expect(judgePlan([monitor(['team:a'], ['team:a', 'phase:old']), downtime]).level).toBe('high');
  });

  test('are quiet when a resource loses one or gets another', () => {
    const quiet = [
      [machine({ Stop: 'nightly' }, {}), window],
      [machine({}, { Stop: 'never' }), window],
      [monitor(['phase:old'], []), downtime],
      [monitor([], ['phase:new']), downtime],
    ];
    for (const plan of quiet) expect(judgePlan(plan).rules).not.toContain('R-TAG-SELECTED');
  });
});
