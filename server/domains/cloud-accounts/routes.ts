import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { CloudAccounts } from './service.ts';
import type { CloudAccount } from './types.ts';

type CloudAccountOperations =
  | 'listCloudAccounts'
  | 'createCloudAccount'
  | 'getCloudSetup'
  | 'getCloudAccount'
  | 'updateCloudAccount'
  | 'validateCloudAccount'
  | 'deleteCloudAccount';

export function cloudAccountRoutes(cloudAccounts: CloudAccounts): Pick<Handlers, CloudAccountOperations> {
  return {
    async listCloudAccounts({ org, query: { limit, offset, provider } }) {
      const { cloud_accounts, total } = await cloudAccounts.list(org.id, { provider }, { limit, offset });
      return { status: 200, body: { cloud_accounts: cloud_accounts.map(accountRecord), total, limit, offset } };
    },

    async createCloudAccount({ principal, org, body, once }) {
      return once(
        (account: CloudAccount) => {
          const Location = `/api/v2/orgs/${org.id}/cloud-accounts/${account.id}`;
          return { status: 201, body: accountRecord(account), headers: { Location } };
        },
        (keep) => cloudAccounts.create(principal, org.id, body, keep),
      );
    },

    async getCloudSetup({ org, query }) {
      return { status: 200, body: await cloudAccounts.getSetup(org.id, query.provider) };
    },

    async getCloudAccount({ org, path }) {
      return { status: 200, body: accountRecord(await cloudAccounts.get(org.id, path.account_id)) };
    },

    async updateCloudAccount({ principal, org, path, body, assertKnown }) {
      const account = await cloudAccounts.update(principal, org.id, path.account_id, body, (present) =>
        assertKnown(accountRecord(present)),
      );
      return { status: 200, body: accountRecord(account) };
    },

    async validateCloudAccount({ principal, org, path }) {
      const { permissions, ...check } = await cloudAccounts.validate(principal, org.id, path.account_id);
      const fields = ['valid', 'identity', 'external_account_id', 'checked_at', 'error'] as const;
      const named = permissions.map((one) => pickFields(one, ['name', 'granted', 'needed_for']));
      return { status: 200, body: { ...pickFields(check, fields), permissions: named } };
    },

    async deleteCloudAccount({ principal, org, path }) {
      await cloudAccounts.remove(principal, org.id, path.account_id);
      return { status: 204 };
    },
  };
}

/** Records that must exist before the body of a request is validated. */
export function cloudAccountPathChecks({ get }: Pick<CloudAccounts, 'get'>) {
  return {
    updateCloudAccount: ({ org_id, path }: { org_id: string; path: Record<string, string> }) =>
      get(org_id, path['account_id'] ?? ''),
  };
}

function accountRecord(account: CloudAccount) {
  return pickFields(account, [
    'id',
    'org_id',
    'provider',
    'display_name',
    'external_account_id',
    'credential_type',
    'regions',
    'enabled',
    'status',
    'status_reason',
    'identity',
    'credential_hint',
    'last_validated_at',
    'last_scan_id',
    'last_scan_at',
    'resource_count',
    'created_at',
    'created_by',
    'updated_at',
  ]);
}
