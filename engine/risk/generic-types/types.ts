import type { JsonObject } from '../../result.ts';

/** What a resource of a general type really is. */
export interface TypeMapping {
  /** The type by which the rules know it. */
  type: string;
  /** A side in the form in which those rules read it; also used for masks, whose members are named alike. */
  translate(side: JsonObject): JsonObject;
  /** The translated name of a member. */
  translateName(member: string): string;
  /** Below which attributes the translated form stands in the plan. */
  prefix: readonly string[];
  /** The value stands in a text, so that masks speak of all of it. */
  opaque: boolean;
}
