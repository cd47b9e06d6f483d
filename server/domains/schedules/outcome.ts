import type { RunState } from './types.ts';

/** @see the contract decisions, D101 */
const MOST_FAILURES = 5;
const LONGEST_ERROR = 500;

/** What a failed run changes: the fifth in a row disables the schedule. */
export function afterFailure(state: RunState, error: string): RunState {
  const last_error = error.slice(0, LONGEST_ERROR);
  const consecutive_failures = state.consecutive_failures + 1;
  const failed = { ...state, consecutive_failures, last_error };
  if (!state.enabled || consecutive_failures < MOST_FAILURES) return failed;
  return disable(failed, `consecutive_failures: ${consecutive_failures}, last: ${last_error}`);
}

/** What a run changes of which at least one scan has read something. @param note what it did not do; null if nothing */
export function afterSuccess(state: RunState, note: string | null): RunState {
  return { ...state, consecutive_failures: 0, last_error: note };
}

export function disable(state: RunState, disabled_reason: string): RunState {
  return { ...state, enabled: false, disabled_reason, next_run_at: null };
}
