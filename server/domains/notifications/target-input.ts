/** Checks what a caller enters as a target. */
import { InvalidInput } from '../../lib/errors.ts';
import type { TargetInput, TargetKind } from './types.ts';

const PLACES = ['channel', 'addresses', 'url', 'webhook_config_id'] as const;
type PlaceField = (typeof PLACES)[number];

const FIELDS: Record<TargetKind, PlaceField> = {
  slack: 'channel',
  email: 'addresses',
  teams: 'url',
  webhook: 'webhook_config_id',
};

/** What a kind needs, and nothing else. @throws InvalidInput */
export function assertPlace(input: TargetInput): void {
  const needed = FIELDS[input.kind];
  if (input[needed] === undefined) {
    throw new InvalidInput(`${needed} is required: it says where notifications of the kind ${input.kind} go`);
  }
  const stray = PLACES.find((field) => field !== needed && input[field] !== undefined);
  if (stray !== undefined) throw new InvalidInput(`${stray} does not apply to the kind ${input.kind}; leave it out`);
}

/**
 * Email addresses in lower case, without repetitions. They must be in the domain of the person who enters them, so that
 * nobody can send messages to strangers.
 *
 * @throws InvalidInput `address_not_allowed`
 */
export function parseAddresses(addresses: readonly string[], person: string): string[] {
  const domain = readDomain(person);
  const parsed = [...new Set(addresses.map((address) => address.trim().toLowerCase()))];
  const stranger = parsed.find((address) => readDomain(address) !== domain);
  if (stranger === undefined) return parsed;
  throw new InvalidInput(
    `addresses: "${stranger}" is not in your own domain ${domain}; choose an address that is`,
    'address_not_allowed',
  );
}

function readDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
