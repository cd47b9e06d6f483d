import { isObject } from '../../lib/is-object.ts';
/** Resources of the Azure REST API (`azapi_resource`): the type is an attribute, and the settings are in `body`. */
import type { JsonObject, JsonValue } from '../../model/result.ts';
import typesByNamespace from './azure-types.json' with { type: 'json' };
import { readText, renameMembers, snakeCase } from './names.ts';
import type { TypeMapping } from './types.ts';

let types: ReadonlyMap<string, string> | undefined;
const RENAMES = new Map([
  ['adminUserEnabled', 'admin_enabled'],
  ['allowBlobPublicAccess', 'allow_nested_items_to_be_public'],
  ['allowSharedKeyAccess', 'shared_access_key_enabled'],
  ['anonymousPullEnabled', 'anonymous_pull_enabled'],
  ['disableLocalAccounts', 'local_account_disabled'],
  ['enableNonSslPort', 'non_ssl_port_enabled'],
  ['enablePrivateCluster', 'private_cluster_enabled'],
  ['enablePurgeProtection', 'purge_protection_enabled'],
  ['enableRBAC', 'role_based_access_control_enabled'],
  ['minTlsVersion', 'minimum_tls_version'],
  ['publicAccess', 'container_access_type'],
  ['retentionInDays', 'retention_in_days'],
  ['securityRules', 'security_rule'],
  ['softDeleteRetentionInDays', 'soft_delete_retention_days'],
  ['supportsHttpsTrafficOnly', 'https_traffic_only_enabled'],
]);
const FREE = new Set(['tags', 'metadata']);

export function mapAzureResource(before: JsonObject | null, after: JsonObject | null): TypeMapping | null {
  const name = readText(after ?? before, 'type')
    .split('@')[0]!
    .toLowerCase();
  types ??= indexTypes();
  const type = types.get(name);
  return type === undefined ? null : { type, translate, translateName, prefix: ['body', 'properties'], opaque: false };
}

function indexTypes(): Map<string, string> {
  return new Map(
    Object.entries(typesByNamespace as Record<string, Record<string, string>>).flatMap(([namespace, named]) =>
      Object.entries(named).map(([rest, type]) => [`${namespace}/${rest}`, `azurerm_${type}`] as const),
    ),
  );
}

function translateName(name: string): string {
  return RENAMES.get(name) ?? snakeCase(name);
}

function translate(side: JsonObject): JsonObject {
  const properties = readProperties(side['body']);
  const { body: _, type: __, ...own } = side;
  const {
    public_network_access: ___,
    disable_local_auth: ____,
    ...named
  } = renameMembers(hoistProperties(properties), RENAMES, FREE) as JsonObject;
  return { ...own, ...named, ...mapSwitches(properties, named), ...readScope(side) };
}

function readProperties(body: JsonValue | undefined): JsonObject {
  const parsed = typeof body === 'string' ? parse(body) : body;
  const properties = isObject(parsed) ? parsed['properties'] : undefined;
  return isObject(properties) ? properties : {};
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** Moves the settings of nested resources up by one level. */
function hoistProperties(properties: JsonObject): JsonObject {
  const rules = properties['securityRules'];
  if (!Array.isArray(rules)) return properties;
  return {
    ...properties,
    securityRules: rules.map((rule) =>
      isObject(rule) && isObject(rule['properties']) ? { ...rule, ...rule['properties'] } : rule,
    ),
  };
}

/** Maps settings that differ from the `azurerm` provider: strings for booleans, inverted values, or two names. */
function mapSwitches(properties: JsonObject, named: JsonObject): JsonObject {
  const out: JsonObject = {};
  const access = properties['publicNetworkAccess'];
  if (access !== undefined)
    out['public_network_access_enabled'] = access === 'Enabled' ? true : access === 'Disabled' ? false : access;
  const local = properties['disableLocalAuth'];
  if (typeof local === 'boolean') {
    out['local_auth_enabled'] = !local;
    out['local_authentication_enabled'] = !local;
  }
  const tls = properties['minimumTlsVersion'];
  if (tls !== undefined) out['min_tls_version'] = tls;
  const filter = named['network_acls'];
  if (filter !== undefined) out['network_rules'] = filter;
  const server = named['api_server_access_profile'];
  if (isObject(server) && server['private_cluster_enabled'] !== undefined)
    out['private_cluster_enabled'] = server['private_cluster_enabled'];
  return out;
}

function readScope({ parent_id }: JsonObject): JsonObject {
  return typeof parent_id === 'string' ? { scope: parent_id } : {};
}
