import type { JsonObject, RiskLevel } from '../../../model/result.ts';
import type { Neighbor, Neighbors } from '../neighbors.ts';

/** What is deleted: a whole resource, or the members that a grant loses. */
export interface Gone {
  type: string;
  side: JsonObject;
  /** Members of a grant that lose it. */
  members: readonly string[];
  /** Whether the plan deletes something by its id or name. */
  isDestroyed(name: string): boolean;
  plan: Neighbors;
}

/** A resource that another one needs, which stays. */
export interface Need {
  types: readonly string[];
  /** Types of what needs it. */
  users: readonly string[];
  /** @param user the other resource as it is after the plan */
  needs(user: JsonObject, gone: Gone, neighbor: Neighbor): boolean;
  level: RiskLevel;
  /** The consequence, a full clause. */
  says: string;
}
