import type { Template, Values } from '../types.ts';

const meta = (more: Values = {}): Values => ({
  metadata: [
    {
      annotations: {},
      generate_name: '',
      generation: 4,
      labels: { app: '$' },
      name: '$',
      namespace: 'shop',
      resource_version: '8812',
      uid: '5f0c',
      ...more,
    },
  ],
});

/** Kubernetes, GitHub, Cloudflare and Datadog. */
export const OTHERS: Record<string, Template> = {
  kubernetes_namespace_v1: {
    values: {
      id: '$',
      metadata: [
        { annotations: {}, generate_name: '', generation: 0, labels: {}, name: '$', resource_version: '1', uid: 'u' },
      ],
      timeouts: null,
      wait_for_default_service_account: false,
    },
    computed: ['id'],
  },
  kubernetes_persistent_volume_claim_v1: {
    values: {
      ...meta(),
      id: 'shop/$',
      spec: [
        {
          access_modes: ['ReadWriteOnce'],
          resources: [{ limits: {}, requests: { storage: '100Gi' } }],
          storage_class_name: 'gp3',
          volume_name: 'pvc-1',
        },
      ],
      timeouts: null,
      wait_until_bound: true,
    },
    computed: ['id'],
  },
  kubernetes_deployment_v1: {
    values: {
      ...meta(),
      id: 'shop/$',
      spec: [
        {
          min_ready_seconds: 0,
          replicas: '4',
          strategy: [{ type: 'RollingUpdate' }],
          template: [
            {
              metadata: [{ labels: { app: '$' } }],
              spec: [
                {
                  container: [
                    {
                      args: ['--listen', '8080'],
                      env: [{ name: 'MODE', value: 'prod', value_from: [] }],
                      image: 'registry.example/$:1.0.0',
                      image_pull_policy: 'IfNotPresent',
                      name: '$',
                      resources: [
                        { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } },
                      ],
                      security_context: [{ privileged: false, run_as_non_root: true }],
                    },
                  ],
                  host_network: false,
                  host_pid: false,
                  service_account_name: '$',
                },
              ],
            },
          ],
        },
      ],
      timeouts: null,
      wait_for_rollout: true,
    },
    computed: ['id'],
  },
  kubernetes_secret_v1: {
    values: {
      ...meta(),
      binary_data: null,
      data: { password: 'k8s-Secret-Sparrow-10' },
      id: 'shop/$',
      immutable: false,
      type: 'Opaque',
    },
    computed: ['id'],
    sensitive: ['data', 'binary_data'],
  },
  kubernetes_config_map_v1: {
    values: { ...meta(), binary_data: {}, data: { 'app.properties': 'mode=prod' }, id: 'shop/$', immutable: false },
    computed: ['id'],
  },
  kubernetes_cluster_role_binding_v1: {
    values: {
      id: '$',
      metadata: [{ annotations: {}, labels: {}, name: '$', resource_version: '1', uid: 'u' }],
      role_ref: [{ api_group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }],
      subject: [{ api_group: '', kind: 'ServiceAccount', name: '$', namespace: 'shop' }],
    },
    computed: ['id'],
  },
  kubernetes_cluster_role_v1: {
    values: {
      aggregation_rule: [],
      id: '$',
      metadata: [{ annotations: {}, labels: {}, name: '$', resource_version: '1', uid: 'u' }],
      rule: [
        { api_groups: [''], non_resource_urls: [], resource_names: [], resources: ['pods'], verbs: ['get', 'list'] },
      ],
    },
    computed: ['id'],
  },
  kubernetes_network_policy_v1: {
    values: {
      ...meta(),
      id: 'shop/$',
      spec: [
        {
          egress: [],
          ingress: [
            {
              from: [{ pod_selector: [{ match_labels: { app: 'web' } }] }],
              ports: [{ port: '5432', protocol: 'TCP' }],
            },
          ],
          pod_selector: [{ match_labels: { app: 'db' } }],
          policy_types: ['Ingress'],
        },
      ],
    },
    computed: ['id'],
  },
  kubernetes_service_v1: {
    values: {
      ...meta(),
      id: 'shop/$',
      spec: [
        {
          cluster_ip: '10.3.0.7',
          external_traffic_policy: '',
          load_balancer_source_ranges: [],
          port: [{ node_port: 0, port: 5432, protocol: 'TCP', target_port: '5432' }],
          selector: { app: 'db' },
          type: 'ClusterIP',
        },
      ],
      status: [],
      wait_for_load_balancer: true,
    },
    computed: ['id', 'status'],
  },
  helm_release: {
    values: {
      atomic: false,
      chart: '$',
      create_namespace: false,
      id: '$',
      metadata: [],
      name: '$',
      namespace: 'shop',
      replace: false,
      repository: 'https://charts.example',
      set: [],
      set_sensitive: [],
      status: 'deployed',
      timeout: 300,
      values: ['replicas: 3\n'],
      version: '4.1.0',
    },
    computed: ['id', 'metadata', 'status'],
  },
  github_repository: {
    values: {
      allow_merge_commit: false,
      archive_on_destroy: false,
      archived: false,
      default_branch: 'main',
      delete_branch_on_merge: true,
      description: 'the shop',
      full_name: 'shop/$',
      has_issues: true,
      id: '$',
      name: '$',
      node_id: 'R_1',
      private: true,
      repo_id: 91,
      topics: ['shop'],
      visibility: 'private',
      vulnerability_alerts: true,
    },
    computed: ['full_name', 'id', 'node_id', 'repo_id'],
  },
  github_branch_protection: {
    values: {
      allows_deletions: false,
      allows_force_pushes: false,
      enforce_admins: true,
      id: 'BPR_1',
      pattern: 'main',
      repository_id: '$',
      require_signed_commits: false,
      required_pull_request_reviews: [
        { dismiss_stale_reviews: true, require_code_owner_reviews: true, required_approving_review_count: 2 },
      ],
      required_status_checks: [{ contexts: ['test'], strict: true }],
    },
    computed: ['id'],
  },
  github_team_repository: {
    values: { etag: 'e', id: '12:shop', permission: 'push', repository: 'shop', team_id: '12' },
    computed: ['etag', 'id'],
  },
  github_repository_collaborator: {
    values: {
      id: 'shop:$',
      invitation_id: '',
      permission: 'pull',
      permission_diff_suppression: false,
      repository: 'shop',
      username: '$',
    },
    computed: ['id', 'invitation_id'],
  },
  github_actions_secret: {
    values: {
      created_at: '2026-01-01',
      encrypted_value: null,
      id: 'shop:DEPLOY',
      plaintext_value: 'gh-Actions-Secret-Finch-3',
      repository: 'shop',
      secret_name: 'DEPLOY',
      updated_at: '2026-01-01',
    },
    computed: ['created_at', 'id', 'updated_at'],
    sensitive: ['plaintext_value', 'encrypted_value'],
  },
  cloudflare_record: {
    values: {
      allow_overwrite: false,
      comment: '',
      content: '203.0.113.4',
      hostname: '$.shop.example',
      id: 'r1',
      name: '$',
      priority: null,
      proxied: true,
      tags: [],
      ttl: 1,
      type: 'A',
      zone_id: 'z1',
    },
    computed: ['hostname', 'id'],
  },
  cloudflare_zone: {
    values: {
      account_id: 'a',
      id: 'z1',
      jump_start: null,
      name_servers: ['a.ns.example'],
      paused: false,
      plan: 'business',
      status: 'active',
      type: 'full',
      zone: 'shop.example',
    },
    computed: ['id', 'name_servers', 'status'],
  },
  cloudflare_ruleset: {
    values: {
      description: '',
      id: 'rs1',
      kind: 'zone',
      name: '$',
      phase: 'http_request_firewall_custom',
      rules: [{ action: 'block', description: 'known bad', enabled: true, expression: '(ip.src in $bad)' }],
      zone_id: 'z1',
    },
    computed: ['id'],
  },
  cloudflare_zone_settings_override: {
    values: {
      id: 'z1',
      settings: [{ always_use_https: 'on', min_tls_version: '1.2', ssl: 'strict', tls_1_3: 'on' }],
      zone_id: 'z1',
    },
    computed: ['id'],
  },
  cloudflare_access_policy: {
    values: {
      account_id: 'a',
      application_id: 'app',
      decision: 'allow',
      id: 'p1',
      include: [{ email_domain: ['shop.example'], everyone: false }],
      name: '$',
      precedence: 1,
    },
    computed: ['id'],
  },
  datadog_monitor: {
    values: {
      escalation_message: '',
      id: '71',
      message: 'Errors rise @pagerduty-shop',
      name: '$',
      notify_no_data: true,
      priority: '1',
      query: 'sum(last_5m):sum:shop.errors{env:prod} > 50',
      renotify_interval: 10,
      tags: ['team:shop', 'env:prod'],
      type: 'metric alert',
    },
    computed: ['id'],
  },
  datadog_dashboard_json: {
    values: {
      dashboard: '{"title":"Shop","layout_type":"ordered","widgets":[]}',
      dashboard_lists: [],
      id: 'abc',
      url: '/dashboard/abc',
    },
    computed: ['id', 'url'],
  },
  datadog_api_key: {
    values: { id: 'k', key: 'dd-Api-Key-Swallow-88', name: '$' },
    computed: ['id', 'key'],
    sensitive: ['key'],
  },
};
