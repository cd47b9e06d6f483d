/** Whose account a resource of a state belongs to, and in which region it is. */
import type { JsonObject } from '../model/result.ts';
import type { StateInstance } from '../state/types.ts';
import type { CloudProvider, DriftAccount } from './types.ts';

interface Values {
  identifiers: Readonly<Record<string, string>>;
  attributes: JsonObject;
}

/**
 * Whether a resource is outside of the scan: another provider, another account, or a data source, which only reads.
 *
 * @returns why, as part of a sentence; null if it may be inside
 */
export function findOutside(
  { mode, provider }: Pick<StateInstance, 'mode' | 'provider'>,
  values: Values,
  account: DriftAccount,
): string | null {
  if (mode === 'data') return 'a data source only reads';
  if (provider !== account.provider) return 'another provider';
  const owner = findOwner(values, account.provider);
  if (owner === null || isSameOwner(owner, account)) return null;
  return 'another account';
}

/**
 * The account that a resource of a state belongs to.
 *
 * @returns null for data sources, and for providers other than those of the clouds
 */
export function findStateOwner(
  { mode, provider }: Pick<StateInstance, 'mode' | 'provider'>,
  values: Values,
): { provider: CloudProvider; account_id: string | null } | null {
  if (mode === 'data' || !isCloud(provider)) return null;
  return { provider, account_id: findOwner(values, provider) };
}

function isCloud(provider: string): provider is CloudProvider {
  return provider === 'aws' || provider === 'gcp' || provider === 'azure';
}

function isSameOwner(owner: string, { external_account_id, project_number }: DriftAccount): boolean {
  return owner === external_account_id.toLowerCase() || owner === project_number;
}

const SUBSCRIPTION = /^\/subscriptions\/([^/]{1,100})/i;

/** The account, project or subscription that the resource names; null if it names none. */
function findOwner({ identifiers, attributes }: Values, provider: string): string | null {
  if (provider === 'aws') return readArnPart(identifiers['arn'], 4) ?? null;
  if (provider === 'azure') return SUBSCRIPTION.exec(identifiers['id'] ?? '')?.[1]?.toLowerCase() ?? null;
  const { project } = attributes;
  return typeof project === 'string' && project !== '' ? project.toLowerCase() : null;
}

const ZONE = /^([a-z]{2}(?:-[a-z]{1,10}){1,3}-\d)[a-z]$/;

/** The region of an AWS resource; null if the state does not tell, or there is none. */
export function findRegion({ identifiers, attributes }: Values, provider: string): string | null {
  if (provider !== 'aws') return null;
  const { region, availability_zone } = attributes;
  if (typeof region === 'string' && region !== '') return region;
  const of_arn = readArnPart(identifiers['arn'], 3);
  if (of_arn !== undefined) return of_arn;
  return typeof availability_zone === 'string' ? (ZONE.exec(availability_zone)?.[1] ?? null) : null;
}

/** `arn:partition:service:region:account:resource`; undefined if the part is empty. */
function readArnPart(arn: string | undefined, at: number): string | undefined {
  if (!arn?.startsWith('arn:')) return undefined;
  return arn.split(':', 6)[at] || undefined;
}
