import { escapeInvisible } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { type Connection, openConnection } from '../connection.ts';
import { print } from '../output.ts';
import { writeTable } from '../table.ts';
import { resolveAccounts } from './account-names.ts';
import type { AccountsOptions } from './accounts.ts';

type Resource = Schemas['LiveResource'];

interface ListOptions extends AccountsOptions {
  account?: string;
  provider?: Schemas['CloudProvider'];
  kind?: Schemas['NormalizedType'];
  type?: string;
  undeclared?: boolean;
  search?: string;
  limit: number;
}

interface GetOptions extends AccountsOptions {
  properties?: boolean;
}

const PAGE_SIZE = 500;
const COLUMNS = ['CLOUD', 'TYPE', 'REGION', 'NAME', 'ID', 'DECLARED AT'];

/** Prints the first resources of the inventory, by type and ID. */
export async function listResources({ limit, ...options }: ListOptions): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const query = { ...(await toQuery(connection, options)), limit: Math.min(limit, PAGE_SIZE) };
  const { total, truncated } = await dpa.call('listResources', { path: { id: org_id }, query: { ...query, limit: 1 } });
  const resources: Resource[] = [];
  for await (const one of dpa.paginate('listResources', { path: { id: org_id }, query })) {
    if (resources.length === limit) break;
    resources.push(one);
  }
  print(options, { resources, total, truncated }, () => writeResources(resources, { total, truncated }));
}

/** Prints one resource and the plans that change it; reads its properties from the cloud if asked to. */
export async function getResource(resource_id: string, { properties, ...options }: GetOptions): Promise<void> {
  const { dpa, org_id } = await openConnection(options);
  const path = { id: org_id, resource_id };
  const resource = await dpa.call(properties === true ? 'enrichResource' : 'getResource', { path });
  const { links, total } = await dpa.call('listResourcePlanLinks', { path });
  print(options, { resource, links, total }, () => writeResource(resource, links));
}

async function toQuery(
  connection: Connection,
  { account, provider, kind, type, undeclared, search }: Omit<ListOptions, 'limit'>,
) {
  const [found] = account === undefined ? [] : await resolveAccounts(connection, [account]);
  return {
    ...(found && { account_id: found.id }),
    ...(provider && { provider }),
    ...(kind && { normalized_type: kind }),
    ...(type && { type }),
    ...(undeclared && { unmatched: true }),
    ...(search && { q: search }),
  };
}

function writeResources(resources: readonly Resource[], all: { total: number; truncated: boolean }): string {
  if (resources.length === 0) return 'no resources; a scan of a cloud account adds them\n';
  const rows = resources.map((one) => [
    one.provider,
    one.provider_type,
    one.region ?? 'global',
    one.name ?? '-',
    one.provider_resource_id,
    one.iac_resource_id ?? '-',
  ]);
  const shown = all.total === resources.length ? '' : `${resources.length} of ${all.total} resources\n`;
  const partly = all.truncated ? 'more resources match than a search reads; search for a longer text\n' : '';
  return writeTable(COLUMNS, rows) + shown + partly;
}

function writeResource(resource: Resource, links: readonly Schemas['PlanLink'][]): string {
  const facts = Object.entries(resource).map(([name, value]) => {
    const text = typeof value === 'string' ? escapeInvisible(value) : writeJson(value);
    return `${name}: ${text}\n`;
  });
  if (links.length === 0) return facts.join('');
  const rows = links.map((link) => [
    link.created_at.slice(0, 10),
    link.action,
    link.risk_level,
    link.address,
    link.pr_url ?? link.branch ?? '-',
  ]);
  return `${facts.join('')}\n${writeTable(['DATE', 'ACTION', 'RISK', 'ADDRESS', 'FROM'], rows)}`;
}

/** Indented; JSON escapes control characters itself, and the others are escaped line by line. */
function writeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split('\n').map(escapeInvisible).join('\n');
}
