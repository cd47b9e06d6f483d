import { errorCode } from '../../lib/error-code.ts';

/**
 * Why a batch was not written:
 * - `held`: another writer locks one of its chains; nothing was written
 * - `late`: it took too long; nothing was written
 * - `refused`: the database rejected one of its rows; nothing was written
 * - `away`: there was no response; the rows may be written
 */
export type WriteFailure = 'held' | 'late' | 'refused' | 'away';

/** The deadline passed before the start. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const UNIQUE_VIOLATION = '23505';
/** Error classes of the statement itself, for which a retry cannot help. */
const REFUSALS = new Set(['0A', '21', '22', '23', '42', 'P0']);

export function classifyFailure(error: unknown): WriteFailure {
  if (error instanceof OutOfTime) return 'late';
  const code = errorCode(error);
  if (code === LOCK_NOT_AVAILABLE) return 'held';
  if (code === QUERY_CANCELED) return 'late';
  // The row of an earlier attempt without a response.
  if (code === UNIQUE_VIOLATION && readConstraint(error) === 'audit_log_pkey') return 'away';
  return code?.length === 5 && REFUSALS.has(code.slice(0, 2)) ? 'refused' : 'away';
}

function readConstraint(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'constraint' in error ? error.constraint : undefined;
}
