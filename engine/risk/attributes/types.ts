import type { JsonValue, RiskLevel } from '../../result.ts';
import type { Subject } from './subject.ts';

export type Path = readonly (string | number)[];

/** How a change touches the resource, as far as the attribute rules tell apart. */
export type Mode = 'create' | 'update' | 'replace' | 'delete';

/** A value of the plan; undefined where the side or the attribute does not exist. */
export type Value = JsonValue | undefined;

/** What an unknown value at a watched path may hide: where it is a document, an address list or a principal, also on create. */
export interface Watch {
  /** Dots between segments, `*` for a list index or any key. */
  path: string;
  /** The unknown counts on create and replace too, because no provider default stands behind it. */
  hides?: true;
}

/** One rule of step 3 for a set of resource types. */
export interface Rule {
  /** Exact types, or globs with `*`. */
  types: readonly string[];
  watches: readonly Watch[];
  /** Without it: create, update and replace. */
  modes?: readonly Mode[];
  /** Reports to the subject. Called only when one of the watched top-level attributes is touched (always for delete). */
  find(subject: Subject): void;
}

export interface Finding {
  rule: string;
  level: RiskLevel;
  path: Path | null;
  message: string;
  /** The change is grave, but weakens no protection: it does not count as a weakening. */
  neutral?: boolean;
}
