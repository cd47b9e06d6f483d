import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { findings, judge } from './judging.ts';

type Case = [type: string, safe: JsonObject, dangerous: JsonObject, level: string];

const ranges = (...load_balancer_source_ranges: string[]) => ({
  spec: [{ type: 'LoadBalancer', load_balancer_source_ranges }],
});
const settings = (values: JsonObject) => ({ settings: [values] });

const rules = (values: JsonObject) => ({ rules: [values] });
const setting = (setting_id: string, value: string) => ({ setting_id, value });

const MORE: Case[] = [
  ['github_repository_deploy_key', { read_only: true }, { read_only: false }, 'high'],
  ['gitlab_deploy_key', { can_push: false }, { can_push: true }, 'high'],
  ['gitlab_project_membership', { access_level: 'developer' }, { access_level: 'owner' }, 'high'],
  ['gitlab_project_membership', { access_level: 'developer' }, { access_level: 'maintainer' }, 'medium'],
  [
    'github_repository_collaborators',
    { user: [{ username: 'a', permission: 'pull' }] },
    { user: [{ username: 'a', permission: 'admin' }] },
    'high',
  ],
  [
    'github_organization_settings',
    { default_repository_permission: 'read' },
    { default_repository_permission: 'write' },
    'high',
  ],
  [
    'github_branch_protection_v3',
    { required_status_checks: [{ strict: true }] },
    { required_status_checks: [] },
    'high',
  ],
  ['github_repository_ruleset', rules({ non_fast_forward: true }), rules({ non_fast_forward: false }), 'high'],
  [
    'github_repository_ruleset',
    rules({ pull_request: [{ required_approving_review_count: 1 }] }),
    rules({ pull_request: [{ required_approving_review_count: 0 }] }),
    'high',
  ],
  ['github_repository_environment', { reviewers: [{ users: [1] }] }, { reviewers: [] }, 'high'],
  ['gitlab_branch_protection', { push_access_level: 'no one' }, { push_access_level: 'developer' }, 'high'],
  ['cloudflare_zone_setting', setting('ssl', 'strict'), setting('ssl', 'flexible'), 'high'],
  ['cloudflare_zone_setting', setting('ssl', 'strict'), setting('ssl', 'full'), 'medium'],
  ['cloudflare_zone_setting', setting('min_tls_version', '1.2'), setting('min_tls_version', '1.0'), 'high'],
  ['azuread_conditional_access_policy', { state: 'enabled' }, { state: 'disabled' }, 'high'],
  ['vault_approle_auth_backend_role', { token_policies: ['app'] }, { token_policies: ['app', 'root'] }, 'high'],
  [
    'vault_kubernetes_auth_backend_role',
    { bound_service_account_namespaces: ['app'] },
    { bound_service_account_namespaces: ['*'] },
    'high',
  ],
  ['vault_jwt_auth_backend_role', { bound_claims: { project_id: '1' } }, { bound_claims: {} }, 'high'],
  ['kubernetes_ingress_v1', { spec: [{ tls: [{ hosts: ['a'] }] }] }, { spec: [{ tls: [] }] }, 'high'],
];

const CASES: Case[] = [
  ['github_repository', { visibility: 'private' }, { visibility: 'public' }, 'high'],
  ['gitlab_project', { visibility_level: 'private' }, { visibility_level: 'internal' }, 'medium'],
  ['gitlab_project', { visibility_level: 'private' }, { visibility_level: 'public' }, 'high'],
  ['github_membership', { role: 'member' }, { role: 'admin' }, 'high'],
  ['github_repository_collaborator', { permission: 'pull' }, { permission: 'push' }, 'medium'],
  ['github_team_repository', { permission: 'push' }, { permission: 'admin' }, 'high'],
  ['github_branch_protection', { enforce_admins: true }, { enforce_admins: false }, 'medium'],
  [
    'github_branch_protection',
    { required_pull_request_reviews: [{ dismiss_stale_reviews: true }] },
    { required_pull_request_reviews: [] },
    'high',
  ],
  [
    'github_branch_protection',
    { required_pull_request_reviews: [{ required_approving_review_count: 2 }] },
    { required_pull_request_reviews: [{ required_approving_review_count: 1 }] },
    'medium',
  ],
  ['github_branch_protection', { required_status_checks: [{ strict: true }] }, { required_status_checks: [] }, 'high'],
  ['github_branch_protection', { allows_force_pushes: false }, { allows_force_pushes: true }, 'high'],
  ['gitlab_branch_protection', { allow_force_push: false }, { allow_force_push: true }, 'high'],
  ['github_repository_ruleset', { enforcement: 'active' }, { enforcement: 'disabled' }, 'high'],
  ['github_actions_organization_permissions', { allowed_actions: 'selected' }, { allowed_actions: 'all' }, 'medium'],
  ['cloudflare_zone_settings_override', settings({ ssl: 'strict' }), settings({ ssl: 'flexible' }), 'high'],
  [
    'cloudflare_zone_settings_override',
    settings({ min_tls_version: '1.2' }),
    settings({ min_tls_version: '1.0' }),
    'high',
  ],
  ['cloudflare_zone_settings_override', settings({ waf: 'on' }), settings({ waf: 'off' }), 'high'],
  ['cloudflare_record', { proxied: true }, { proxied: false }, 'high'],
  ...MORE,
  ['kubernetes_service', ranges('10.0.0.0/8'), ranges(), 'high'],
  ['kubernetes_service_v1', ranges('10.0.0.0/8'), ranges('0.0.0.0/0'), 'high'],
  ['mongodbatlas_project_ip_access_list', { cidr_block: '192.0.2.0/24' }, { cidr_block: '0.0.0.0/0' }, 'critical'],
];

