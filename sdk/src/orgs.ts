import type { Schemas } from './contract.ts';
import { DpaUsageError } from './errors.ts';
import type { Send } from './transport.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of the organization that a call is about. */
export type FindOrg = (org_id: string | undefined) => Promise<string>;

/**
 * Finds the organization of calls that name none. A slug is looked up once, among those of the caller.
 *
 * @param org slug or id, as the client has it
 * @returns what throws DpaUsageError when no organization is named, or the caller does not belong to it
 */
export function createOrgFinder(send: Send, org: string | undefined): FindOrg {
  let found: Promise<string> | undefined;
  return async (org_id) => {
    if (org_id !== undefined) return org_id;
    if (org === undefined)
      throw new DpaUsageError('which organization? Pass org_id, or set org or DPA_ORG for all calls');
    if (UUID.test(org)) return org;
    found ??= findBySlug(send, org).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

async function findBySlug(send: Send, slug: string): Promise<string> {
  const { memberships } = (await send('getMe', {})).body as Schemas['Me'];
  const membership = memberships.find(({ org_slug }) => org_slug === slug);
  if (membership !== undefined) return membership.org_id;
  const slugs = memberships.map(({ org_slug }) => org_slug).join(', ') || 'none';
  throw new DpaUsageError(`the caller does not belong to an organization "${slug}"; those of the caller: ${slugs}`);
}
