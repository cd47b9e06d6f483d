import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { KnownOwners } from './service.ts';
import type { KnownOwner } from './types.ts';

type KnownOwnerOperations =
  | 'listKnownOwners'
  | 'createKnownOwner'
  | 'getKnownOwner'
  | 'updateKnownOwner'
  | 'deleteKnownOwner';

export function knownOwnerRoutes(knownOwners: KnownOwners): Pick<Handlers, KnownOwnerOperations> {
  return {
    async listKnownOwners({ org, query }) {
      const { limit, offset, status, kind } = query;
      const { owners, total } = await knownOwners.list(org.id, { status, kind }, { limit, offset });
      return { status: 200, body: { owners: owners.map(knownOwnerRecord), total, limit, offset } };
    },

    async createKnownOwner({ principal, org, body, once }) {
      return once(
        (owner: KnownOwner) => {
          const Location = `/api/v2/orgs/${org.id}/known-owners/${owner.id}`;
          return { status: 201, body: knownOwnerRecord(owner), headers: { Location } };
        },
        (keep) => knownOwners.create(principal, org.id, body, keep),
      );
    },

    async getKnownOwner({ org, path }) {
      return { status: 200, body: knownOwnerRecord(await knownOwners.get(org.id, path.known_owner_id)) };
    },

    async updateKnownOwner({ principal, org, path, body, assertKnown }) {
      const owner = await knownOwners.update(principal, org.id, path.known_owner_id, body, (present) =>
        assertKnown(knownOwnerRecord(present)),
      );
      return { status: 200, body: knownOwnerRecord(owner) };
    },

    async deleteKnownOwner({ principal, org, path }) {
      await knownOwners.remove(principal, org.id, path.known_owner_id);
      return { status: 204 };
    },
  };
}

/** Records that must exist before the body of a request is validated. */
export function knownOwnerPathChecks({ get }: Pick<KnownOwners, 'get'>) {
  return {
    updateKnownOwner: ({ org_id, path }: { org_id: string; path: Record<string, string> }) =>
      get(org_id, path['known_owner_id'] ?? ''),
  };
}

function knownOwnerRecord(owner: KnownOwner) {
  return pickFields(owner, [
    'id',
    'owner',
    'kind',
    'status',
    'source',
    'note',
    'first_seen_at',
    'last_seen_at',
    'plans_seen',
    'decided_by',
    'created_at',
    'updated_at',
  ]);
}
