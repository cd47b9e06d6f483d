import type { JsonObject } from '../model/result.ts';
import { createScrubber } from './scrubber.ts';
import { createSecretSet } from './secret-set.ts';
import { UNNAMED } from './secrets.ts';

/**
 * Masks what the names or the formats of values identify as secret, in an object that no plan marks: also inside
 * documents, scripts, connection strings and base64.
 *
 * @returns the same object if it contains none
 */
export function scrubValue(value: JsonObject, mask: string): JsonObject {
  return createScrubber(createSecretSet(), mask).clean(value, UNNAMED, false) as JsonObject;
}
