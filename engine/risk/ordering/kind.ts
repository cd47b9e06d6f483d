/** What a type whose resources are the rules of one ordered list says about them. */
import type { JsonObject } from '../../model/result.ts';
import type { Value } from '../attributes/types.ts';
import { list, member, text } from '../attributes/values.ts';

/** What a rule matches, by dimension; a dimension that is missing matches everything. */
export type Match = Record<string, readonly string[]>;

/** A rule that the cloud itself keeps in the list. */
export interface ImpliedRule {
  address: string;
  number: number;
  strictness: number;
  match: Match;
}

export interface OrderedKind {
  types: readonly string[];
  /** The attribute that names the list. */
  list: string;
  /** Attributes that divide the list. They are compared where both rules have them. */
  within?: readonly string[];
  priority: string;
  default_priority?: number;
  /** The highest number is evaluated first. By default, the lowest is. */
  highest_first?: true;
  /** Rules of one number: the stricter rule wins. */
  ties_are_strict?: true;
  /** How much a rule demands: 0 lets pass; undefined if its place has no meaning. */
  strictness(rule: JsonObject): number | undefined;
  match(rule: JsonObject): Match;
  /** The match names everything that the rule looks at. */
  whole_match?: true;
  implied?(rule: JsonObject): readonly ImpliedRule[];
}

/** Reads dimensions from attributes; empty ones match everything. */
export function pick(rule: Value, dimensions: Record<string, readonly string[]>): Match {
  const found: Match = {};
  for (const [name, attributes] of Object.entries(dimensions)) {
    const values = attributes
      .flatMap((attribute) => list(member(rule, attribute)).map(text))
      .filter((value) => value !== '');
    if (values.length > 0) found[name] = values;
  }
  return found;
}

export const says = (rule: Value, attribute: string, pattern: RegExp): boolean =>
  pattern.test(text(member(rule, attribute)));

export const DENIES = /^(?:deny|block|drop|reject)/i;

/** Strictness of a rule whose action either refuses or lets pass. */
export const refuses =
  (attribute: string) =>
  (rule: Value): number =>
    says(rule, attribute, DENIES) ? 1 : 0;
