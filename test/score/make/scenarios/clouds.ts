import { create, createNoOp, destroy, replace, UNKNOWN, update } from '../changes.ts';
import { TEMPLATES } from '../templates/index.ts';
import type { Json, Scenario, Values } from '../types.ts';

/** The first item of a block with some members changed. */
function block(type: string, name: string, changes: Values): Json {
  const [first] = TEMPLATES[type]!.values[name] as [Values];
  return [{ ...first, ...changes }];
}

const ARM = '/subscriptions/00000000-1111-2222-3333-444444444444';

/** Google Cloud and Azure. */
export const CLOUD_SCENARIOS: readonly Scenario[] = [
  {
    file: 'google-sql-public-world',
    expected: 'critical',
    why: 'The database gets a public address, open to every address.',
    changes: [
      update('google_sql_database_instance.main', {
        settings: block('google_sql_database_instance', 'settings', {
          ip_configuration: [
            {
              authorized_networks: [{ expiration_time: '', name: 'all', value: '0.0.0.0/0' }],
              ipv4_enabled: true,
              private_network: 'projects/shop-prod/global/networks/main',
              ssl_mode: 'ALLOW_UNENCRYPTED_AND_ENCRYPTED',
            },
          ],
        }),
      }),
    ],
    beside: ['google', 5],
    keys: { 'google_sql_database_instance.main': 'critical' },
    secrets: ['Root-of-sql-Harbour-71'],
  },
  {
    file: 'google-sql-replaced-by-region',
    expected: 'critical',
    why: 'A different region creates a new, empty database.',
    changes: [replace('google_sql_database_instance.main', { region: 'europe-west4' }, { deletion_protection: false })],
    beside: ['google', 6],
    keys: { 'google_sql_database_instance.main': 'critical' },
  },
  {
    file: 'google-sql-backups-off',
    expected: 'high',
    why: 'Backups and point-in-time recovery are disabled.',
    changes: [
      update('google_sql_database_instance.main', {
        settings: block('google_sql_database_instance', 'settings', {
          backup_configuration: [
            {
              binary_log_enabled: false,
              enabled: false,
              location: '',
              point_in_time_recovery_enabled: false,
              start_time: '03:00',
              transaction_log_retention_days: 7,
            },
          ],
        }),
      }),
    ],
    beside: ['google', 4],
    keys: { 'google_sql_database_instance.main': 'high' },
  },
  {
    file: 'google-bucket-all-users',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'Anyone can read the bucket.',
    changes: [create('google_storage_bucket_iam_member.public', { member: 'allUsers' })],
    beside: ['google', 6],
    keys: { 'google_storage_bucket_iam_member.public': 'high-critical' },
  },
  {
    file: 'google-bucket-expiry',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'A new rule deletes every object after a month.',
    changes: [
      update('google_storage_bucket.invoices', {
        lifecycle_rule: [
          {
            action: [{ storage_class: '', type: 'Delete' }],
            condition: [{ age: 30, created_before: '', with_state: 'ANY' }],
          },
        ],
      }),
    ],
    beside: ['google', 3],
    keys: { 'google_storage_bucket.invoices': 'medium-high' },
  },
  {
    file: 'google-project-owner',
    expected: 'critical',
    why: 'A machine becomes owner of the production project.',
    changes: [create('google_project_iam_member.ci', { role: 'roles/owner' })],
    beside: ['google', 6],
    keys: { 'google_project_iam_member.ci': 'critical' },
  },
  {
    file: 'google-token-creator',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'Creating tokens for every service account of the project grants all of their permissions.',
    changes: [create('google_project_iam_member.ci', { role: 'roles/iam.serviceAccountTokenCreator' })],
    beside: ['google', 5],
    keys: { 'google_project_iam_member.ci': 'high-critical' },
  },
  {
    file: 'google-log-writer',
    expected: 'medium',
    acceptable: 'low-medium',
    why: 'A machine gets permission to write logs.',
    changes: [create('google_service_account.web'), create('google_project_iam_member.web')],
    beside: ['google', 2],
  },
  {
    file: 'google-project-policy-rewritten',
    expected: 'critical',
    why: 'The resource manages all permissions of the project and removes an owner.',
    changes: [
      update('google_project_iam_policy.prod', {
        policy_data:
          '{"bindings":[{"members":["serviceAccount:ci@shop-prod.iam.gserviceaccount.com"],"role":"roles/editor"}]}',
      }),
    ],
    beside: ['google', 4],
    keys: { 'google_project_iam_policy.prod': 'critical' },
  },
  {
    file: 'google-firewall-rdp-world',
    expected: 'critical',
    why: 'Remote desktop is opened to the internet, together with a harmless description change.',
    changes: [
      update('google_compute_firewall.ops', {
        description: 'for operations',
        allow: [{ ports: ['443', '3380-3390'], protocol: 'tcp' }],
        source_ranges: ['10.0.0.0/8', '0.0.0.0/0'],
      }),
    ],
    beside: ['google', 5],
    keys: { 'google_compute_firewall.ops': 'critical' },
  },
  {
    file: 'google-deny-rule-disabled',
    expected: 'high',
    acceptable: 'medium-critical',
    why: 'The rule that denies all traffic is disabled.',
    changes: [
      update(
        'google_compute_firewall.deny_all',
        { disabled: true },
        { allow: [], deny: [{ ports: [], protocol: 'all' }], source_ranges: ['0.0.0.0/0'] },
      ),
    ],
    beside: ['google', 3],
    keys: { 'google_compute_firewall.deny_all': 'medium-critical' },
  },
  {
    file: 'google-noise-links',
    expected: 'none',
    acceptable: 'none-low',
    why: 'The same network by short and full name, the same duration, and the same zone name.',
    changes: [
      update('google_compute_firewall.web', { network: 'projects/shop-prod/global/networks/main' }),
      update('google_compute_subnetwork.a', { network: 'projects/shop-prod/global/networks/main' }),
    ],
    noise: { 'google_compute_firewall.web': 'benign', 'google_compute_subnetwork.a': 'benign' },
  },
  {
    file: 'google-noise-links-twins',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'The name is the same, but the project differs.',
    changes: [
      update('google_compute_firewall.web', { network: 'projects/shop-dev/global/networks/main' }),
      update('google_compute_subnetwork.a', { network: 'projects/shop-prod/global/networks/main2' }),
    ],
    noise: { 'google_compute_firewall.web': 'novel', 'google_compute_subnetwork.a': 'novel' },
  },
  {
    file: 'google-cluster-control-plane-open',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'The control plane is reachable from anywhere.',
    changes: [
      update('google_container_cluster.prod', {
        master_authorized_networks_config: [{ cidr_blocks: [{ cidr_block: '0.0.0.0/0', display_name: 'all' }] }],
        private_cluster_config: [{ enable_private_endpoint: false, enable_private_nodes: true }],
      }),
    ],
    beside: ['google', 5],
    keys: { 'google_container_cluster.prod': 'high-critical' },
  },
  {
    file: 'google-pool-replaced',
    expected: 'high',
    why: 'All machines of the pool are destroyed before new ones are created.',
    changes: [
      replace('google_container_node_pool.main', {
        node_config: block('google_container_node_pool', 'node_config', { machine_type: 'e2-standard-8' }),
      }),
    ],
    beside: ['google', 3],
    keys: { 'google_container_node_pool.main': 'high' },
  },
  {
    file: 'google-project-deleted',
    expected: 'critical',
    why: 'A project is deleted with all its resources.',
    changes: [destroy('google_project.shop')],
    beside: ['google', 6],
    keys: { 'google_project.shop': 'critical' },
  },
  {
    file: 'google-admin-service-public',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'Anyone can invoke the admin service.',
    changes: [create('google_cloud_run_v2_service_iam_member.admin', { member: 'allUsers' })],
    beside: ['google', 4],
    keys: { 'google_cloud_run_v2_service_iam_member.admin': 'high-critical' },
  },
  {
    file: 'google-audit-sink-disabled',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'The audit log export is deleted.',
    changes: [update('google_logging_project_sink.audit', { disabled: true })],
    beside: ['google', 5],
    keys: { 'google_logging_project_sink.audit': 'high-critical' },
  },
  {
    file: 'google-secret-and-metadata',
    expected: 'medium',
    acceptable: 'low-high',
    why: 'A startup script in the metadata contains a plaintext password.',
    changes: [
      update('google_compute_instance.worker', {
        metadata: { 'block-project-ssh-keys': 'true', DB_PASSWORD: 'kestrel-Anvil-6208' },
      }),
      replace('google_secret_manager_secret_version.db', { secret_data: 'gcp-secret-Data-new-3311' }),
    ],
    beside: ['google', 2],
    secrets: ['kestrel-Anvil-6208', 'gcp-secret-Data-old-3310', 'gcp-secret-Data-new-3311'],
  },
  {
    file: 'azure-sql-firewall-world',
    expected: 'critical',
    why: 'Every address can reach the SQL server.',
    changes: [
      create('azurerm_mssql_firewall_rule.all', { start_ip_address: '0.0.0.0', end_ip_address: '255.255.255.255' }),
    ],
    beside: ['azurerm', 5],
    keys: { 'azurerm_mssql_firewall_rule.all': 'critical' },
  },
  {
    file: 'azure-database-replaced',
    expected: 'critical',
    why: 'A changed collation replaces the database with an empty one.',
    changes: [replace('azurerm_mssql_database.orders', { collation: 'Latin1_General_100_CI_AS' })],
    beside: ['azurerm', 5],
    keys: { 'azurerm_mssql_database.orders': 'critical' },
  },
  {
    file: 'azure-storage-opened',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'Public containers are allowed again, and one is public.',
    changes: [
      update('azurerm_storage_account.shop', { allow_nested_items_to_be_public: true }),
      update('azurerm_storage_container.invoices', { container_access_type: 'container' }),
    ],
    beside: ['azurerm', 5],
    keys: { 'azurerm_storage_container.invoices': 'high-critical' },
  },
  {
    file: 'azure-storage-network-allow',
    expected: 'high',
    why: 'The account accepts every network: the default action becomes Allow.',
    changes: [
      update('azurerm_storage_account.shop', {
        network_rules: block('azurerm_storage_account', 'network_rules', { default_action: 'Allow' }),
      }),
    ],
    beside: ['azurerm', 4],
    keys: { 'azurerm_storage_account.shop': 'high' },
  },
  {
    file: 'azure-group-deleted',
    expected: 'critical',
    why: 'The resource group is deleted with all its resources.',
    changes: [destroy('azurerm_resource_group.shop')],
    beside: ['azurerm', 5],
    keys: { 'azurerm_resource_group.shop': 'critical' },
  },
  {
    file: 'azure-noise-ids',
    expected: 'none',
    acceptable: 'none-low',
    why: 'Ids with different capitalization and a region by its display name.',
    changes: [
      update('azurerm_linux_web_app.shop', {
        service_plan_id: `${ARM}/resourcegroups/shop-prod/providers/Microsoft.Web/serverfarms/main`,
      }),
      update('azurerm_monitor_diagnostic_setting.audit', {
        log_analytics_workspace_id: `${ARM}/resourcegroups/shop-prod/providers/microsoft.operationalinsights/workspaces/main`,
      }),
    ],
    noise: { 'azurerm_linux_web_app.shop': 'benign', 'azurerm_monitor_diagnostic_setting.audit': 'benign' },
  },
  {
    file: 'azure-noise-ids-twins',
    expected: 'medium',
    acceptable: 'low-high',
    why: 'The same capitalization change, together with another plan and another workspace.',
    changes: [
      update('azurerm_linux_web_app.shop', {
        service_plan_id: `${ARM}/resourcegroups/shop-prod/providers/Microsoft.Web/serverfarms/main2`,
      }),
      update('azurerm_monitor_diagnostic_setting.audit', {
        log_analytics_workspace_id: `${ARM}/resourcegroups/shop-test/providers/microsoft.operationalinsights/workspaces/main`,
      }),
    ],
    noise: { 'azurerm_linux_web_app.shop': 'novel', 'azurerm_monitor_diagnostic_setting.audit': 'novel' },
  },
  {
    file: 'azure-machine-moved-by-case',
    expected: 'high',
    why: 'An id with different capitalization forces a replacement of the machine.',
    changes: [
      replace('azurerm_linux_virtual_machine.app', {
        network_interface_ids: [`${ARM}/resourcegroups/shop-prod/providers/microsoft.network/networkinterfaces/app`],
      }),
      createNoOp('azurerm_virtual_network.main'),
    ],
    beside: ['azurerm', 3],
    keys: { 'azurerm_linux_virtual_machine.app': 'high' },
    noise: { 'azurerm_linux_virtual_machine.app': 'novel' },
  },
  {
    file: 'azure-owner-of-subscription',
    expected: 'critical',
    why: 'A pipeline becomes owner of the subscription.',
    changes: [
      create('azurerm_role_assignment.ci', { role_definition_name: 'Owner', scope: ARM, principal_id: UNKNOWN }),
    ],
    beside: ['azurerm', 5],
    keys: { 'azurerm_role_assignment.ci': 'critical' },
  },
  {
    file: 'azure-lock-removed',
    expected: 'high',
    acceptable: 'medium-high',
    why: 'The lock that kept the SQL server from being deleted is removed.',
    changes: [destroy('azurerm_management_lock.sql')],
    beside: ['azurerm', 4],
    keys: { 'azurerm_management_lock.sql': 'medium-high' },
  },
  {
    file: 'azure-settings-with-secrets',
    expected: 'medium',
    acceptable: 'low-high',
    why: 'A plaintext connection string in the settings of a site.',
    changes: [
      update('azurerm_linux_web_app.shop', {
        app_settings: {
          MODE: 'prod',
          Storage__ConnectionString:
            'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5d2FsZG8xMjM0NTY3ODkwYWJjZA==;EndpointSuffix=core.windows.net',
          SENDGRID_TOKEN: 'linnet-Copper-9921-brook',
        },
      }),
      update('azurerm_key_vault_secret.db', { value: 'vault-Secret-Rowan-9', version: UNKNOWN }),
    ],
    beside: ['azurerm', 2],
    secrets: [
      'Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5d2FsZG8xMjM0NTY3ODkwYWJjZA',
      'linnet-Copper-9921-brook',
      'vault-Secret-Rowan-9',
      'vault-Secret-Bramble-8',
    ],
  },
];
