import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('approvals', () => {
  testLevels([
    ['acme_change_rule', { required_approvers: 2 }, { required_approvers: 0 }, 'high', 'R-VAL-APPROVAL'],
    [
      'github_branch_protection_v3',
      { required_pull_request_reviews: [{ required_approving_review_count: 2 }] },
      { required_pull_request_reviews: [{ required_approving_review_count: 0 }] },
      'high',
    ],
    ['gitlab_project_approval_rule', { approvals_required: 2 }, { approvals_required: 0 }, 'high'],
    ['acme_payment_flow', { min_signoffs: 3 }, { min_signoffs: 1 }, 'high', 'R-VAL-APPROVAL'],
    ['acme_policy', { prevent_self_review: true }, { prevent_self_review: false }, 'medium', 'R-VAL-APPROVAL'],
    ['acme_policy', { author_approval: false }, { author_approval: true }, 'medium', 'R-VAL-APPROVAL'],
    [
      'acme_policy',
      { disable_committers_approval: true },
      { disable_committers_approval: false },
      'medium',
      'R-VAL-APPROVAL',
    ],
    ['acme_policy', { approvers_required: 1 }, { approvers_required: 2 }, 'low'],
    ['acme_policy', { author_approval: true }, { author_approval: false }, 'low'],
  ]);
});

describe('downgrades', () => {
  testLevels([
    ['aws_lambda_function', { runtime: 'nodejs20.x' }, { runtime: 'nodejs16.x' }, 'medium', 'R-VAL-DOWNGRADE'],
    ['google_cloudfunctions_function', { runtime: 'python312' }, { runtime: 'python38' }, 'medium'],
    ['acme_cluster', { engine_version: '8.0.35' }, { engine_version: '5.7.44' }, 'medium', 'R-VAL-DOWNGRADE'],
    ['acme_database', { version: '15.4' }, { version: '14.9' }, 'high', 'R-VAL-DOWNGRADE'],
    ['helm_release', { version: '4.10.1' }, { version: '3.9.0' }, 'medium'],
    ['acme_agent', { agent_version: 'v2.4.0' }, { agent_version: 'v2.1.0' }, 'medium', 'R-VAL-DOWNGRADE'],
    ['helm_release', { version: '4.10.1' }, { version: '4.10.2' }, 'low'],
    ['helm_release', { version: '4.9.1' }, { version: '4.10.0' }, 'low'],
    ['acme_agent', { api_version: '2.4' }, { api_version: '2.1' }, 'low'],
  ]);
});

describe('choices', () => {
  testLevels([
    [
      'kubernetes_persistent_volume_v1',
      { spec: [{ persistent_volume_reclaim_policy: 'Retain' }] },
      { spec: [{ persistent_volume_reclaim_policy: 'Delete' }] },
      'high',
      'R-VAL-DELETION',
    ],
    ['acme_volume', { deletion_policy: 'snapshot' }, { deletion_policy: 'delete' }, 'high', 'R-VAL-DELETION'],
    ['acme_volume', { reclaim_policy: 'Delete' }, { reclaim_policy: 'Retain' }, 'low'],
    ['acme_volume_class', { reclaim_policy: 'Retain' }, { reclaim_policy: 'Delete' }, 'medium', 'R-VAL-DELETION'],
    ['acme_address', { deletion_policy: 'retain' }, { deletion_policy: 'delete' }, 'medium', 'R-VAL-DELETION'],
    [
      'google_compute_global_address',
      { deletion_policy: 'ABANDON' },
      { deletion_policy: 'DELETE' },
      'medium',
      'R-VAL-DELETION',
    ],
    ['acme_stack', { on_delete: 'orphan' }, { on_delete: 'destroy' }, 'medium', 'R-VAL-DELETION'],
    [
      'aws_elasticache_parameter_group',
      { parameter: [{ name: 'maxmemory-policy', value: 'noeviction' }] },
      { parameter: [{ name: 'maxmemory-policy', value: 'allkeys-lfu' }] },
      'medium',
      'R-VAL-EVICTION',
    ],
    [
      'azurerm_redis_cache',
      { redis_configuration: [{ maxmemory_policy: 'noeviction' }] },
      { redis_configuration: [{ maxmemory_policy: 'allkeys-random' }] },
      'medium',
      'R-VAL-EVICTION',
    ],
    [
      'google_redis_instance',
      { redis_configs: { 'maxmemory-policy': 'volatile-lru' } },
      { redis_configs: { 'maxmemory-policy': 'allkeys-lru' } },
      'medium',
      'R-VAL-EVICTION',
    ],
    [
      'digitalocean_database_cluster',
      { eviction_policy: 'noeviction' },
      { eviction_policy: 'allkeys_lru' },
      'medium',
      'R-VAL-EVICTION',
    ],
    ['azurerm_kubernetes_cluster', { sku_tier: 'Premium' }, { sku_tier: 'Free' }, 'medium', 'R-VAL-TIER'],
    ['acme_firewall', { plan: 'enterprise' }, { plan: 'starter' }, 'medium', 'R-VAL-TIER'],
    ['acme_signon_rule', { factor_mode: '2FA' }, { factor_mode: '1FA' }, 'high', 'R-VAL-FACTOR'],
    ['acme_stack', { on_delete: 'destroy' }, { on_delete: 'orphan' }, 'low'],
    [
      'google_redis_instance',
      { redis_configs: { 'maxmemory-policy': 'allkeys-lru' } },
      { redis_configs: { 'maxmemory-policy': 'noeviction' } },
      'low',
    ],
    ['acme_cluster', { sku_tier: 'Free' }, { sku_tier: 'Standard' }, 'low'],
  ]);
});

describe('updates of packages', () => {
  testLevels([
    ['acme_operator', { version: '4.1.0' }, { version: '5.0.0' }, 'medium', 'R-VAL-LEAP'],
    ['helm_release', { version: '4.1.0' }, { version: '4.5.0' }, 'medium', 'R-VAL-LEAP'],
    ['acme_plugin', { version: 'v1.2.0' }, { version: 'v1.5.1' }, 'medium', 'R-VAL-LEAP'],
    ['acme_operator', { version: '4.1.0' }, { version: '4.3.9' }, 'low'],
    ['acme_operator', { version: '0.9.0' }, { version: '1.0.0' }, 'low'],
    ['aws_eks_addon', { addon_version: 'v1.30.1' }, { addon_version: 'v1.33.0' }, 'low'],
    ['acme_service', { version: '4.1.0' }, { version: '5.0.0' }, 'low'],
  ]);
});

describe('demands on TLS', () => {
  testLevels([
    ['acme_db', { ssl_mode: 'verify-full' }, { ssl_mode: 'prefer' }, 'high', 'R-VAL-GRADE'],
    ['acme_cache', { transit_encryption_mode: 'required' }, { transit_encryption_mode: 'preferred' }, 'high'],
    ['acme_db', { ssl_mode: 'require' }, { ssl_mode: 'verify-full' }, 'low'],
  ]);
});

describe('the end of a credential', () => {
  testLevels([
    ['acme_token', { expires_in: '30d' }, { expires_in: 'never' }, 'medium', 'R-VAL-ENDLESS'],
    ['acme_token', { max_ttl: '1h' }, { max_ttl: '0' }, 'medium', 'R-VAL-ENDLESS'],
    ['acme_token', { expires_in: 'never' }, { expires_in: '30d' }, 'low'],
  ]);
});
