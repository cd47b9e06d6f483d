/** Changes that tables of moves cannot tell from greater ones: another path of one host, and a part of a network. */
import { blockKey, type Cidr, contains, parseCidr } from '../../../lib/cidr.ts';
import type { Value } from '../types.ts';
import { strings, text } from '../values.ts';

const HOST = /^https?:\/\/([^/?#\s]{1,300})/i;
const MAX_NETWORKS = 500;

/** Whether both values are web addresses of one host. */
export function keepsHost(before: Value, after: Value): boolean {
  const [was, is] = [before, after].map((value) => HOST.exec(text(value))?.[1]?.toLowerCase());
  return was !== undefined && was === is;
}

/** Whether networks of a list give way to smaller ones inside them. Networks that only go are left to other moves. */
export function narrowsNetworks(before: Value, after: Value): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const [was, is] = [readNetworks(before), readNetworks(after)];
  if (was === null || is === null) return false;
  const known = new Set(was.map(blockKey));
  return (
    is.some((network) => !known.has(blockKey(network))) &&
    is.every((inner) => was.some((outer) => contains(outer, inner)))
  );
}

/** null unless all entries are networks, and there are some. */
function readNetworks(value: Value): Cidr[] | null {
  const entries = strings(value);
  if (entries.length === 0 || entries.length > MAX_NETWORKS) return null;
  const networks = entries.map(parseCidr).filter((network) => network !== undefined);
  return networks.length === entries.length ? networks : null;
}
