import { AZURE_COLUMNS } from '../../../../engine/inventory/index.ts';
import type { ScanOutline, ScanPart } from '../types.ts';
import { CALLS } from './calls.ts';

const { service } = CALLS.query;

/** One table of Resource Graph, with the condition for rows that are resources of the subscription. */
interface Table {
  name: string;
  where?: string;
}

/**
 * The tables with things that Terraform manages. A scan needs at least one request for each, and one more for each 1,000
 * resources.
 *
 * @see Microsoft, Azure Resource Graph table and resource type reference
 */
const TABLES: readonly Table[] = [
  { name: 'resources' },
  { name: 'resourcecontainers', where: "type =~ 'microsoft.resources/subscriptions/resourcegroups'" },
  {
    name: 'authorizationresources',
    // The built-in role definitions are the same in every subscription.
    where:
      "type =~ 'microsoft.authorization/roleassignments' or (type =~ 'microsoft.authorization/roledefinitions' and properties.type =~ 'CustomRole')",
  },
  { name: 'policyresources', where: "type =~ 'microsoft.authorization/policyassignments'" },
  { name: 'dnsresources' },
];

export const OUTLINE: ScanOutline = {
  parts: TABLES.map(({ name }) => ({ key: toKey(name), service, region: null, provider_type: null, by_region: true })),
  unchecked: [
    {
      key: 'resourcegraph/child-resources',
      service,
      region: null,
      provider_type: null,
      code: 'unsupported_type',
      message:
        'Child resources that Resource Graph does not list are not read, such as firewall rules of databases and containers of storage accounts.',
    },
    {
      key: 'resourcegraph/data',
      service,
      region: null,
      provider_type: null,
      code: 'unsupported_type',
      message: 'Data inside resources is not read, such as blobs, and secrets and keys of key vaults.',
    },
  ],
};

/**
 * The query of a part, in the Kusto query language; undefined if there is no such part. It is ordered by ID, because
 * pages of a query without an order can repeat or miss rows.
 */
export function findQuery({ key }: ScanPart): string | undefined {
  const table = TABLES.find(({ name }) => toKey(name) === key);
  if (table === undefined) return undefined;
  const where = table.where === undefined ? '' : ` | where ${table.where}`;
  return `${table.name}${where} | project ${AZURE_COLUMNS.join(', ')} | order by id asc`;
}

function toKey(table: string): string {
  return `resourcegraph/${table}`;
}
