/** Address blocks of IPv4 (RFC 4632) and IPv6 (RFC 4291) for the network rules. */

export interface Cidr {
  family: 4 | 6;
  /** The first address of the network, with host bits cleared. */
  address: bigint;
  /** 0–32 or 0–128. */
  prefix: number;
}

const WIDTH = { 4: 32, 6: 128 } as const;
/** Longest prefixes that count as the whole internet: half of IPv4, and all global IPv6 addresses (2000::/3). */
const INTERNET_PREFIX = { 4: 1, 6: 3 } as const;

/** Blocks of IPv4 from which nobody comes over the internet. */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
].map((text) => parseCidr(text)!);
const GLOBAL_IPV6 = parseCidr('2000::/3')!;

/**
 * Parses `10.0.0.0/8`, `::/0` or a bare address, which is a block of one.
 *
 * @returns undefined for any other text
 */
export function parseCidr(text: string): Cidr | undefined {
  if (text.length > 64) return undefined;
  const slash = text.indexOf('/');
  const host = slash < 0 ? text : text.slice(0, slash);
  const family = host.includes(':') ? 6 : 4;
  const address = family === 4 ? parseIpv4(host) : parseIpv6(host);
  if (address === undefined) return undefined;
  const prefix = slash < 0 ? WIDTH[family] : parseDecimal(text.slice(slash + 1), WIDTH[family]);
  if (prefix === undefined) return undefined;
  const shift = BigInt(WIDTH[family] - prefix);
  return { family, address: (address >> shift) << shift, prefix };
}

/** Returns true when every address of `inner` is in `outer`. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  const shift = BigInt(WIDTH[outer.family] - outer.prefix);
  return outer.address >> shift === inner.address >> shift;
}

/** Returns the block with a shorter prefix that contains the given block. */
export function widenTo({ family, address }: Cidr, prefix: number): Cidr {
  const shift = BigInt(WIDTH[family] - prefix);
  return { family, address: (address >> shift) << shift, prefix };
}

/** Returns a string that is unique for each block. */
export function blockKey({ family, address, prefix }: Cidr): string {
  return `${family}/${prefix}/${address}`;
}

/** A set of blocks. Finds the blocks that contain another one in at most one lookup for each prefix length. */
export class CidrSet {
  private readonly keys = new Set<string>();
  private readonly prefixes = { 4: new Set<number>(), 6: new Set<number>() };

  add(block: Cidr): void {
    this.keys.add(blockKey(block));
    this.prefixes[block.family].add(block.prefix);
  }

  /** Returns the keys of all blocks in the set that contain this one, including itself. */
  findContaining(block: Cidr): string[] {
    const found: string[] = [];
    for (const prefix of this.prefixes[block.family]) {
      const key = prefix <= block.prefix ? blockKey(widenTo(block, prefix)) : '';
      if (this.keys.has(key)) found.push(key);
    }
    return found;
  }
}

/** Returns true for a block that covers the whole internet, regardless of the address before a `/0`. */
export function isWholeInternet(cidr: Cidr): boolean {
  return cidr.prefix <= INTERNET_PREFIX[cidr.family];
}

/**
 * Returns true for a block with more public addresses than nearly all owners have: at least half of a /8 of IPv4, as
 * 172.0.0.0/8 has, or a /16 of the global addresses of IPv6. Whoever must stay out has an address in it.
 */
export function isVastPublic(cidr: Cidr): boolean {
  if (cidr.prefix > VAST_PREFIX[cidr.family]) return false;
  if (isWholeInternet(cidr)) return true;
  if (cidr.family === 6) return contains(GLOBAL_IPV6, cidr);
  return countPublic(cidr) >= VAST_COUNT;
}

const VAST_PREFIX = { 4: 8, 6: 16 } as const;
const VAST_COUNT = 2n ** 23n;

/** The addresses of an IPv4 block of at least a /8 that belong to no special range (RFC 6890). */
function countPublic(block: Cidr): bigint {
  let count = countAddresses(block);
  for (const special of SPECIAL_IPV4) {
    if (contains(special, block)) return 0n;
    if (contains(block, special)) count -= countAddresses(special);
  }
  return count;
}

function countAddresses({ family, prefix }: Cidr): bigint {
  return 1n << BigInt(WIDTH[family] - prefix);
}

/** Returns an IPv4 address as a number; undefined for any other text. */
export function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    const octet = parseDecimal(part, 255);
    if (octet === undefined) return undefined;
    value = value * 256n + BigInt(octet);
  }
  return value;
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '');
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '') : [];
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  let value = 0n;
  for (const group of [...head, ...new Array<number>(missing).fill(0), ...tail]) value = value * 65536n + BigInt(group);
  return value;
}

function parseGroups(text: string): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const embedded = index === parts.length - 1 ? parseIpv4(part) : undefined;
      if (embedded === undefined) return undefined;
      groups.push(Number(embedded >> 16n), Number(embedded & 65535n));
    } else {
      const group = parseHex(part);
      if (group === undefined) return undefined;
      groups.push(group);
    }
  }
  return groups;
}

function parseHex(text: string): number | undefined {
  return /^[0-9a-fA-F]{1,4}$/.test(text) ? Number.parseInt(text, 16) : undefined;
}

function parseDecimal(text: string, max: number): number | undefined {
  if (!/^[0-9]{1,3}$/.test(text)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}
