import type { JsonValue } from '../../model/result.ts';
import { MASK } from '../../redact/scrubber.ts';

/** What inventories write in place of a secret. */
const REDACTED = '[redacted]';

/** Whether a secret was removed from a value, or from a part of it. */
export function isWithheld(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && (value.includes(MASK) || value.includes(REDACTED));
}
