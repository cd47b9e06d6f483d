/** The owners that the configuration of providers names: the accounts, projects and organizations that it manages. */
import type { RawProviderConfig } from '../../plan/types.ts';
import { listAliases } from './aliases.ts';
import { isVendor } from './hosts.ts';
import { readPlace } from './places.ts';

const ACCOUNT_ID = /^\d{12}$/;
/** The host on which the organization of a provider has its repositories. */
const CODE_HOSTS: ReadonlyMap<string, string> = new Map([
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['bitbucket', 'bitbucket.org'],
  ['tfe', 'app.terraform.io'],
]);

/** Owners as in `Place`. */
export function listConfiguredOwners({ name = '', full_name, scope = [] }: RawProviderConfig): string[] {
  const provider = (full_name ?? name).split('/').at(-1) ?? '';
  const owners = scope.flatMap(([argument, value]) => readOwner(provider, argument, value));
  const values = new Map(scope);
  const [organization, base] = [values.get('org_name'), values.get('base_url')];
  if (organization !== undefined && base !== undefined) owners.push(`${organization}.${base}`.toLowerCase());
  return owners;
}

function readOwner(provider: string, argument: string, value: string): string[] {
  if (ACCOUNT_ID.test(value)) return [`account:${value}`];
  switch (argument) {
    case 'project':
    case 'project_id':
    case 'billing_project':
      return [`project:${value}`];
    case 'subscription_id':
      return [`subscription:${value.toLowerCase()}`];
    case 'tenant_id':
      return listAliases(`login.microsoftonline.com/${value.toLowerCase()}`);
    case 'owner':
    case 'organization':
      return listTenantNames(CODE_HOSTS.get(provider), value);
    default:
      return readHost(value);
  }
}

function listTenantNames(host: string | undefined, tenant: string): string[] {
  return host === undefined ? [] : listAliases(`${host}/${tenant.toLowerCase()}`);
}

function readHost(value: string): string[] {
  const owner = readPlace(value)?.owner ?? '';
  return owner === '' || owner === 'internal' || isVendor(owner) ? [] : [owner];
}
