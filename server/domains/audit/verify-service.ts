import { type ChainWalkResult, createChainWalk } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import { assertHourlyLimit, type HourlyLimit, hourBefore } from '../../lib/hourly-limit.ts';
import { compareWithHead } from './head-check.ts';
import * as store from './store.ts';
import type { Verification } from './types.ts';

/** Each verification uses a connection for its duration. */
const WALKS_AT_ONCE = 2;
/** @see the interface specification, Limits: org audit verify */
const LIMIT: HourlyLimit = {
  most: 10,
  message: 'an audit chain can be verified at most 10 times an hour; try again later',
  error_class: 'verify_rate_limited',
};

export type VerifierDeps = Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'now'>;

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
      await assertHourlyLimit(LIMIT, at, (range) => store.findNthVerification(trx, org_id, range));
      await store.insertVerification(trx, org_id, at);
    });
  }

  async function verify(trx: Db, org_id: string | null, expected_min_seq: number): Promise<Verification> {
    const last = await store.findLast(trx, org_id);
    assertReaches(last.seq, expected_min_seq);
    return { ...(await walkChain(trx, org_id)), verified_at: now() };
  }

  /**
   * Reads a chain from its first row to its head, for a caller that records the result itself.
   *
   * @param trx a transaction with one state of the database
   * @param onIntact receives the hash of each intact row, in order
   * @param after a row that was verified before; the walk begins with the next one
   */
  async function walkChain(
    trx: Db,
    org_id: string | null,
    onIntact: (hash: string) => void = () => {},
    after?: { seq: number; hash: string },
  ): Promise<ChainWalkResult> {
    const walk = createChainWalk(after && { org_id, ...after });
    for await (const rows of store.readChain(trx, org_id, after?.seq ?? 0)) {
      for (const row of rows) {
        walk.add(row);
        if (walk.broken) break;
        onIntact(row.hash ?? '');
      }
      if (walk.broken) break;
    }
    return compareWithHead(walk.result(), await store.findHead(trx, org_id));
  }

  async function deleteOldCounts(): Promise<void> {
    await store.deleteVerifications(sweep_db, hourBefore(now()));
  }

  return { verifyAny, verifyOrg, walkChain, deleteOldCounts };
}

export type Verifier = ReturnType<typeof createVerifier>;

function assertReaches(head_seq: number, expected_min_seq: number): void {
  if (head_seq >= expected_min_seq) return;
  throw new Conflict('audit chain head is below the expected sequence', 'chain_head_below_anchor', {
    reason: `head_seq ${head_seq} is below expected_min_seq ${expected_min_seq}`,
    body: { head_seq, expected_min_seq },
  });
}
