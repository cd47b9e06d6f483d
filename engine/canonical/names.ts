import { parseCidr } from '../risk/attributes/network/cidr.ts';
import { asciiLower } from './values.ts';

const HOST = /^(?:[A-Za-z0-9_*-]{1,63}\.)*[A-Za-z0-9_*-]{1,63}\.?$/;
const ARM_ID =
  /^\/subscriptions\/[^/\s]+(?:\/resourceGroups\/[^/\s]+)?(?:\/providers\/[^/\s]+(?:\/[^/\s]+\/[^/\s]+)+)?$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const REGION = /^[A-Za-z0-9 ]{1,40}$/;
const HOST_RECORDS = new Set(['CNAME', 'NS', 'PTR', 'MX', 'SRV']);
const ENDPOINT = /^https?:\/\/[A-Za-z0-9.-]{1,253}(?::\d{1,5})?\/?$/i;

/**
 * A host name as every writing of it is compared: letter case and one dot at the end mean nothing.
 *
 * @returns null when the text is no host name
 * @see RFC 4343
 */
export function hostForm(text: string): string | null {
  return HOST.test(text) ? asciiLower(text.endsWith('.') ? text.slice(0, -1) : text) : null;
}

/**
 * An IPv6 address, or a block of them, in one writing. Host bits count: a block written with them was meant as another.
 *
 * @returns null when the text is neither
 * @see RFC 4291, section 2.2
 */
export function addressForm(text: string): string | null {
  const [host = '', prefix] = text.split('/', 2);
  if (parseCidr(text) === undefined) return null;
  const address = parseCidr(host);
  return address?.family === 6 ? `${address.address.toString(16)}/${prefix ?? ''}` : null;
}

/**
 * An Azure resource id, or the id of a principal: case means nothing from the subscription to the name of the resource, and in the types of what
 * it holds. The names of what it holds keep theirs, since some services (Cosmos DB) tell them apart.
 *
 * @returns null when the text is no such id
 */
export function armIdForm(text: string): string | null {
  if (UUID.test(text)) return asciiLower(text);
  if (!ARM_ID.test(text)) return null;
  const segments = text.split('/');
  const provider = segments.findIndex((segment) => asciiLower(segment) === 'providers');
  // The provider's name, the type and the name of the resource follow.
  const end = provider < 0 ? segments.length : provider + 4;
  return segments.map((segment, i) => (i < end || i % 2 === end % 2 ? asciiLower(segment) : segment)).join('/');
}

/** `West Europe` and `westeurope`; null for what is no name of a region. */
export function regionForm(text: string): string | null {
  return REGION.test(text) ? asciiLower(text).replaceAll(' ', '') : null;
}

/**
 * The address of a service, of scheme, host and port alone: case means nothing, and neither does the slash of the root.
 *
 * @see RFC 3986, section 6.2.3
 */
export function endpointForm(text: string): string | null {
  return ENDPOINT.test(text) ? asciiLower(text).replace(/\/$/, '') : null;
}

/**
 * A value of a DNS record: host names in it have one writing, and addresses too.
 *
 * @param type of the record; texts and what is signed stay as they are
 * @returns null where nothing is known of the form
 */
export function recordForm(text: string, type: string | null): string | null {
  if (type === 'AAAA') return addressForm(text);
  if (type === null || !HOST_RECORDS.has(type)) return null;
  // A preference, a weight or a port may stand before the host.
  const words = text.split(' ');
  const host = hostForm(words.at(-1) as string);
  return host === null ? null : [...words.slice(0, -1), host].join(' ');
}

/** A member of a Google policy: letter case means nothing in an address of mail, and something in federated identities. */
export function memberForm(text: string): string {
  return /^(?:principal|deleted)/.test(text) ? text : asciiLower(text);
}
