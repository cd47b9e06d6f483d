/** Grants to the services of a cloud: who writes logs, uses keys, calls functions or pulls images. */
import type { JsonObject } from '../../../model/result.ts';
import { at, list, member, strings, text } from '../../attributes/values.ts';
import { refersTo } from '../neighbors.ts';
import type { Gone, Need } from './types.ts';

const GRANTED = [
  'google_storage_bucket',
  'google_pubsub_topic',
  'google_pubsub_subscription',
  'google_bigquery_dataset',
  'google_kms_crypto_key',
  'google_kms_key_ring',
  'google_secret_manager_secret',
  'google_artifact_registry_repository',
  'google_service_account',
  'google_cloud_run_service',
  'google_cloud_run_v2_service',
  'google_project',
];
/** Google grants that lose members. */
export const GOOGLE_GRANTS: readonly string[] = GRANTED.flatMap((type) => [
  `${type}_iam_member`,
  `${type}_iam_binding`,
]);
const TARGET_NAMES = [
  'bucket',
  'topic',
  'subscription',
  'dataset_id',
  'crypto_key_id',
  'key_ring_id',
  'secret_id',
  'repository',
  'service_account_id',
  'service',
  'name',
  'project',
];

export function readMembers(side: JsonObject): string[] {
  return [...strings(member(side, 'member')), ...strings(member(side, 'members'))];
}

/** Whether another grant of the plan gives a member access to the same resource. */
function isGrantedElsewhere({ type, side, plan }: Gone, who: string): boolean {
  const kind = type.replace(/_iam_(?:member|binding)$/, '');
  const grants = plan.find([`${kind}_iam_member`, `${kind}_iam_binding`]);
  return grants.some(({ after, before }) => {
    if (after === null || before === side) return false;
    return (
      readMembers(after).includes(who) &&
      TARGET_NAMES.every((name) => same(after, side, name)) &&
      same(after, side, 'role')
    );
  });
}

const same = (a: JsonObject, b: JsonObject, name: string): boolean => text(member(a, name)) === text(member(b, name));

const SINKS = ['project', 'folder', 'organization', 'billing_account'].map((owner) => `google_logging_${owner}_sink`);

/** Types that encrypt with a key, with the part of the name of the agent that does it for them. */
const KEY_USERS: Readonly<Record<string, string>> = {
  google_sql_database_instance: 'cloud-sql',
  google_storage_bucket: 'gs-project-accounts',
  google_bigquery_dataset: 'bq-',
  google_bigquery_table: 'bq-',
  google_compute_disk: 'compute-system',
  google_compute_instance: 'compute-system',
  google_pubsub_topic: 'pubsub',
  google_container_cluster: 'container-engine-robot',
  google_artifact_registry_repository: 'artifactregistry',
  google_secret_manager_secret: 'secretmanager',
  google_redis_instance: 'cloud-redis',
  google_spanner_database: 'spanner',
  google_alloydb_cluster: 'alloydb',
  google_filestore_instance: 'filestore',
  google_dataproc_cluster: 'dataproc',
};

const MAX_DEPTH = 8;

/** Whether a value names something anywhere inside. */
function mentions(value: JsonObject[string] | undefined, name: string, depth = 0): boolean {
  if (typeof value === 'string') return value === name || value.endsWith(`/${name}`) || value.startsWith(`${name}/`);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  return Object.values(value).some((inner) => mentions(inner, name, depth + 1));
}

const AZURE_GRANTS = ['azurerm_role_assignment', 'azurerm_key_vault_access_policy'];
const AZURE_USERS = [
  'azurerm_storage_account',
  'azurerm_disk_encryption_set',
  'azurerm_kubernetes_cluster',
  'azurerm_linux_web_app',
  'azurerm_windows_web_app',
  'azurerm_linux_function_app',
  'azurerm_container_app',
  'azurerm_cosmosdb_account',
  'azurerm_mssql_server',
  'azurerm_user_assigned_identity',
  'azurerm_application_gateway',
];
const AZURE_ROLES =
  /^(?:Key Vault (?:Crypto Service Encryption User|Crypto User|Secrets User|Certificate User)|AcrPull|Network Contributor|Storage Blob Data (?:Reader|Contributor)|Private DNS Zone Contributor)$/i;

function isUsedGrant({ side, type }: Gone): boolean {
  return type !== 'azurerm_role_assignment' || AZURE_ROLES.test(text(member(side, 'role_definition_name')));
}

export const GRANT_NEEDS: readonly Need[] = [
  {
    types: GOOGLE_GRANTS,
    users: SINKS,
    needs: (sink, gone) => {
      const writer = text(member(sink, 'writer_identity'));
      return writer !== '' && gone.members.includes(writer) && !isGrantedElsewhere(gone, writer);
    },
    level: 'high',
    says: 'the writer of the log sink may not write any more, so logs are lost without an error',
  },
  {
    types: GOOGLE_GRANTS.filter((type) => /_kms_/.test(type)),
    users: Object.keys(KEY_USERS),
    needs: (user, gone, { type }) => {
      const key = text(member(gone.side, 'crypto_key_id')) || text(member(gone.side, 'key_ring_id'));
      const agents = gone.members.filter((who) => who.includes(KEY_USERS[type] ?? ' '));
      return key !== '' && mentions(user, key) && agents.some((who) => !isGrantedElsewhere(gone, who));
    },
    level: 'high',
    says: 'it is encrypted with the key, which its service may not use any more, so it stops working',
  },
  {
    types: AZURE_GRANTS,
    users: AZURE_USERS,
    needs: (user, gone) => {
      if (!isUsedGrant(gone)) return false;
      const who = text(member(gone.side, 'principal_id')) || text(member(gone.side, 'object_id'));
      const owned = [
        text(member(user, 'principal_id')),
        ...['identity', 'kubelet_identity'].map(
          (name) => text(at(user, name, 'principal_id')) || text(at(user, name, 'object_id')),
        ),
      ];
      return who !== '' && owned.includes(who);
    },
    level: 'high',
    says: 'its identity loses a permission that it works with',
  },
];

