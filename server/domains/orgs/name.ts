import { InvalidInput } from '../../lib/errors.ts';

const MAX_LENGTH = 100;

/**
 * Normalizes a name for storage: trimmed, in Unicode NFC.
 *
 * @throws InvalidInput if it is empty, longer than 100 characters, or contains control characters
 */
export function cleanName(value: string, field: string): string {
  const name = value.trim().normalize('NFC');
  if (name === '') throw new InvalidInput(`${field} must not be empty`);
  if ([...name].length > MAX_LENGTH) throw new InvalidInput(`${field} must have at most ${MAX_LENGTH} characters`);
  if (/\p{Cc}/u.test(name)) throw new InvalidInput(`${field} must not contain control characters`);
  return name;
}
