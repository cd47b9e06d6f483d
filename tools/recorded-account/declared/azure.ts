import type { Resource } from '../build.ts';
import type { Describe, Values } from './types.ts';

function inGroup({ aliases = [], name, region }: Resource): Values {
  const [id = ''] = aliases;
  // Providers write the IDs that they build themselves, not those that Azure returns.
  return {
    id: id.replace('/serverFarms/', '/serverfarms/'),
    name,
    resource_group_name: id.split('/')[4],
    location: region,
  };
}

export const AZURE: Readonly<Record<string, Describe>> = {
  'microsoft.resources/subscriptions/resourcegroups': (resource) => {
    const { id, name, location } = inGroup(resource);
    return ['azurerm_resource_group', { id, name, location, tags: resource.tags }];
  },
  'microsoft.web/serverfarms': (resource) => ['azurerm_service_plan', { ...inGroup(resource), tags: resource.tags }],
  'microsoft.web/sites': (resource, { httpsOnly }) => [
    'azurerm_linux_web_app',
    { ...inGroup(resource), https_only: httpsOnly, app_settings: { STAGE: 'kept in the state' }, tags: resource.tags },
  ],
  'microsoft.storage/storageaccounts': (resource, { allowBlobPublicAccess, minimumTlsVersion }) => [
    'azurerm_storage_account',
    {
      ...inGroup(resource),
      allow_nested_items_to_be_public: allowBlobPublicAccess,
      min_tls_version: minimumTlsVersion,
      tags: resource.tags,
    },
  ],
  'microsoft.keyvault/vaults': (resource, { enablePurgeProtection }) => [
    'azurerm_key_vault',
    { ...inGroup(resource), purge_protection_enabled: enablePurgeProtection, tags: resource.tags },
  ],
  'microsoft.sql/servers': (resource, { publicNetworkAccess }) => [
    'azurerm_mssql_server',
    {
      ...inGroup(resource),
      public_network_access_enabled: publicNetworkAccess === 'Enabled',
      administrator_login: 'dba',
      tags: resource.tags,
    },
  ],
  'microsoft.sql/servers/databases': (resource, { zoneRedundant }) => {
    const { id } = inGroup(resource);
    const server_id = String(id).split('/').slice(0, -2).join('/');
    const name = String(id).split('/').at(-1);
    return ['azurerm_mssql_database', { id, name, server_id, zone_redundant: zoneRedundant, tags: resource.tags }];
  },
  'microsoft.network/virtualnetworks': (resource, { addressSpace }) => {
    const { addressPrefixes } = addressSpace as { addressPrefixes: string[] };
    return ['azurerm_virtual_network', { ...inGroup(resource), address_space: addressPrefixes, tags: resource.tags }];
  },
  'microsoft.network/networksecuritygroups': (resource, { securityRules }) => {
    const rules = securityRules as { name: string; access: string; sourceAddressPrefix: string }[];
    const security_rule = rules.map(({ name, access }) => ({ name, access }));
    return ['azurerm_network_security_group', { ...inGroup(resource), security_rule, tags: resource.tags }];
  },
  'microsoft.insights/components': (resource, { RetentionInDays }) => [
    'azurerm_application_insights',
    { ...inGroup(resource), retention_in_days: RetentionInDays, tags: resource.tags },
  ],
  'microsoft.managedidentity/userassignedidentities': (resource, { clientId }) => [
    'azurerm_user_assigned_identity',
    { ...inGroup(resource), client_id: clientId, tags: resource.tags },
  ],
  'microsoft.compute/disks': (resource, { diskSizeGB }) => [
    'azurerm_managed_disk',
    { ...inGroup(resource), disk_size_gb: diskSizeGB, tags: resource.tags },
  ],
};