const TRIGGERS: Readonly<Record<string, readonly [service: string, read: (side: JsonObject) => readonly string[]]>> = {
  aws_cloudwatch_event_target: ['events', (side) => strings(member(side, 'arn'))],
  aws_s3_bucket_notification: [
    's3',
    (side) => list(member(side, 'lambda_function')).map((block) => text(member(block, 'lambda_function_arn'))),
  ],
  aws_sns_topic_subscription: ['sns', (side) => strings(member(side, 'endpoint'))],
  aws_cloudwatch_log_subscription_filter: ['logs', (side) => strings(member(side, 'destination_arn'))],
  aws_apigatewayv2_integration: ['apigateway', (side) => strings(member(side, 'integration_uri'))],
  aws_api_gateway_integration: ['apigateway', (side) => strings(member(side, 'uri'))],
  aws_lb_target_group_attachment: ['elasticloadbalancing', (side) => strings(member(side, 'target_id'))],
  aws_cognito_user_pool: ['cognito-idp', (side) => Object.values(at(side, 'lambda_config') ?? {}).map(text)],
};

const ROLE_USERS: readonly [policy: RegExp, type: string, attribute: string][] = [
  [/AWSLambda\w{0,40}ExecutionRole$/, 'aws_lambda_function', 'role'],
  [/AmazonEKS(?:ClusterPolicy|ServicePolicy|VPCResourceController)$/, 'aws_eks_cluster', 'role_arn'],
  [
    /AmazonEKS(?:WorkerNodePolicy|_CNI_Policy)$|AmazonEC2ContainerRegistry\w{0,20}$/,
    'aws_eks_node_group',
    'node_role_arn',
  ],
  [/AmazonECSTaskExecutionRolePolicy$/, 'aws_ecs_task_definition', 'execution_role_arn'],
  [/AWSBackupServiceRolePolicyFor\w{0,20}$/, 'aws_backup_selection', 'iam_role_arn'],
  [/AmazonRDSEnhancedMonitoringRole$/, 'aws_db_instance', 'monitoring_role_arn'],
  [/AWS_?ConfigRole$/, 'aws_config_configuration_recorder', 'role_arn'],
  [/AmazonDMS\w{0,40}Role$/, 'aws_dms_replication_instance', 'role_arn'],
];

const LOG_WRITERS: Readonly<Record<string, (side: JsonObject) => string>> = {
  aws_cloudtrail: (side) => text(member(side, 's3_bucket_name')),
  aws_config_delivery_channel: (side) => text(member(side, 's3_bucket_name')),
  aws_lb: (side) => text(at(side, 'access_logs', 'bucket')),
  aws_alb: (side) => text(at(side, 'access_logs', 'bucket')),
};

export const AWS_GRANT_NEEDS: readonly Need[] = [
  {
    types: ['aws_lambda_permission'],
    users: Object.keys(TRIGGERS),
    needs: (trigger, { side, plan }, { type }) => {
      const [service, read] = TRIGGERS[type]!;
      const name = text(member(side, 'function_name'));
      const of = (permission: JsonObject): boolean =>
        text(member(permission, 'principal')).startsWith(`${service}.`) &&
        text(member(permission, 'function_name')) === name;
      if (!of(side) || name === '' || !read(trigger).some((arn) => refersTo(arn, { name, arn: name }))) return false;
      return !plan.find(['aws_lambda_permission']).some(({ after }) => after !== null && of(after));
    },
    level: 'high',
    says: 'it may not call the function any more, so its events are lost',
  },
  {
    types: ['aws_sqs_queue_policy'],
    users: ['aws_sns_topic_subscription', 'aws_s3_bucket_notification', 'aws_cloudwatch_event_target'],
    needs: (sender, { side }) => {
      const name = text(member(side, 'queue_url')).split(/[:/]/).at(-1) ?? '';
      const targets = [
        ...strings(member(sender, 'endpoint')),
        ...strings(member(sender, 'arn')),
        ...list(member(sender, 'queue')).map((block) => text(member(block, 'queue_arn'))),
      ];
      return name !== '' && targets.some((arn) => arn.includes(':sqs:') && arn.endsWith(`:${name}`));
    },
    level: 'high',
    says: 'it may not send to the queue any more, so its messages are lost',
  },
  {
    types: ['aws_s3_bucket_policy'],
    users: Object.keys(LOG_WRITERS),
    needs: (writer, { side }, { type }) => {
      const bucket = text(member(side, 'bucket'));
      return bucket !== '' && LOG_WRITERS[type]!(writer) === bucket;
    },
    level: 'high',
    says: 'it may not write its logs to the bucket any more',
  },
  {
    types: ['aws_iam_role_policy_attachment'],
    users: ROLE_USERS.map(([, type]) => type),
    needs: (user, { side, plan }, { type }) => {
      const [policy, name] = [text(member(side, 'policy_arn')), text(member(side, 'role'))];
      const stays = plan
        .find(['aws_iam_role_policy_attachment'])
        .some(({ after }) => after !== null && same(after, side, 'role') && same(after, side, 'policy_arn'));
      return (
        !stays &&
        name !== '' &&
        ROLE_USERS.some(
          ([pattern, used_by, attribute]) =>
            used_by === type && pattern.test(policy) && refersTo(member(user, attribute), { name }),
        )
      );
    },
    level: 'high',
    says: 'its role loses the permissions that the service works with',
  },
];
