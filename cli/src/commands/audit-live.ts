import type { PackAttestation } from '../../../engine/index.ts';
import type { ConnectionOptions } from '../connection.ts';

/**
 * Why the log of the service is not the one that a pack attests:
 * - `log_broken`: an entry was changed or removed
 * - `log_too_short`: entries were removed from the end
 * - `head_differs`: the entry that the pack names has another hash
 */
export type LiveProblem = 'log_broken' | 'log_too_short' | 'head_differs';

const PROBLEM_TEXTS: Readonly<Record<LiveProblem, string>> = {
  log_broken: 'an entry of the log of the service was changed or removed',
  log_too_short: 'entries were removed from the end of the log of the service',
  head_differs: 'the entry that the pack names has another hash in the log of the service',
};

export interface LiveReport {
  head_seq: number;
  head_hash: string;
  problem: LiveProblem | null;
  /** Whether the hash of the attested entry was compared: the service only gives that of its last entry. */
  hash_compared: boolean;
}

/**
 * Asks the service whether its log still has what a pack attests.
 *
 * @throws Failure without a connection; errors of the SDK
 */
export async function verifyLive(attested: PackAttestation, options: ConnectionOptions): Promise<LiveReport> {
  // Verification without a service loads no HTTP client.
  const [{ openService }, { isApiError }] = await Promise.all([
    import('../connection.ts'),
    import('../../../sdk/src/index.ts'),
  ]);
  const { dpa } = await openService(options);
  const path = { id: attested.org_id };
  try {
    const query = { expected_min_seq: attested.head_seq };
    const { status, head_seq, head_hash } = await dpa.call('verifyOrgAuditLog', { path, query });
    const hash_compared = head_seq === attested.head_seq;
    const differs = hash_compared && head_hash !== attested.head_hash;
    const problem = status === 'broken' ? 'log_broken' : differs ? 'head_differs' : null;
    return { head_seq, head_hash, problem, hash_compared };
  } catch (error) {
    if (!isApiError(error) || error.error_class !== 'chain_head_below_anchor') throw error;
    return { head_seq: 0, head_hash: '', problem: 'log_too_short', hash_compared: false };
  }
}

export function renderLive({ head_seq, head_hash, problem, hash_compared }: LiveReport): string {
  if (problem !== null) return `broken  log of the service: ${problem}, ${PROBLEM_TEXTS[problem]}\n`;
  const rest = hash_compared ? '' : '; it has grown, so compare the hash that the pack names with a dump';
  return `ok      log of the service  head ${head_seq}:${head_hash}${rest}\n`;
}
