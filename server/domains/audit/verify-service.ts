import { createChainWalk } from '../../../engine/index.ts';
import { type Db, lockOrg, type OrgDatabase } from '../../db/index.ts';
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { Conflict, NotFound, TooManyRequests } from '../../lib/errors.ts';
import { compareWithHead } from './head-check.ts';
import * as store from './store.ts';
import type { Verification } from './types.ts';
import { secondsUntilRoom, VERIFICATIONS_PER_HOUR, WINDOW_MS } from './verify-limit.ts';

/** Each verification uses a connection for its duration. */
const WALKS_AT_ONCE = 2;

export interface VerifierDeps {
  db: OrgDatabase;
  platform_db: Db;
  sweep_db: Db;
  now: () => Date;
}

export function createVerifier({ db, platform_db, sweep_db, now }: VerifierDeps) {
  const limit = createConcurrencyLimit(WALKS_AT_ONCE);

  /**
   * Verifies the chain of the platform, or of an organization.
   *
   * @param expected_min_seq a head that the caller has seen before
   * @throws NotFound for an unknown organization; Conflict `chain_head_below_anchor` if the chain ends before that head
   */
  async function verifyAny(org_id: string | null, expected_min_seq = 0): Promise<Verification> {
    if (org_id !== null && !(await store.isOrg(platform_db, org_id))) throw new NotFound();
    return limit(() => store.inSnapshot(platform_db, (trx) => verify(trx, org_id, expected_min_seq)));
  }

  /**
   * Verifies the chain of an organization, at most ten times an hour.
   *
   * @throws TooManyRequests `verify_rate_limited`; Conflict `chain_head_below_anchor`, which also counts
   */
  async function verifyOrg(org_id: string, expected_min_seq = 0): Promise<Verification> {
    await count(org_id);
    return limit(() => store.inSnapshot(platform_db, (trx) => verify(trx, org_id, expected_min_seq)));
  }

  async function count(org_id: string): Promise<void> {
    await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const at = now();
      const since = new Date(at.getTime() - WINDOW_MS);
      const nth_newest = await store.findNthVerification(trx, org_id, { nth: VERIFICATIONS_PER_HOUR, since });
      if (nth_newest !== undefined) {
        throw new TooManyRequests(
          `an audit chain can be verified at most ${VERIFICATIONS_PER_HOUR} times an hour; try again later`,
          secondsUntilRoom(nth_newest, at),
          'verify_rate_limited',
        );
      }
      await store.insertVerification(trx, org_id, at);
    });
  }

  async function verify(trx: Db, org_id: string | null, expected_min_seq: number): Promise<Verification> {
    const last = await store.findLast(trx, org_id);
    assertReaches(last.seq, expected_min_seq);
    const walk = createChainWalk();
    for await (const rows of store.readChain(trx, org_id)) {
      for (const row of rows) walk.add(row);
      if (walk.broken) break;
    }
    const found = compareWithHead(walk.result(), await store.findHead(trx, org_id));
    return { ...found, verified_at: now() };
  }

  async function deleteOldCounts(): Promise<void> {
    await store.deleteVerifications(sweep_db, new Date(now().getTime() - WINDOW_MS));
  }

  return { verifyAny, verifyOrg, deleteOldCounts };
}

export type Verifier = ReturnType<typeof createVerifier>;

function assertReaches(head_seq: number, expected_min_seq: number): void {
  if (head_seq >= expected_min_seq) return;
  throw new Conflict('audit chain head is below the expected sequence', 'chain_head_below_anchor', {
    reason: `head_seq ${head_seq} is below expected_min_seq ${expected_min_seq}`,
    body: { head_seq, expected_min_seq },
  });
}
