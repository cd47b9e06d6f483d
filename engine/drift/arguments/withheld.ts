/** Values that are not known in full, and are therefore not compared. */
import { isCutText, OMITTED, REDACTED } from '../../inventory/withheld.ts';
import { isObject } from '../../lib/is-object.ts';
import type { JsonValue } from '../../model/result.ts';
import { MASK } from '../../redact/scrubber.ts';
import type { LiveResource } from '../types.ts';

/** Whether a secret was removed from a value or from a part of it, or a part was too large to keep. */
export function isWithheld(value: JsonValue | undefined): boolean {
  return some(value, (text) => text.includes(MASK) || text.includes(REDACTED) || isOmittedText(text));
}

/** Whether a value or a part of it was too large to keep. */
export function isOmitted(value: JsonValue | undefined): boolean {
  return some(value, isOmittedText);
}

/** Whether a value was replaced as a whole, so that not even its kind is known. */
export function isHidden(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && (value === REDACTED || isOmittedText(value));
}

/** Without properties, if the inventory could keep none of them. */
export function dropOmitted(live: LiveResource): LiveResource {
  const is_omitted = live.properties !== null && Object.hasOwn(live.properties, OMITTED);
  return is_omitted ? { ...live, properties: null, is_complete: false } : live;
}

/** Whether tags are shown, and not too large to keep. */
export function hasTags(tags: LiveResource['tags']): boolean {
  return !Object.hasOwn(tags, OMITTED);
}

function isOmittedText(text: string): boolean {
  return text === OMITTED || isCutText(text);
}

function some(value: JsonValue | undefined, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value);
  if (Array.isArray(value)) return value.some((item) => some(item, test));
  return isObject(value) && Object.values(value).some((member) => some(member, test));
}
