import { hex, type MadeAccount, type Resource } from './build.ts';

const SUBSCRIPTION = '5f2c9a1e-0b3d-4c55-9e7a-6d1f2b3c4d5e';
const LOCATION = 'westeurope';
const APPS = ['intranet', 'billing', 'portal', 'ledger', 'archive', 'payroll', 'support', 'wiki'];

/** As the adapter shows a row of Resource Graph: IDs in lowercase with the original as an alias. */
function make(
  group: string,
  type: string,
  name: string,
  properties: Record<string, unknown>,
  tags: Record<string, string> = {},
): Resource {
  const [service, ...types] = type.split('/');
  const names = name.split('/');
  const path = types.map((segment, i) => `${segment}/${names[i]}`).join('/');
  const id = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}/providers/${service}/${path}`;
  return describe(id, type, name, { location: LOCATION, properties }, tags);
}

function describe(
  id: string,
  type: string,
  name: string,
  properties: Record<string, unknown>,
  tags: Record<string, string> = {},
): Resource {
  return {
    provider_type: type.toLowerCase(),
    provider_resource_id: id.toLowerCase(),
    region: LOCATION,
    name,
    tags,
    aliases: [id],
    properties,
  };
}

function listOfApp(app: string, i: number): Resource[] {
  const group = `rg-${app}`;
  const tags = i % 3 === 2 ? {} : { app, 'cost-center': String(4_000 + i) };
  const is_public = app === 'wiki';
  return [
    describe(
      `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}`,
      'microsoft.resources/subscriptions/resourcegroups',
      group,
      { location: LOCATION, properties: { provisioningState: 'Succeeded' } },
      tags,
    ),
    make(group, 'Microsoft.Web/serverFarms', `plan-${app}`, { numberOfWorkers: 1 + (i % 3) }, tags),
    make(
      group,
      'Microsoft.Web/sites',
      `app-${app}`,
      {
        httpsOnly: !is_public,
        state: 'Running',
        siteConfig: { appSettings: [{ name: 'STAGE', value: '[redacted]' }] },
      },
      tags,
    ),
    make(
      group,
      'Microsoft.Storage/storageAccounts',
      `acme${app}${hex(app, 4)}`,
      { allowBlobPublicAccess: is_public, minimumTlsVersion: 'TLS1_2' },
      tags,
    ),
    make(group, 'Microsoft.KeyVault/vaults', `kv-${app}`, { enablePurgeProtection: i % 2 === 0 }, tags),
    make(
      group,
      'Microsoft.Sql/servers',
      `sql-${app}`,
      { publicNetworkAccess: is_public ? 'Enabled' : 'Disabled' },
      tags,
    ),
    make(group, 'Microsoft.Sql/servers/databases', `sql-${app}/${app}`, { zoneRedundant: false }, tags),
    make(
      group,
      'Microsoft.Network/virtualNetworks',
      `vnet-${app}`,
      { addressSpace: { addressPrefixes: [`10.${i}.0.0/16`] } },
      tags,
    ),
    make(
      group,
      'Microsoft.Network/networkSecurityGroups',
      `nsg-${app}`,
      { securityRules: [{ name: 'https', access: 'Allow', sourceAddressPrefix: is_public ? '*' : '10.0.0.0/8' }] },
      tags,
    ),
    make(group, 'Microsoft.Insights/components', `appi-${app}`, { RetentionInDays: 90 }, tags),
    make(
      group,
      'Microsoft.ManagedIdentity/userAssignedIdentities',
      `id-${app}`,
      { clientId: `${hex(`${app} client`, 8)}-0000-4000-8000-${hex(app, 12)}` },
      tags,
    ),
    make(
      group,
      'Microsoft.Compute/disks',
      `disk-${app}`,
      { diskSizeGB: 64, diskState: i % 4 === 0 ? 'Unattached' : 'Attached' },
      tags,
    ),
  ];
}

/** A subscription with eight internal applications, each in its resource group. */
export function makeAzure(): MadeAccount {
  const watcher = make('NetworkWatcherRG', 'Microsoft.Network/networkWatchers', `NetworkWatcher_${LOCATION}`, {
    provisioningState: 'Succeeded',
  });
  return {
    provider: 'azure',
    external_account_id: SUBSCRIPTION,
    identity: '0c7d4b1a-9e21-4f6b-8a55-2f9d1c3e7b60',
    permissions: [
      {
        name: 'Microsoft.Resources/subscriptions/read',
        granted: true,
        needed_for: 'Finding the resources of the subscription.',
      },
    ],
    parts: [
      {
        key: 'resourcegraph/resources',
        service: 'resourcegraph',
        region: null,
        provider_type: null,
        resources: [watcher, ...APPS.flatMap(listOfApp)],
      },
    ],
    unchecked: [],
  };
}
