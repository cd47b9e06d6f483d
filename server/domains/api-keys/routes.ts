import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { ApiKeys } from './service.ts';
import type { ApiKey, CreatedApiKey } from './types.ts';

export function apiKeyRoutes(apiKeys: ApiKeys): Pick<Handlers, 'listApiKeys' | 'createApiKey' | 'revokeApiKey'> {
  return {
    async listApiKeys({ org, query }) {
      const { limit, offset, include_ephemeral = false, include_revoked = false } = query;
      const page = await apiKeys.list(org.id, { include_ephemeral, include_revoked }, { limit, offset });
      return {
        status: 200,
        body: { api_keys: page.api_keys.map(keyRecord), total: page.total, limit, offset },
      };
    },

    async createApiKey({ principal, org, body, once }) {
      return once(
        ({ record, key }: CreatedApiKey) => ({ status: 201, body: { ...keyRecord(record), key } }),
        (keep) => apiKeys.create(principal, org.id, body, keep),
      );
    },

    async revokeApiKey({ principal, org, path }) {
      await apiKeys.revoke(principal, org.id, path.key_id);
      return { status: 204 };
    },
  };
}

function keyRecord(key: ApiKey) {
  return pickFields(key, [
    'id',
    'name',
    'key_prefix',
    'scopes',
    'kind',
    'created_by',
    'created_at',
    'last_used_at',
    'expires_at',
    'revoked_at',
    'revoked_by',
  ]);
}
