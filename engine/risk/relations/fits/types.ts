import type { JsonObject, RiskLevel } from '../../../model/result.ts';
import type { Index, Neighbors } from '../neighbors.ts';

/** One of the two resources that must fit each other. */
export interface End extends Index {
  /** Arguments that are compared; the reason names the first one that changes. */
  paths: readonly string[];
  /** Further arguments that are read, besides names. */
  reads?: readonly string[];
}

/**
 * Two resources whose arguments must fit each other; they belong together if they share a name. A change that ends the
 * fit is reported, whichever side it is on.
 */
export interface Fit {
  one: End;
  other: End;
  /** Types that `names` or `breaks` look up, with the arguments that are read. */
  looks_up?: Readonly<Record<string, readonly string[]>>;
  /** Whether two resources that share a name really belong together. */
  joins?(one: JsonObject, other: JsonObject): boolean;
  breaks(one: JsonObject, other: JsonObject, plan: Neighbors): boolean;
  level: RiskLevel;
  /** The consequence, a full clause. */
  says: string;
}

/** Arguments of one resource that must fit each other. */
export interface SelfFit {
  types: readonly string[];
  paths: readonly string[];
  breaks(side: JsonObject): boolean;
  level: RiskLevel;
  says: string;
}

/** A type of the Kubernetes provider with its versions. */
export const versions = (...types: readonly string[]): string[] =>
  types.flatMap((type) => [type, `${type}_v1`, `${type}_v2`, `${type}_v2beta2`]);
