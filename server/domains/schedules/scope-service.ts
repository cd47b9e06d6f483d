import type { Db } from '../../db/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { CloudAccounts } from '../cloud-accounts/index.ts';
import type { RunAccount } from './run-plan.ts';
import type { FiringSchedule } from './types.ts';

export interface ScopesDeps {
  scanAccess: Pick<CloudAccounts['scanAccess'], 'listExisting' | 'assertScannable'>;
}

type Scoped = Pick<FiringSchedule, 'cloud_account_id'>;
type Account = Awaited<ReturnType<ScopesDeps['scanAccess']['listExisting']>>[number];

/** What the schedules of an organization scan. */
export function createScopes({ scanAccess }: ScopesDeps) {
  /** @returns the accounts that exist now, of each of these schedules */
  async function load(
    trx: Db,
    orgId: string,
    schedules: readonly Scoped[],
  ): Promise<(schedule: Scoped) => readonly RunAccount[]> {
    const ids = [...new Set(schedules.flatMap(({ cloud_account_id }) => cloud_account_id ?? []))];
    const list = async (is_needed: boolean, some: readonly string[]) =>
      is_needed ? (await scanAccess.listExisting(trx, orgId, some)).map(toRunAccount) : [];
    const scans_all = schedules.some(({ cloud_account_id }) => cloud_account_id === null);
    const [named, enabled] = await Promise.all([list(ids.length > 0, ids), list(scans_all, [])]);
    return ({ cloud_account_id }) =>
      cloud_account_id === null ? enabled : named.filter((account) => account.id === cloud_account_id);
  }

  function toRunAccount(account: Account): RunAccount {
    const { id, provider, display_name, regions } = account;
    return { id, provider, display_name, regions, obstacle: findObstacle(account) };
  }

  function findObstacle(account: Account): string | null {
    try {
      scanAccess.assertScannable(account);
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.message;
      throw error;
    }
  }

  return { load };
}

export type Scopes = ReturnType<typeof createScopes>;
