import { parseCidr } from '../risk/attributes/network/cidr.ts';
import { asciiLower } from './values.ts';

/** Wider blocks are never taken for one another: who writes an address before `/0` did not mean the whole Internet. */
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
 * A block of addresses by the addresses that it holds: host bits mean nothing, a bare address is a block of one, and
 * IPv6 has one writing.
 *
 * @returns null when the text is no block, or one wider than /8
 */
export function cidrForm(text: string): string | null {
  const block = parseCidr(text);
  if (block === undefined || block.prefix < MIN_PREFIX) return null;
  return `${block.family}:${block.address.toString(16)}/${block.prefix}`;
}

/** `80` and `80-80`; null for what is no port or range of ports. */
export function portsForm(text: string): string | null {
  const [, first, last = first] = PORT_RANGE.exec(text) ?? [];
  return first === undefined ? null : `${Number(first)}-${Number(last)}`;
}

/** `TCP`, `tcp` and `6`. */
export function protocolForm(text: string): string {
  const name = asciiLower(text);
  return PROTOCOLS.get(name) ?? name;
}
