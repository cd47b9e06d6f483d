/** What an argument does. */
export const EFFECTS = [
  'metadata', // labels, tags, shown names
  'description',
  'capacity', // sizes, counts, zones, scaling
  'tuning', // timeouts, retries, buffers, formats
  'schedule', // when something runs
  'version',
  'guard', // a protection: locks, approvals, validation, limits
  'exposure', // who can reach the resource
  'identity', // who may act: roles, policies, principals, audiences, sessions
  'encryption',
  'secret',
  'data_path', // where data, events, logs, copies, code or images go or come from
  'routing',
  'retention', // how long data is kept; backups
  'observability', // logs, metrics, alarms, notifications
  'disruptive', // restarts or replaces what runs
  'destructive', // deletes data by its own effect
  'unknown',
] as const;

export type EffectName = (typeof EFFECTS)[number];

/** Words for the safe end: which value means more protection, less reach, more data kept, or more capacity. */
export const SAFE_WORDS = ['true', 'false', 'more', 'less', 'set', 'unset', 'restrict', 'extend'] as const;

/**
 * - `true`, `false`: this value of a boolean
 * - `more`, `less`: a greater or smaller number, duration or version
 * - `set`, `unset`: present or absent
 * - `restrict`, `extend`: fewer or more entries
 * - a list: values in order, weakest first
 */
export type SafeEnd = (typeof SAFE_WORDS)[number] | readonly string[];

/** A number that stands for an end of the scale: 0 for "never expires", -1 for "unlimited". */
export interface Sentinel {
  value: number;
  /** Whether it counts as the greatest or the least value. */
  as: 'most' | 'least';
}

/** What an argument does and which direction is the safe one. */
export interface Effect {
  effect: EffectName;
  /** Null if no direction is safer than the other. */
  safe_end: SafeEnd | null;
  sentinel: Sentinel | null;
  /** Whether it was derived from names alone, because the table does not have the argument. */
  inferred: boolean;
}

/** What kind of value an argument has; `block` has arguments of its own, `text` includes numbers in quotation marks. */
export type ValueKind = 'bool' | 'number' | 'text' | 'list' | 'map' | 'block';
