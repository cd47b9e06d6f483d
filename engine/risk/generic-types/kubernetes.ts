import { isObject } from '../../lib/is-object.ts';
/** Kubernetes manifests, as an object (`kubernetes_manifest`) or as YAML (`kubectl_manifest`). */
import type { JsonObject, JsonValue } from '../../model/result.ts';
import { readText, renameMembers, snakeCase } from './names.ts';
import type { TypeMapping } from './types.ts';
import { readYaml } from './yaml.ts';

/** Lists that Terraform writes as blocks, with the block name. */
const BLOCKS: readonly (readonly [string, string])[] = [
  ['containers', 'container'],
  ['httpHeaders', 'http_header'],
  ['initContainers', 'init_container'],
  ['ports', 'port'],
  ['readinessGates', 'readiness_gate'],
  ['rules', 'rule'],
  ['subjects', 'subject'],
  ['sysctls', 'sysctl'],
  ['tolerations', 'toleration'],
  ['topologySpreadConstraints', 'topology_spread_constraint'],
  ['volumeClaimTemplates', 'volume_claim_template'],
  ['volumeDevices', 'volume_device'],
  ['volumeMounts', 'volume_mount'],
  ['volumes', 'volume'],
];
/** Lists that are blocks only in resources of one kind. */
const BLOCKS_BY_KIND = new Map<string, readonly (readonly [string, string])[]>([
  [
    'AppProject',
    [
      ['destinations', 'destination'],
      ['roles', 'role'],
      ['syncWindows', 'sync_window'],
    ],
  ],
  [
    'Endpoints',
    [
      ['addresses', 'address'],
      ['subsets', 'subset'],
    ],
  ],
  [
    'EndpointSlice',
    [
      ['conditions', 'condition'],
      ['endpoints', 'endpoint'],
    ],
  ],
  [
    'HorizontalPodAutoscaler',
    [
      ['metrics', 'metric'],
      ['policies', 'policy'],
    ],
  ],
  ['Ingress', [['paths', 'path']]],
  ['LimitRange', [['limits', 'limit']]],
  ['MutatingWebhookConfiguration', [['webhooks', 'webhook']]],
  ['ServiceAccount', [['imagePullSecrets', 'image_pull_secret']]],
  ['StorageClass', [['provisioner', 'storage_provisioner']]],
  ['ValidatingWebhookConfiguration', [['webhooks', 'webhook']]],
]);
const FREE = new Set(['annotations', 'labels', 'matchLabels', 'nodeSelector', 'data', 'stringData', 'binaryData']);
const KINDS = new Map([['DaemonSet', 'kubernetes_daemonset']]);
const KIND = /^[A-Za-z0-9]{1,100}$/;

const cache = new Map<string, ReadonlyMap<string, string>>();

/** The names of blocks in resources of a kind. */
function findBlocks(kind: string): ReadonlyMap<string, string> {
  const own = BLOCKS_BY_KIND.has(kind) ? kind : '';
  const known = cache.get(own) ?? new Map([...BLOCKS, ...(BLOCKS_BY_KIND.get(own) ?? [])]);
  cache.set(own, known);
  return known;
}

function createMapping(kind: string, rest: Omit<TypeMapping, 'type' | 'translateName'>): TypeMapping | null {
  if (!KIND.test(kind)) return null;
  const blocks = findBlocks(kind);
  const translateName = (name: string): string => blocks.get(name) ?? snakeCase(name);
  return { type: KINDS.get(kind) ?? `kubernetes_${snakeCase(kind)}`, translateName, ...rest };
}

function translate(manifest: JsonValue | undefined, kind: string): JsonObject {
  return isObject(manifest) ? (renameMembers(manifest, findBlocks(kind), FREE) as JsonObject) : {};
}

export function mapManifest(before: JsonObject | null, after: JsonObject | null): TypeMapping | null {
  const manifest = (after ?? before)?.['manifest'];
  if (!isObject(manifest)) return null;
  const kind = readText(manifest, 'kind');
  return createMapping(kind, {
    translate: (side) => translate(side['manifest'], kind),
    prefix: ['manifest'],
    opaque: false,
  });
}

/** The provider computes only the kind as an attribute; everything else is in the YAML text. */
export function mapYamlManifest(before: JsonObject | null, after: JsonObject | null): TypeMapping | null {
  const side = after ?? before;
  if (side === null) return null;
  const kind = readText(side, 'kind') || readKind(readYaml(readText(side, 'yaml_body')));
  const read = new Map<string, JsonObject>();
  const body = (one: JsonObject): JsonObject => {
    const text = readText(one, 'yaml_body');
    const known = read.get(text) ?? translate(readYaml(text), kind);
    read.set(text, known);
    return known;
  };
  return createMapping(kind, { translate: body, prefix: ['yaml_body'], opaque: true });
}

function readKind(manifest: JsonValue | undefined): string {
  return isObject(manifest) ? readText(manifest, 'kind') : '';
}
