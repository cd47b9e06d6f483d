/** Grants of Google Cloud and Azure: who writes logs, uses keys or pulls images. */
import type { JsonObject } from '../../../model/result.ts';
import type { Value } from '../../attributes/types.ts';
import { at, member, strings, text } from '../../attributes/values.ts';
import type { Index } from '../neighbors.ts';
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

const toGrantKind = (type: string): string => type.replace(/_iam_(?:member|binding)$/, '');
const GRANTS_BY_MEMBER: Index = {
  types: GOOGLE_GRANTS,
  names: (side, type) => readMembers(side).map((who) => `${toGrantKind(type)}/${text(member(side, 'role'))}/${who}`),
};

/** Whether another grant of the plan gives a member access to the same resource. */
function isGrantedElsewhere({ type, address, side, plan }: Gone, who: string): boolean {
  const grants = plan.linked(GRANTS_BY_MEMBER, [`${toGrantKind(type)}/${text(member(side, 'role'))}/${who}`]);
  return grants.some(
    (grant) =>
      grant.address !== address &&
      grant.after !== null &&
      readMembers(grant.after).includes(who) &&
      TARGET_NAMES.every((name) => same(grant.after!, side, name)) &&
      same(grant.after, side, 'role'),
  );
}

export const same = (a: JsonObject, b: JsonObject, name: string): boolean =>
  text(member(a, name)) === text(member(b, name));

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

/** Where types name the key that they are encrypted with. */
const KEY_ARGUMENTS = [
  'boot_disk',
  'attached_disk',
  'cluster_config',
  'customer_managed_key',
  'database_encryption',
  'default_encryption_configuration',
  'disk_encryption_key',
  'encryption',
  'encryption_config',
  'encryption_configuration',
  'encryption_key_name',
  'kms_key_name',
  'replication',
  'customer_managed_encryption',
];
const MAX_DEPTH = 8;

/** The names of keys anywhere inside a value, each with every part of its path. */
function keysIn(value: Value, depth = 0): string[] {
  if (typeof value === 'string') return value.includes('/') ? [value, ...value.split('/')] : [value];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((inner) => keysIn(inner, depth + 1));
}

const readKey = ({ side }: Gone): string => text(member(side, 'crypto_key_id')) || text(member(side, 'key_ring_id'));

/** Whether a value names a key anywhere inside, or a key of a key ring. */
function mentions(user: JsonObject, key: string): boolean {
  const found = KEY_ARGUMENTS.flatMap((name) => keysIn(member(user, name)));
  return found.some((name) => name === key || name.endsWith(`/${key}`) || name.startsWith(`${key}/`));
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

/** The principals that a resource acts as. */
const listIdentities = (user: JsonObject): string[] => [
  text(member(user, 'principal_id')),
  ...['identity', 'kubelet_identity'].map(
    (name) => text(at(user, name, 'principal_id')) || text(at(user, name, 'object_id')),
  ),
];

const readWriter = (sink: JsonObject): string => text(member(sink, 'writer_identity'));

export const GRANT_NEEDS: readonly Need[] = [
  {
    types: GOOGLE_GRANTS,
    names: ({ members }) => members,
    users: { types: SINKS, names: (sink) => [readWriter(sink)], reads: ['writer_identity'] },
    looks_up: Object.fromEntries(GOOGLE_GRANTS.map((type) => [type, [...TARGET_NAMES, 'role', 'member', 'members']])),
    needs: (sink, gone) => !isGrantedElsewhere(gone, readWriter(sink)),
    level: 'high',
    says: 'the writer of the log sink may not write any more, so logs are lost without an error',
  },
  {
    types: GOOGLE_GRANTS.filter((type) => /_kms_/.test(type)),
    names: (gone) => [readKey(gone), readKey(gone).split('/').at(-1)!],
    users: {
      types: Object.keys(KEY_USERS),
      names: (user) => KEY_ARGUMENTS.flatMap((name) => keysIn(member(user, name))),
      reads: KEY_ARGUMENTS,
    },
    needs: (user, gone, { type }) => {
      const agents = gone.members.filter((who) => who.includes(KEY_USERS[type] ?? ' '));
      return mentions(user, readKey(gone)) && agents.some((who) => !isGrantedElsewhere(gone, who));
    },
    level: 'high',
    says: 'it is encrypted with the key, which its service may not use any more, so it stops working',
  },
  {
    types: AZURE_GRANTS,
    names: ({ side }) => [text(member(side, 'principal_id')) || text(member(side, 'object_id'))],
    users: {
      types: AZURE_USERS,
      names: listIdentities,
      reads: ['principal_id', 'identity', 'kubelet_identity'],
    },
    needs: (_, gone) => isUsedGrant(gone),
    level: 'high',
    says: 'its identity loses a permission that it works with',
  },
];
