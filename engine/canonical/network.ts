import { parseCidr } from '../lib/cidr.ts';
import { asciiLower } from './values.ts';

/** Wider blocks are not normalized: an address before `/0` is probably a mistake and not the whole internet. */
const MIN_PREFIX = 8;
const PORT_RANGE = /^(\d{1,5})(?:-(\d{1,5}))?$/;
/** @see IANA, Assigned Internet Protocol Numbers */
const PROTOCOLS: ReadonlyMap<string, string> = new Map([
  ['all', '-1'],
  ['1', 'icmp'],
  ['6', 'tcp'],
  ['17', 'udp'],
  ['50', 'esp'],
  ['51', 'ah'],
  ['58', 'icmpv6'],
]);

/**
 * Normalizes an address block: host bits are cleared, a bare address is a block of one, and IPv6 has one notation.
 *
 * @returns null when the text is not a block, or is wider than /8
 */
export function cidrForm(text: string): string | null {
  const block = parseCidr(text);
  if (block === undefined || block.prefix < MIN_PREFIX) return null;
  return `${block.family}:${block.address.toString(16)}/${block.prefix}`;
}

/** Normalizes `80` and `80-80`; null when the text is not a port or port range. */
export function portsForm(text: string): string | null {
  const [, first, last = first] = PORT_RANGE.exec(text) ?? [];
  return first === undefined ? null : `${Number(first)}-${Number(last)}`;
}

/** Normalizes protocol names and numbers, for example `TCP`, `tcp` and `6`. */
export function protocolForm(text: string): string {
  const name = asciiLower(text);
  return PROTOCOLS.get(name) ?? name;
}
