import type { RiskLevel } from '../../../model/result.ts';
import type { ValueTest } from './value-tests.ts';

/**
 * What follows when an argument moves from one value to another, as the documentation of its service says. A move
 * without `from`, `to` and `by` is any change of the value. When an entry of a list goes as a whole, moves of blocks
 * inside it are meant only if they go from `*` to `null`.
 */
export interface Move {
  /**
   * Names separated by dots; `*` matches a list index or any key, and is skipped where a block is a single object; `{}`
   * leads into a JSON text, as in `redrive_policy.{}.maxReceiveCount`. A name that contains dots is in brackets:
   * `metadata.*.annotations.[cert-manager.io/issuer]`.
   */
  path: string;
  /** The old value passes one of these tests; the new one does not. */
  from?: readonly ValueTest[];
  /** The new value passes one of these tests; the old one does not. */
  to?: readonly ValueTest[];
  /**
   * How the value moves: an amount gets less or more; entries of a list, keys of a map or lines of a text come or go;
   * a set value becomes another one or goes; entries of a list that both sides have change their order.
   */
  by?: 'less' | 'more' | 'loses' | 'gains' | 'emptied' | 'changes' | 'reordered';
  /** For `loses` and `gains`: tests of the entries that come or go; all by default. */
  entries?: readonly ValueTest[];
  /** For `less` and `more`: at least this ratio between the greater and the smaller amount. */
  factor?: number;
  /**
   * Tests of other arguments of the resource after the change; each must pass. A path that leads through the same
   * lists as `path` means the same entries of them.
   */
  where?: Readonly<Record<string, readonly ValueTest[]>>;
  /** `none` or `low`: this move is routine, and no other rule judges the argument. */
  level: RiskLevel;
  /** The consequence in a few words, such as `Nobody is notified`. Not needed for routine moves. */
  says?: string;
  /** Level on a new resource whose value passes `to`; by default new resources are not judged. */
  create?: RiskLevel;
  /** The opposite move is not safer: nothing is said about it. */
  one_way?: true;
}

export interface MoveTable {
  /** Moves by resource types; a key can name several types, separated by blanks, and end with `*`. */
  moves: Readonly<Record<string, readonly Move[]>>;
  parts?: readonly Part[];
}

/** A block that resources of several types have, such as the pod of a deployment and of a job. */
export interface Part {
  /** Where the block is, by resource types. */
  at: Readonly<Record<string, readonly string[]>>;
  /** Moves whose paths begin in the block. */
  moves: readonly Move[];
}
