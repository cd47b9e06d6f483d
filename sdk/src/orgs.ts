import type { Schemas } from './contract.ts';
import { DpaUsageError } from './errors.ts';
import type { Send } from './transport.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the ID of the organization of a call. */
export type FindOrg = (org_id: string | undefined) => Promise<string>;

/**
 * Creates a function that finds the default organization of calls. A slug is looked up once, in the organizations of the
 * caller.
 *
 * @param org slug or ID from the settings of the client
 * @returns a function that throws DpaUsageError if there is no organization, or the caller is not a member of it
 */
export function createOrgFinder(send: Send, org: string | undefined): FindOrg {
  let found: Promise<string> | undefined;
  return async (org_id) => {
    if (org_id !== undefined) return org_id;
    if (org === undefined)
      throw new DpaUsageError('no organization selected: pass org_id, or set org or DPA_ORG for all calls');
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
  throw new DpaUsageError(
    `the caller is not a member of the organization "${slug}"; available organizations: ${slugs}`,
  );
}
