import { BlockList, isIP } from 'node:net';
import { IPAddressRanges } from '@microsoft/antissrf';

/**
 * Only 2000::/3 is assigned as global unicast. Rejecting all other addresses covers every form that contains an IPv4
 * address in its low bits: compatible (::a.b.c.d), mapped, translated and NAT64. 6to4 and Teredo are inside 2000::/3
 * and are listed.
 *
 * @see IANA, Internet Protocol Version 6 Address Space; RFC 4291, 6052, 6890
 */
const NOT_GLOBAL_UNICAST = ['::/3', '4000::/2', '8000::/1'];

const FORBIDDEN = blockLists([...IPAddressRanges.recommendedLatest, ...NOT_GLOBAL_UNICAST]);

/** Whether this is an address on the public internet, in the form that a resolver or `URL` writes it. */
export function isPublicAddress(address: string): boolean {
  // A zone id names a link of this machine.
  return isIP(address) !== 0 && !address.includes('%') && !holds(FORBIDDEN, address);
}

/** Private networks and loopback. RFC 1918, 4193, 6598 */
const PRIVATE = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '::1/128',
  'fc00::/7',
];
/**
 * Addresses within private networks at which clouds serve credentials. Link-local addresses are not in those networks.
 */
const METADATA = ['100.100.100.200/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'];

const [PRIVATE_NETWORKS, METADATA_ADDRESSES] = [blockLists(PRIVATE), blockLists(METADATA)];

/** Whether this is an address in a private network at which a customer's server can be. */
export function isPrivateAddress(address: string): boolean {
  return !address.includes('%') && holds(PRIVATE_NETWORKS, address) && !holds(METADATA_ADDRESSES, address);
}

// Two lists, because a BlockList compares an IPv4 address with IPv6 networks as if it were written ::ffff:a.b.c.d.
function blockLists(networks: readonly string[]) {
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    if (isIP(address) === 4) lists[4].addSubnet(address, Number(prefix), 'ipv4');
    else lists[6].addSubnet(address, Number(prefix), 'ipv6');
  }
  return lists;
}

function holds(lists: ReturnType<typeof blockLists>, address: string): boolean {
  const family = isIP(address);
  if (family === 4) return lists[4].check(address, 'ipv4');
  return family === 6 && lists[6].check(address, 'ipv6');
}