describe('a setting of another provider', () => {
  test.each(CASES)('%s: changing %j to %j gives one reason, at level %s', (type, safe, dangerous, level) => {
    const { reasons } = findings('update', type, { before: safe, after: dangerous });
    expect(reasons.map((reason) => reason.level)).toEqual([level]);
  });

  test.each(CASES)('%s gives no reason for the reverse change', (type, safe, dangerous, _level) => {
    expect(judge('update', type, { before: dangerous, after: safe })).toEqual({});
    expect(judge('update', type, { before: dangerous, after: dangerous })).toEqual({});
  });

  test('a Helm chart is reported only when its major version changes', () => {
    const move = (from: string, to: string) =>
      judge('update', 'helm_release', { before: { version: from }, after: { version: to } });
    expect(move('1.2.3', '2.0.0')).toEqual({ 'R-ATTR-helm_release.version': 'medium' });
    expect(move('1.2.3', '1.3.0')).toEqual({});
  });

  test.each<[string, JsonObject, string | undefined]>([
    ['github_repository_collaborator', { permission: 'admin' }, 'high'],
    ['github_repository_collaborator', { permission: 'pull' }, undefined],
    ['github_team_repository', { permission: 'admin' }, 'medium'],
    ['github_repository_deploy_key', { read_only: false }, 'high'],
    ['github_repository_deploy_key', { read_only: true }, undefined],
    ['okta_group_role', { role_type: 'SUPER_ADMIN' }, 'critical'],
    ['okta_group_role', { role_type: 'READ_ONLY_ADMIN' }, undefined],
    ['azuread_directory_role_assignment', { role_id: '62e90394-69f5-4237-9190-012177145e10' }, 'critical'],
    ['azuread_directory_role_assignment', { role_id: '88d8e3e3-8f55-4a1e-953a-9b9898b8876b' }, undefined],
    ['snowflake_grant_account_role', { role_name: 'ACCOUNTADMIN' }, 'critical'],
    ['postgresql_role', { superuser: true }, 'high'],
    ['postgresql_role', { login: true }, undefined],
    ['digitalocean_database_firewall', { rule: [{ type: 'ip_addr', value: '0.0.0.0/0' }] }, 'critical'],
    ['digitalocean_database_firewall', { rule: [{ type: 'ip_addr', value: '192.0.2.1' }] }, undefined],
  ])('a new %s %j is rated by its access', (type, after, level) => {
    expect(Object.values(judge('create', type, { after }))).toEqual(level === undefined ? [] : [level]);
  });

  test('a Cloudflare zone setting without a security effect gives no reason', () => {
    const change = { before: setting('brotli', 'on'), after: setting('brotli', 'off') };
    expect(judge('update', 'cloudflare_zone_setting', change)).toEqual({});
  });

  test('a new public repository is low, and a new member is rated by the role', () => {
    expect(judge('create', 'github_repository', { after: { visibility: 'public' } })).toEqual({ 'R-IAM-TRUST': 'low' });
    expect(judge('create', 'github_membership', { after: { role: 'member' } })).toEqual({});
    expect(judge('create', 'github_membership', { after: { role: 'admin' } })).toEqual({ 'R-IAM-WIDE': 'high' });
  });
});
