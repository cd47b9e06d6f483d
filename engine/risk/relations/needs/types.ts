import type { JsonObject, RiskLevel } from '../../../model/result.ts';
import type { Index, Neighbor, Neighbors } from '../neighbors.ts';

/** What is deleted: a whole resource, or the members that a grant loses. */
export interface Gone {
  type: string;
  address: string;
  side: JsonObject;
  /** Members of a grant that lose it. */
  members: readonly string[];
  /** Whether the plan deletes something by its id or name. */
  isDestroyed(name: string): boolean;
  plan: Neighbors;
}

/** A resource that another one needs, which stays. Both share a name. */
export interface Need {
  types: readonly string[];
  names(gone: Gone): readonly string[];
  /** What needs it, with the arguments that are read of these types besides names. */
  users: Index & { reads: readonly string[] };
  /** Types that `needs` looks up, with the arguments that are read. */
  looks_up?: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether a resource that shares a name really needs it.
   *
   * @param user the other resource as it is after the plan
   */
  needs?(user: JsonObject, gone: Gone, neighbor: Neighbor): boolean;
  level: RiskLevel;
  /** The consequence, a full clause. */
  says: string;
}
