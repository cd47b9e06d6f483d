import type { JsonValue, RiskLevel } from '../../model/result.ts';
import type { Subject } from './subject.ts';

export type Path = readonly (string | number)[];

/** How a change affects the resource, as the attribute rules distinguish it. */
export type Mode = 'create' | 'update' | 'replace' | 'delete';

/** A value of the plan; undefined when the side or the attribute does not exist. */
export type Value = JsonValue | undefined;

/** A path that a rule reads. */
export interface Watch {
  /** Segments separated by dots; `*` matches a list index or any key. */
  path: string;
  /** Report an unknown value on create and replace, too: it is a document, address list or principal, not a default. */
  hides?: true;
  /** Read only to compare it with another resource: a difference may be noise, and an unknown value is not reported. */
  compares?: true;
}

/** One attribute rule for a set of resource types. */
export interface Rule {
  /** Exact types, or globs with `*`. */
  types: readonly string[];
  watches: readonly Watch[];
  /** Defaults to create, update and replace. */
  modes?: readonly Mode[];
  /** Reports to the subject. Called only when a watched top-level attribute changes, and always for delete. */
  find(subject: Subject): void;
}

export interface Finding {
  rule: string;
  level: RiskLevel;
  path: Path | null;
  message: string;
  /** The message states both values at the path in full. */
  states_values?: boolean;
  /** The change is risky but weakens no protection. */
  neutral?: boolean;
}
