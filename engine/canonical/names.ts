import { parseCidr } from '../risk/attributes/cidr.ts';
import { asciiLower } from './values.ts';

const HOST = /^(?:[A-Za-z0-9_*-]{1,63}\.)*[A-Za-z0-9_*-]{1,63}\.?$/;
const ARM_ID = /^\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+(?:\/providers\/[^/\s]+(?:\/[^/\s]+\/[^/\s]+)+)?$/i;
/** Segments up to the name of the resource itself, the empty one before the first slash counted. */
const RESOURCE_SEGMENTS = 9;

/**
 * Whether two texts name one host: letter case and one dot at the end mean nothing.
 *
 * @see RFC 4343
 */
export function isSameHost(before: string, after: string): boolean {
  if (!HOST.test(before) || !HOST.test(after)) return false;
  return withoutDot(before).toLowerCase() === withoutDot(after).toLowerCase();
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/**
 * Whether two texts write one IPv6 address, or one block of them, in different ways. Host bits count: a block written
 * with them was meant as another one.
 *
 * @see RFC 4291, section 2.2
 */
export function isSameAddress(before: string, after: string): boolean {
  const [host = '', prefix] = before.split('/', 2);
  const [other = '', other_prefix] = after.split('/', 2);
  if (prefix !== other_prefix || parseCidr(before) === undefined || parseCidr(after) === undefined) return false;
  const address = parseCidr(host);
  return address?.family === 6 && address.address === parseCidr(other)?.address && other.includes(':');
}

/**
 * Whether two texts are one Azure resource id: case means nothing from the subscription to the name of the resource, and
 * in the types of what it holds. The names of what it holds keep theirs, since some services (Cosmos DB) tell them apart.
 */
export function isSameArmId(before: string, after: string): boolean {
  if (before.length !== after.length || !ARM_ID.test(before) || !ARM_ID.test(after)) return false;
  return foldArmId(before) === foldArmId(after);
}

function foldArmId(id: string): string {
  const segments = id.split('/');
  return segments.map((segment, i) => (i < RESOURCE_SEGMENTS || i % 2 === 1 ? asciiLower(segment) : segment)).join('/');
}
