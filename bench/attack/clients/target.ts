/** The service to attack; passed to client processes as JSON. */
export interface Target {
  url: string;
  /** Headers that authenticate an owner. */
  headers: Record<string, string>;
  /** Several organizations of that owner, so that hourly limits do not end the run. */
  orgs: string[];
  /** A GitHub webhook configuration of the first organization. */
  webhook: { config_id: string; secret: string };
  /** A module with more plan shapes: `export const SHAPES: HostilePlan[]`. */
  shapes: string | null;
}

/** A message from the parent to a client process. */
export type Command = { start: Target } | { phase: string | null } | { stop: true };

/** Number of events by name. */
export type Counts = Record<string, number>;

/** Adds one to the count of this name. */
export function increment(counts: Counts, name: string | number): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
