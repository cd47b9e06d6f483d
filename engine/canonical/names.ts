import { parseCidr } from '../lib/cidr.ts';
import { asciiLower } from './values.ts';

const HOST = /^(?:[A-Za-z0-9_*-]{1,63}\.)*[A-Za-z0-9_*-]{1,63}\.?$/;
const ARM_ID =
  /^\/subscriptions\/[^/\s]+(?:\/resourceGroups\/[^/\s]+)?(?:\/providers\/[^/\s]+(?:\/[^/\s]+\/[^/\s]+)+)?$/i;
/** Services in which no name has a case. */
const CASELESS: ReadonlySet<string> = new Set(['microsoft.network', 'microsoft.compute']);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const REGION = /^[A-Za-z0-9 ]{1,40}$/;
const HOST_RECORDS = new Set(['CNAME', 'NS', 'PTR', 'MX', 'SRV']);
const QUOTED = /^"([^"\\]{1,2000})"$/;
const UPPER_NAME = /^[A-Z_][A-Z0-9_$]{0,254}$/;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_$]{0,254}$/;
const EMAIL = /^[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}$/;
const ENDPOINT = /^https?:\/\/[A-Za-z0-9.-]{1,253}(?::\d{1,5})?\/?$/i;

const IMAGE =
  /^(?:(?:index\.)?docker\.io\/)?(?:library\/)?([\w.-]{1,100}(?:\/[\w.-]{1,100}){0,3}(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?)$/;

/** Normalizes an image of Docker Hub, whose host and folder may be left out; other images stay as they are. */
export function imageForm(text: string): string {
  return IMAGE.exec(text)?.[1] ?? text;
}

/**
 * Normalizes a host name: letter case and one trailing dot do not matter, and `\\052`, as zone files write it, is a star.
 *
 * @returns null when the text is not a host name
 * @see RFC 4343
 */
export function hostForm(text: string): string | null {
  const host = text.replace(/^\\052(?=\.)/, '*');
  return HOST.test(host) ? asciiLower(host.endsWith('.') ? host.slice(0, -1) : host) : null;
}

/**
 * Normalizes an IPv6 address or block. Host bits are kept: blocks that differ in host bits are different.
 *
 * @returns null for any other text
 * @see RFC 4291, section 2.2
 */
export function addressForm(text: string): string | null {
  const [host = '', prefix] = text.split('/', 2);
  if (parseCidr(text) === undefined) return null;
  const address = parseCidr(host);
  return address?.family === 6 ? `${address.address.toString(16)}/${prefix ?? ''}` : null;
}

/**
 * Normalizes an Azure resource id or the id of a principal. Letter case does not matter up to the name of the resource
 * and in the types of its child resources. The names of child resources keep their case, because some services, such as
 * Cosmos DB, are case-sensitive; networks and machines are not.
 *
 * @returns null when the text is not such an id
 */
export function armIdForm(text: string): string | null {
  if (UUID.test(text)) return asciiLower(text);
  if (!ARM_ID.test(text)) return null;
  const segments = text.split('/');
  const provider = segments.findIndex((segment) => asciiLower(segment) === 'providers');
  // The provider's name, the resource type and the resource name follow.
  const has_case = provider >= 0 && !CASELESS.has(asciiLower(segments[provider + 1] ?? ''));
  const end = has_case ? provider + 4 : segments.length;
  return segments.map((segment, i) => (i < end || i % 2 === end % 2 ? asciiLower(segment) : segment)).join('/');
}

/** Normalizes `West Europe` and `westeurope`; null when the text is not a region name. */
export function regionForm(text: string): string | null {
  return REGION.test(text) ? asciiLower(text).replaceAll(' ', '') : null;
}

/**
 * Normalizes a service URL that has only scheme, host and port: letter case and a trailing slash do not matter.
 *
 * @see RFC 3986, section 6.2.3
 */
export function endpointForm(text: string): string | null {
  return ENDPOINT.test(text) ? asciiLower(text).replace(/\/$/, '') : null;
}

/**
 * Normalizes the host names and IPv6 addresses in the value of a DNS record.
 *
 * @param type the record type; values of other types, such as TXT, are not normalized
 * @returns null when the record type has no normalized form
 */
export function recordForm(text: string, type: string | null): string | null {
  if (type === 'AAAA') return addressForm(text);
  if (type === null || !HOST_RECORDS.has(type)) return null;
  // A preference, a weight or a port may precede the host.
  const words = text.split(' ');
  const host = hostForm(words.at(-1) as string);
  return host === null ? null : [...words.slice(0, -1), host].join(' ');
}

/** Like {@link recordForm}, for services that also accept a TXT value without the quotes around it. */
export function quotedRecordForm(text: string, type: string | null): string | null {
  return type === 'TXT' ? (QUOTED.exec(text)?.[1] ?? text) : recordForm(text, type);
}

/**
 * Normalizes an identifier that a database writes in upper case unless it is quoted.
 *
 * @returns null when it is quoted because it has other letters, so that it stays as it is
 */
export function identifierForm(text: string): string | null {
  const name = QUOTED.exec(text)?.[1];
  if (name !== undefined) return UPPER_NAME.test(name) ? name : null;
  return PLAIN_NAME.test(text) ? text.toUpperCase() : null;
}

/** Normalizes an email address; null when the text is none. The case of letters matters to no mail server in use. */
export function emailForm(text: string): string | null {
  return EMAIL.test(text) ? asciiLower(text) : null;
}

/** Normalizes a member of a Google policy: case does not matter in email addresses but in federated identities. */
export function memberForm(text: string): string {
  return /^(?:principal|deleted)/.test(text) ? text : asciiLower(text);
}
