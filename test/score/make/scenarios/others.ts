import { create, createNoOp, destroy, replace, UNKNOWN, update } from '../changes.ts';
import type { Json, Scenario, Values } from '../types.ts';

/** The spec of a deployment with some members of its pod and of its only container changed. */
function deployment(name: string, container: Values, pod: Values = {}, replicas = '4'): Json {
  const resources = [{ limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } }];
  const shown = {
    args: ['--listen', '8080'],
    env: [{ name: 'MODE', value: 'prod', value_from: [] }],
    image: `registry.example/${name}:1.0.0`,
    image_pull_policy: 'IfNotPresent',
    name,
    resources,
    security_context: [{ privileged: false, run_as_non_root: true }],
    ...container,
  };
  const spec = [{ container: [shown], host_network: false, host_pid: false, service_account_name: name, ...pod }];
  return [
    {
      min_ready_seconds: 0,
      replicas,
      strategy: [{ type: 'RollingUpdate' }],
      template: [{ metadata: [{ labels: { app: name } }], spec }],
    },
  ];
}

const REVIEWS: Values = {
  dismiss_stale_reviews: true,
  require_code_owner_reviews: true,
  required_approving_review_count: 2,
};

/** Kubernetes, GitHub, Cloudflare and Datadog, and plans of several clouds. */
export const OTHER_SCENARIOS: readonly Scenario[] = [
  {
    file: 'k8s-release',
    expected: 'low',
    acceptable: 'low-medium',
    why: 'A new image of one deployment.',
    changes: [
      update('kubernetes_deployment_v1.web', { spec: deployment('web', { image: 'registry.example/web:1.0.1' }) }),
    ],
    noise: { 'kubernetes_deployment_v1.web': 'novel' },
  },
  {
    file: 'k8s-namespace-deleted',
    expected: 'critical',
    why: 'The namespace is deleted with all its objects.',
    changes: [
      destroy('kubernetes_namespace_v1.shop'),
      update('kubernetes_config_map_v1.web', { data: { 'app.properties': 'mode=test' } }),
    ],
    keys: { 'kubernetes_namespace_v1.shop': 'critical' },
  },
  {
    file: 'k8s-claim-replaced',
    expected: 'critical',
    why: 'A changed storage class replaces the database volume with an empty one.',
    changes: [
      replace('kubernetes_persistent_volume_claim_v1.db', {
        spec: [
          {
            access_modes: ['ReadWriteOnce'],
            resources: [{ limits: {}, requests: { storage: '100Gi' } }],
            storage_class_name: 'io2',
            volume_name: 'pvc-1',
          },
        ],
      }),
      update('kubernetes_deployment_v1.web', { spec: deployment('web', { image: 'registry.example/web:1.0.1' }) }),
    ],
    keys: { 'kubernetes_persistent_volume_claim_v1.db': 'critical' },
  },
  {
    file: 'k8s-cluster-admin',
    expected: 'critical',
    why: 'The service account of the web pods becomes cluster administrator.',
    changes: [
      replace('kubernetes_cluster_role_binding_v1.web', {
        role_ref: [{ api_group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }],
      }),
    ],
    keys: { 'kubernetes_cluster_role_binding_v1.web': 'critical' },
  },
  {
    file: 'k8s-role-everything',
    expected: 'critical',
    acceptable: 'high-critical',
    why: 'All verbs on all resources of all API groups are equivalent to cluster-admin.',
    changes: [
      update('kubernetes_cluster_role_v1.ops', {
        rule: [{ api_groups: ['*'], non_resource_urls: [], resource_names: [], resources: ['*'], verbs: ['*'] }],
      }),
    ],
    keys: { 'kubernetes_cluster_role_v1.ops': 'high-critical' },
  },
  {
    file: 'k8s-secrets-readable',
    expected: 'high',
    acceptable: 'medium-critical',
    why: 'The role can read every secret of the cluster.',
    changes: [
      update('kubernetes_cluster_role_v1.viewer', {
        rule: [
          {
            api_groups: [''],
            non_resource_urls: [],
            resource_names: [],
            resources: ['pods', 'secrets'],
            verbs: ['get', 'list'],
          },
        ],
      }),
    ],
    keys: { 'kubernetes_cluster_role_v1.viewer': 'medium-critical' },
  },
  {
    file: 'k8s-privileged-pod',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'A privileged container with host network has root access to the node.',
    changes: [
      update('kubernetes_deployment_v1.agent', {
        spec: deployment(
          'agent',
          { security_context: [{ privileged: true, run_as_non_root: false }] },
          { host_network: true, host_pid: true },
        ),
      }),
    ],
    keys: { 'kubernetes_deployment_v1.agent': 'medium-high' },
  },
  {
    file: 'k8s-network-policy-deleted',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'Every pod can reach the database again.',
    changes: [destroy('kubernetes_network_policy_v1.db'), createNoOp('kubernetes_namespace_v1.shop')],
    keys: { 'kubernetes_network_policy_v1.db': 'medium-high' },
  },
  {
    file: 'k8s-database-on-load-balancer',
    expected: 'high',
    acceptable: 'medium-critical',
    why: 'The database service gets a public load balancer without source ranges.',
    changes: [
      update('kubernetes_service_v1.db', {
        spec: [
          {
            cluster_ip: '10.3.0.7',
            external_traffic_policy: 'Cluster',
            load_balancer_source_ranges: [],
            port: [{ node_port: 31000, port: 5432, protocol: 'TCP', target_port: '5432' }],
            selector: { app: 'db' },
            type: 'LoadBalancer',
          },
        ],
        status: UNKNOWN,
      }),
    ],
    keys: { 'kubernetes_service_v1.db': 'high-critical' },
  },
  {
    file: 'k8s-scaled-to-zero',
    expected: 'high',
    why: 'The web frontend is scaled to zero.',
    changes: [update('kubernetes_deployment_v1.web', { spec: deployment('web', {}, {}, '0') })],
    keys: { 'kubernetes_deployment_v1.web': 'high' },
  },
  {
    file: 'k8s-release-removed',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'The ingress controller is uninstalled, so nothing is reachable.',
    changes: [destroy('helm_release.ingress')],
    keys: { 'helm_release.ingress': 'high-critical' },
  },
  {
    file: 'k8s-order-of-arguments',
    expected: 'low',
    acceptable: 'low-medium',
    why: 'A different order of arguments is a different command.',
    changes: [update('kubernetes_deployment_v1.web', { spec: deployment('web', { args: ['8080', '--listen'] }) })],
    noise: { 'kubernetes_deployment_v1.web': 'novel' },
  },
  {
    file: 'k8s-secrets-in-plain-places',
    expected: 'medium',
    acceptable: 'low-high',
    why: 'A token in a config map, a password in chart values, and a key in a pod environment.',
    changes: [
      update('kubernetes_secret_v1.db', { data: { password: 'k8s-Secret-Robin-11' } }),
      update('kubernetes_config_map_v1.web', {
        data: { 'app.properties': 'mode=prod\nspring.datasource.password=plover-Garden-3377\n' },
      }),
      update('helm_release.grafana', {
        values: ['replicas: 3\nadminPassword: siskin-Timber-9012\n'],
        metadata: UNKNOWN,
      }),
      update('kubernetes_deployment_v1.web', {
        spec: deployment('web', { env: [{ name: 'API_TOKEN', value: 'dunlin-Marble-6655-x', value_from: [] }] }),
      }),
    ],
    secrets: [
      'k8s-Secret-Robin-11',
      'k8s-Secret-Sparrow-10',
      'plover-Garden-3377',
      'siskin-Timber-9012',
      'dunlin-Marble-6655-x',
    ],
  },
  {
    file: 'github-repository-public',
    expected: 'critical',
    acceptable: 'high-critical',
    why: 'A private repository becomes public.',
    changes: [update('github_repository.shop', { visibility: 'public', private: false })],
    keys: { 'github_repository.shop': 'high-critical' },
  },
  {
    file: 'github-repository-deleted',
    expected: 'critical',
    why: 'Code, issues and releases are deleted.',
    changes: [destroy('github_repository.shop')],
    keys: { 'github_repository.shop': 'critical' },
  },
  {
    file: 'github-protection-weakened',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'The main branch allows force pushes, exempts administrators and requires no review.',
    changes: [
      update('github_branch_protection.main', {
        allows_force_pushes: true,
        enforce_admins: false,
        required_pull_request_reviews: [],
      }),
    ],
    keys: { 'github_branch_protection.main': 'medium-high' },
  },
  {
    file: 'github-protection-deleted',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'Anyone with write access can push to main.',
    changes: [
      destroy('github_branch_protection.main'),
      update('github_repository.shop', { description: 'the web shop' }),
    ],
    keys: { 'github_branch_protection.main': 'medium-high' },
  },
  {
    file: 'github-protection-hardened',
    expected: 'low',
    acceptable: 'none-medium',
    why: 'One additional review is required.',
    changes: [
      update('github_branch_protection.main', {
        required_pull_request_reviews: [{ ...REVIEWS, required_approving_review_count: 3 }],
      }),
    ],
    noise: { 'github_branch_protection.main': 'novel' },
  },
  {
    file: 'github-outsider-admin',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'An outside collaborator becomes administrator of the repository.',
    changes: [create('github_repository_collaborator.freelancer', { permission: 'admin' })],
    keys: { 'github_repository_collaborator.freelancer': 'high-critical' },
  },
  {
    file: 'github-secret-rotated',
    expected: 'low',
    acceptable: 'low-medium',
    why: 'A pipeline secret is rotated.',
    changes: [
      replace('github_actions_secret.deploy', { plaintext_value: 'gh-Actions-Secret-Wren-4' }),
      update('github_repository.shop', { topics: ['shop', 'web'] }),
    ],
    secrets: ['gh-Actions-Secret-Wren-4', 'gh-Actions-Secret-Finch-3'],
  },
  {
    file: 'cloudflare-zone-deleted',
    expected: 'critical',
    acceptable: 'high-critical',
    why: 'Every name of the shop stops resolving.',
    changes: [destroy('cloudflare_zone.shop')],
    keys: { 'cloudflare_zone.shop': 'high-critical' },
  },
  {
    file: 'cloudflare-proxy-off',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'The origin address becomes public, without firewall and DDoS protection.',
    changes: [update('cloudflare_record.www', { proxied: false })],
    keys: { 'cloudflare_record.www': 'medium-high' },
  },
  {
    file: 'cloudflare-firewall-rule-disabled',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'The only blocking rule is disabled.',
    changes: [
      update('cloudflare_ruleset.waf', {
        rules: [{ action: 'block', description: 'known bad', enabled: false, expression: '(ip.src in $bad)' }],
      }),
    ],
    keys: { 'cloudflare_ruleset.waf': 'medium-high' },
  },
  {
    file: 'cloudflare-tls-flexible',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'Traffic between edge and origin is unencrypted, and clients can use TLS 1.0.',
    changes: [
      update('cloudflare_zone_settings_override.shop', {
        settings: [{ always_use_https: 'off', min_tls_version: '1.0', ssl: 'flexible', tls_1_3: 'on' }],
      }),
    ],
    keys: { 'cloudflare_zone_settings_override.shop': 'medium-high' },
  },
  {
    file: 'cloudflare-access-everyone',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'The internal application allows everyone.',
    changes: [update('cloudflare_access_policy.admin', { include: [{ email_domain: [], everyone: true }] })],
    keys: { 'cloudflare_access_policy.admin': 'high-critical' },
  },
  {
    file: 'cloudflare-comment',
    expected: 'none',
    acceptable: 'none-low',
    why: 'A changed comment on a record.',
    changes: [update('cloudflare_record.www', { comment: 'web front' })],
  },
  {
    file: 'datadog-monitors-tuned',
    expected: 'low',
    acceptable: 'none-low',
    why: 'A changed threshold, and a dashboard with formatting changes only.',
    changes: [
      update('datadog_monitor.errors', { query: 'sum(last_5m):sum:shop.errors{env:prod} > 60' }),
      update('datadog_dashboard_json.shop', {
        dashboard: '{ "layout_type": "ordered", "title": "Shop", "widgets": [] }',
      }),
    ],
    noise: { 'datadog_monitor.errors': 'novel', 'datadog_dashboard_json.shop': 'benign' },
  },
  {
    file: 'datadog-monitors-deleted',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'The paging alert for the shop is removed.',
    changes: [destroy('datadog_monitor.errors'), destroy('datadog_monitor.latency'), create('datadog_api_key.ci')],
    keys: { 'datadog_monitor.errors': 'medium-high' },
  },
  {
    file: 'mixed-release-hides-bucket',
    expected: 'critical',
    why: 'Thirty routine changes in three clouds, and one bucket that is replaced because of its name.',
    changes: [
      update('kubernetes_deployment_v1.web', { spec: deployment('web', { image: 'registry.example/web:1.0.2' }) }),
      update('github_repository.shop', { description: 'web shop' }),
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) =>
        update(`aws_cloudwatch_metric_alarm.${name}`, { threshold: 11 }),
      ),
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) =>
        update(`aws_instance.${name}`, { tags: { Env: 'prod', Wave: '2' }, tags_all: { Env: 'prod', Wave: '2' } }),
      ),
      replace('google_storage_bucket.invoices', { name: 'invoices-eu' }),
      update('cloudflare_record.www', { comment: 'front' }),
    ],
    beside: ['aws', 8],
    keys: { 'google_storage_bucket.invoices': 'critical' },
  },
  {
    file: 'mixed-routine-wave',
    expected: 'low',
    why: 'Tag, label and threshold changes in all clouds.',
    changes: [
      update('google_storage_bucket.assets', {
        labels: { env: 'prod', wave: '2' },
        effective_labels: { env: 'prod', wave: '2' },
        terraform_labels: { env: 'prod', wave: '2' },
      }),
      update('azurerm_storage_account.shop', { tags: { env: 'prod', wave: '2' } }),
      update('datadog_monitor.errors', { renotify_interval: 20 }),
      update('aws_iam_role.web', { tags: { Env: 'prod', Wave: '2' }, tags_all: { Env: 'prod', Wave: '2' } }),
    ],
    beside: ['aws', 8],
    keys: { 'google_storage_bucket.assets': 'none', 'azurerm_storage_account.shop': 'none', 'aws_iam_role.web': 'low' },
  },
];
