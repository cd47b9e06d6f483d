import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/result.ts';
import { findings, judge } from './judging.ts';

type Case = [type: string, safe: JsonObject, dangerous: JsonObject, level: string];

const ranges = (...load_balancer_source_ranges: string[]) => ({
  spec: [{ type: 'LoadBalancer', load_balancer_source_ranges }],
});
const settings = (values: JsonObject) => ({ settings: [values] });

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
  ['cloudflare_record', { proxied: true }, { proxied: false }, 'medium'],
  ['kubernetes_service', ranges('10.0.0.0/8'), ranges(), 'high'],
  ['kubernetes_service_v1', ranges('10.0.0.0/8'), ranges('0.0.0.0/0'), 'high'],
  ['mongodbatlas_project_ip_access_list', { cidr_block: '192.0.2.0/24' }, { cidr_block: '0.0.0.0/0' }, 'critical'],
];

describe('settings of other providers', () => {
  test.each(CASES)('%s: %j to %j', (type, safe, dangerous, level) => {
    const { reasons } = findings('update', type, { before: safe, after: dangerous });
    expect(reasons.map((reason) => reason.level)).toEqual([level]);
  });

  test.each(CASES)('%s: no reason the other way round', (type, safe, dangerous, _level) => {
    expect(judge('update', type, { before: dangerous, after: safe })).toEqual({});
    expect(judge('update', type, { before: dangerous, after: dangerous })).toEqual({});
  });

  test('a chart counts by its major version', () => {
    const move = (from: string, to: string) =>
      judge('update', 'helm_release', { before: { version: from }, after: { version: to } });
    expect(move('1.2.3', '2.0.0')).toEqual({ 'R-ATTR-helm_release.version': 'medium' });
    expect(move('1.2.3', '1.3.0')).toEqual({});
  });

  test('a new public repository or a new member is no more than it is', () => {
    expect(judge('create', 'github_repository', { after: { visibility: 'public' } })).toEqual({ 'R-IAM-TRUST': 'low' });
    expect(judge('create', 'github_membership', { after: { role: 'member' } })).toEqual({});
    expect(judge('create', 'github_membership', { after: { role: 'admin' } })).toEqual({ 'R-IAM-WIDE': 'high' });
  });
});
