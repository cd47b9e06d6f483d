const MB = 1024 * 1024;

/** Most memory above idle for the whole run, and above the start of a phase where that has a limit of its own. */
export const MEMORY_LIMIT = 400 * MB;

export interface Phase {
  name: string;
  /** How many shares of the run it takes. */
  shares: number;
  /** Most bytes that it may add. */
  most_added?: number;
  /** Most ms within which 99 of 100 submits of others are accepted. */
  submit_p99?: number;
}

export const BASELINE = 'quiet';
/** Of the run that is quiet: a minute of ten. */
export const BASELINE_SHARE = 0.1;
/** Within which an analysis is finished once an attack is over. */
export const RECOVERY_LIMIT_MS = 20_000;
/** By how much an attack may slow others down. */
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
