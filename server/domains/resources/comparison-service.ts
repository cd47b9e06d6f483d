import type { DriftInput, DriftLive } from '../../adapters/drift-pool/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import * as store from './comparison-store.ts';
import { openListed, propertySeals } from './seals.ts';

/** Rows that are decrypted at once, so that the event loop stays free. */
const READ_AT_ONCE = 500;

/** What the inventory gives to a comparison with states, and what it keeps of the result. */
export function createComparisons({ db, sealer }: Pick<ServiceDeps, 'db' | 'sealer'>) {
  /** The live resources of an account, page by page. */
  async function* readLive(org_id: string, account_id: string): AsyncIterable<readonly DriftLive[]> {
    for (let after: store.Position | null = null; ; ) {
      const rows: store.LiveRow[] = await db.readInOrg(org_id, (read) =>
        store.listLive(read, org_id, { account_id, after, limit: READ_AT_ONCE }),
      );
      yield rows.map((row) => open(org_id, row));
      after = rows.at(-1) ?? null;
      if (rows.length < READ_AT_ONCE) return;
    }
  }

  /** One resource with all properties that are known of it. */
  async function findOne(org_id: string, id: string) {
    const row = await db.readInOrg(org_id, (read) => store.findLive(read, org_id, id));
    if (row === undefined) return undefined;
    const { cloud_account_id, provider, properties_ct, ...listed } = row;
    const live = open(org_id, listed);
    if (properties_ct === null) return { cloud_account_id, live, is_complete: provider === 'azure' };
    const properties = JSON.stringify(propertySeals(sealer, org_id, id).open(properties_ct));
    return { cloud_account_id, live: { ...live, properties }, is_complete: true };
  }

  function open(org_id: string, { listed_ct, order_key: _, ...row }: store.LiveRow): DriftLive {
    const { id } = row;
    const properties = listed_ct === null ? null : openListed(sealer, { org_id, id, listed_ct }).toString();
    return { ...row, properties };
  }

  /** Which parts of an account were read to their end by the last scan that tried, and which were not. */
  async function readLedger(org_id: string, account_id: string): Promise<DriftInput['ledger']> {
    const parts = await db.readInOrg(org_id, (read) => store.listLedger(read, org_id, account_id));
    return {
      parts: parts.filter(({ code }) => code === null).map(({ region, provider_type }) => ({ region, provider_type })),
      unread: parts.flatMap(({ region, provider_type, code, message }) =>
        code === null ? [] : [{ region, provider_type, code, message: message ?? '' }],
      ),
    };
  }

  /**
   * Stores which address each resource has.
   *
   * @param matches JSON text of an array of `{ id, iac_resource_id }`
   */
  async function recordMatches(trx: Db, org_id: string, matches: string): Promise<void> {
    await store.updateMatches(trx, org_id, matches);
  }

  return { readLive, findOne, readLedger, recordMatches };
}

export type Comparisons = ReturnType<typeof createComparisons>;
