/** Lists of Kubernetes objects and common extensions in which the order of the items has no meaning. */
import type { PathNode } from '../changes/path-node.ts';
import { memberAt, type SideReader } from '../changes/side-reader.ts';
import type { TypeHints } from './equivalences.ts';

/** An entry matches, allows or names by itself. */
const NAMES =
  'principals notPrincipals requestPrincipals notRequestPrincipals namespaces notNamespaces ipBlocks notIpBlocks ' +
  'remoteIpBlocks notRemoteIpBlocks methods notMethods hosts notHosts ports notPorts paths notPaths verbs resources ' +
  'apiGroups apiVersions operations resourceNames nonResourceURLs policyTypes accessModes add drop ' +
  'loadBalancerSourceRanges externalIPs dnsNames ipAddresses usages except toCIDR fromCIDR matchNames fromEntities toEntities hostnames';
const SCALARS: ReadonlySet<string> = new Set(NAMES.split(' '));
/** Blocks of which each allows something, or all have to apply. */
const BLOCKS: ReadonlySet<string> = new Set(
  'from to ingress egress subjects tolerations imagePullSecrets matchExpressions rules toFQDNs toEndpoints fromEndpoints'.split(
    ' ',
  ),
);
/** Groups of APIs whose rules are alternatives. Those of Calico and of routes count in order. */
const UNORDERED_GROUPS: ReadonlySet<string> = new Set([
  'networking.k8s.io',
  'cilium.io',
  'rbac.authorization.k8s.io',
  'security.istio.io',
]);
const FREE: ReadonlySet<string> = new Set(['labels', 'annotations', 'data', 'stringData', 'matchLabels', 'parameters']);

export const MANIFEST_HINTS: TypeHints = {
  paths: new Map(),
  sets: new Set(),
  names: { hints: new Map(), sets: new Set([...SCALARS, ...BLOCKS]) },
};

/** The lists without order that contain a leaf of a manifest, or are this leaf; the inner ones first. */
export function findManifestSets(node: PathNode, side: SideReader): PathNode[] {
  const found: PathNode[] = [];
  let root: PathNode = node;
  for (let at: PathNode | null = node; at !== null && at.parent !== null; at = at.parent) {
    if (typeof at.segment === 'string' && FREE.has(at.segment)) found.length = 0;
    else if (typeof at.segment === 'string' && (SCALARS.has(at.segment) || BLOCKS.has(at.segment))) found.push(at);
    if (at.depth === 1) root = at;
  }
  if (found.every((list) => SCALARS.has(String(list.segment)))) return found;
  const version = memberAt(side(root), 'apiVersion');
  const are_alternatives = typeof version === 'string' && UNORDERED_GROUPS.has(version.split('/')[0]!);
  return are_alternatives ? found : found.filter((list) => SCALARS.has(String(list.segment)));
}
