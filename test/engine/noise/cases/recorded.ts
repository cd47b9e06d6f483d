/** What a provider or a controller records, and other notations of one value. */
import { noise, twin } from './build-case.ts';

const DAY_1 = '2026-01-01T00:00:00Z';
const DAY_2 = '2026-01-02T00:00:00Z';

export const RECORDED_CASES = [
  noise('when a function was changed', 'aws_lambda_function', { last_modified: DAY_1 }, { last_modified: DAY_2 }),
  noise(
    'the state of a distribution',
    'aws_cloudfront_distribution',
    { etag: 'E1', in_progress_validation_batches: 0 },
    { etag: 'E2', in_progress_validation_batches: 1 },
  ),
  noise('the state of a cluster', 'mongodbatlas_advanced_cluster', { state_name: 'IDLE' }, { state_name: 'UPDATING' }),
  noise(
    'the last incident',
    'pagerduty_service',
    { last_incident_timestamp: DAY_1 },
    { last_incident_timestamp: DAY_2 },
  ),
  noise(
    'a version counter in a block',
    'google_sql_database_instance',
    { settings: [{ tier: 'a', version: 12 }] },
    { settings: [{ tier: 'a', version: 13 }] },
  ),
  noise(
    'the revision of a release',
    'helm_release',
    { chart: 'a', metadata: [{ revision: 3 }] },
    { chart: 'a', metadata: [{ revision: 4 }] },
  ),
  noise(
    'the client of Cloud Run',
    'google_cloud_run_v2_service',
    { client: 'gcloud', client_version: '480.0.0' },
    { client: 'terraform', client_version: '1.0.0' },
  ),
  noise(
    'an annotation of the deployment controller',
    'kubernetes_deployment_v1',
    { metadata: [{ annotations: { 'deployment.kubernetes.io/revision': '4' } }] },
    { metadata: [{ annotations: {} }] },
  ),
  noise(
    'the label with the name of a namespace',
    'kubernetes_namespace_v1',
    { metadata: [{ labels: { 'kubernetes.io/metadata.name': 'a' } }] },
    { metadata: [{ labels: {} }] },
  ),
  noise('a star as zone files write it', 'aws_route53_record', { name: '\\052.a.example' }, { name: '*.a.example' }),
  noise(
    'quotes around a TXT record',
    'cloudflare_record',
    { type: 'TXT', content: '"v=spf1 -all"' },
    { type: 'TXT', content: 'v=spf1 -all' },
  ),
  noise(
    'the case of a subnet',
    'azurerm_private_endpoint',
    { subnet_id: '/subscriptions/a/resourceGroups/b/providers/Microsoft.Network/virtualNetworks/c/subnets/d' },
    { subnet_id: '/subscriptions/a/resourceGroups/b/providers/Microsoft.Network/virtualNetworks/C/subnets/D' },
  ),
  noise(
    'the default of a block',
    'aws_s3_bucket_versioning',
    { versioning_configuration: [{ status: 'Enabled', mfa_delete: '' }] },
    { versioning_configuration: [{ status: 'Enabled', mfa_delete: 'Disabled' }] },
  ),
  noise('the case of a user name', 'github_team_membership', { username: 'Ana' }, { username: 'ana' }),
  noise(
    'quotes around an identifier in upper case',
    'snowflake_grant_privileges_to_account_role',
    { account_role_name: '"ANALYST"' },
    { account_role_name: 'analyst' },
  ),
  noise(
    'the case of an email address',
    'azurerm_monitor_action_group',
    { email_receiver: [{ name: 'a', email_address: 'Ops@example.com' }] },
    { email_receiver: [{ name: 'a', email_address: 'ops@example.com' }] },
  ),

  twin(
    'names of documents have a case',
    'azurerm_cosmosdb_sql_container',
    { scope_id: '/subscriptions/a/resourceGroups/b/providers/Microsoft.DocumentDB/databaseAccounts/c/sqlDatabases/d' },
    { scope_id: '/subscriptions/a/resourceGroups/b/providers/Microsoft.DocumentDB/databaseAccounts/c/sqlDatabases/D' },
  ),
  twin('the status is an argument', 'okta_app_oauth', { status: 'ACTIVE' }, { status: 'INACTIVE' }),
  twin('the version is an argument', 'aws_eks_cluster', { version: '1.29' }, { version: '1.30' }),
  twin('nobody knows the type', 'acme_pool', { state_name: 'open' }, { state_name: 'closed' }),
  twin('the status may be an argument of a later release', 'aws_lb', { status: 'on' }, { status: 'off' }),
  twin('the version goes back', 'aws_ssm_parameter', { version: 4 }, { version: 3 }),
  twin('nobody knows the version', 'acme_pool', { version: 3 }, { version: 4 }),
  twin(
    'the version in the block is an argument',
    'aws_glue_job',
    { command: [{ python_version: '2' }] },
    { command: [{ python_version: '3' }] },
  ),
  twin(
    'a controller reads the annotation',
    'kubernetes_service_v1',
    { metadata: [{ annotations: { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'true' } }] },
    { metadata: [{ annotations: {} }] },
  ),
  twin(
    'the label decides which pods may start',
    'kubernetes_namespace_v1',
    { metadata: [{ labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } }] },
    { metadata: [{ labels: {} }] },
  ),
  twin(
    'the annotation is new',
    'kubernetes_deployment_v1',
    { metadata: [{ annotations: {} }] },
    { metadata: [{ annotations: { 'deployment.kubernetes.io/revision': '4' } }] },
  ),
  twin('a star is no name', 'aws_route53_record', { name: '\\052.a.example' }, { name: 'www.a.example' }),
  twin(
    'the quotes divide a TXT record of Google Cloud',
    'google_dns_record_set',
    { type: 'TXT', rrdatas: ['"v=spf1 -all"'] },
    { type: 'TXT', rrdatas: ['v=spf1 -all'] },
  ),
  twin(
    'the text of the TXT record differs',
    'cloudflare_record',
    { type: 'TXT', content: '"v=spf1 -all"' },
    { type: 'TXT', content: 'v=spf1 ~all' },
  ),
  twin(
    'the quotes keep small letters',
    'snowflake_grant_privileges_to_account_role',
    { account_role_name: '"analyst"' },
    { account_role_name: 'ANALYST' },
  ),
  twin(
    'somebody else gets the messages',
    'azurerm_monitor_action_group',
    { email_receiver: [{ name: 'a', email_address: 'ops@example.com' }] },
    { email_receiver: [{ name: 'a', email_address: 'ops@example.org' }] },
  ),
  twin(
    'the function changes, too',
    'aws_lambda_function',
    { last_modified: DAY_1, memory_size: 128 },
    { last_modified: DAY_2, memory_size: 256 },
  ),
];
