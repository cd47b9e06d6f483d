import { isIP } from 'node:net';
import { isPrivateAddress, isPublicAddress } from './addresses.ts';
import { isMetadataName } from './names.ts';

/** Ports of an entry without a port: those of http and https, and 8443. */
const USUAL_PORTS = ['80', '443', '8443'];

/** Whether the operator of this deployment allows the server at this address, even if it is private. */
export type IsAllowed = (url: URL) => boolean;

/**
 * @param entries `host` or `host:port`, with an IPv6 address in brackets. A host matches only itself, not its
 *   subdomains. Cloud credential addresses, and addresses that are neither public nor private, never match
 */
export function compileAllowedHosts(entries: readonly string[]): IsAllowed {
  const allowed = new Set(entries.flatMap(parseHostEntry));
  return ({ protocol, hostname, port }) => {
    const dialed_port = port || (protocol === 'https:' ? '443' : '80');
    return allowed.has(`${hostname}:${dialed_port}`) && isCallableServer(hostname);
  };
}

function isCallableServer(hostname: string): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) === 0) return !isMetadataName(hostname);
  return isPublicAddress(literal) || isPrivateAddress(literal);
}

function parseHostEntry(entry: string): string[] {
  const { hostname } = new URL(`http://${entry}`);
  const port = /:(\d+)$/.exec(entry)?.[1];
  return (port === undefined ? USUAL_PORTS : [port]).map((one) => `${hostname}:${one}`);
}
