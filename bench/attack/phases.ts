const MB = 1024 * 1024;

/** Maximum memory above idle during the run, or above the start of a phase that has its own limit. */
export const MEMORY_LIMIT = 400 * MB;

export interface Phase {
  name: string;
  /** Duration of the phase, in shares of the run. */
  shares: number;
  /** Maximum memory that the phase may add, in bytes. */
  most_added?: number;
  /** Maximum time in ms in which 99 % of the submissions of others are accepted. */
  submit_p99?: number;
}

export const BASELINE = 'quiet';
/** Share of the run without attacks: one minute of ten. */
export const BASELINE_SHARE = 0.1;
/** Maximum time for an analysis after the end of an attack. */
export const RECOVERY_LIMIT_MS = 20_000;
/** Maximum factor by which an attack may slow down other clients. */
export const SLOWDOWN_LIMIT = 3;

export const PHASES: Phase[] = [
  { name: 'unauthenticated flood', shares: 1, most_added: 150 * MB },
  { name: 'parallel 5 MB requests', shares: 1, most_added: 150 * MB },
  { name: 'slow bodies', shares: 1 },
  { name: 'slow headers', shares: 1 },
  { name: 'half-open connections', shares: 1 },
  { name: 'authenticated flood', shares: 1 },
  { name: 'oversized bodies', shares: 1 },
  { name: 'gzip bombs', shares: 1 },
  { name: 'deep nesting', shares: 1 },
  { name: 'pipelining', shares: 1 },
  { name: 'aborted requests', shares: 1 },
  { name: 'hostile plans', shares: 2, submit_p99: 2_000 },
  { name: 'all at once', shares: 2 },
];
