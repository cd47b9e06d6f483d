/** What a client process is told about the service; crosses process boundaries as JSON. */
export interface Target {
  url: string;
  /** Headers of a signed-in owner. */
  headers: Record<string, string>;
  /** Organizations of that owner, so that hourly limits of one do not end a run. */
  orgs: string[];
  /** A GitHub webhook of the first organization. */
  webhook: { config_id: string; secret: string };
  /** A module with more plan shapes: `export const SHAPES: HostilePlan[]`. */
  shapes: string | null;
}

/** What the parent says to a client process. */
export type Command = { start: Target } | { phase: string | null } | { stop: true };

/** How often something happened, by name. */
export type Counts = Record<string, number>;

export function increment(counts: Counts, name: string | number): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
