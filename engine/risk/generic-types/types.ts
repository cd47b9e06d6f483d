import type { JsonObject } from '../../model/result.ts';

/** The mapping of a generic resource type to an actual one. */
export interface TypeMapping {
  /** The type that rules know. */
  type: string;
  /** Translates a side to the attributes of that type. Also used for masks, which have the same member names. */
  translate(side: JsonObject): JsonObject;
  /** Returns the translated name of a member. */
  translateName(member: string): string;
  /** The path in the plan that contains the translated attributes. */
  prefix: readonly string[];
  /** The attributes are in a string, so masks apply to all of them. */
  opaque: boolean;
}
