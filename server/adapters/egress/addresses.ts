import { BlockList, isIP } from 'node:net';
import { IPAddressRanges } from '@microsoft/antissrf';

/**
 * Only 2000::/3 is handed out as global unicast. Refusing the rest covers every form that carries an IPv4 address in
 * its low bits: compatible (::a.b.c.d), mapped, translated and NAT64; 6to4 and Teredo lie inside and are listed.
 *
 * @see IANA, Internet Protocol Version 6 Address Space; RFC 4291, 6052, 6890
 */
const NOT_GLOBAL_UNICAST = ['::/3', '4000::/2', '8000::/1'];

// Two lists: a BlockList compares an IPv4 address with its IPv6 networks as if it were written ::ffff:a.b.c.d.
const FORBIDDEN = { 4: new BlockList(), 6: new BlockList() };

for (const network of [...IPAddressRanges.recommendedLatest, ...NOT_GLOBAL_UNICAST]) {
  const [address = '', prefix] = network.split('/');
  if (isIP(address) === 4) FORBIDDEN[4].addSubnet(address, Number(prefix), 'ipv4');
  else FORBIDDEN[6].addSubnet(address, Number(prefix), 'ipv6');
}

/** Whether this is an address of the public internet, in the form that a resolver or `URL` writes it. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !FORBIDDEN[4].check(address, 'ipv4');
  // A zone id names a link of this machine.
  if (family === 6 && !address.includes('%')) return !FORBIDDEN[6].check(address, 'ipv6');
  return false;
}
