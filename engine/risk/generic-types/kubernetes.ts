import { isObject } from '../../lib/is-object.ts';
/** Kubernetes manifests, as an object (`kubernetes_manifest`) or as YAML (`kubectl_manifest`). */
import type { JsonObject, JsonValue } from '../../model/result.ts';
import { readText, renameMembers, snakeCase } from './names.ts';
import type { TypeMapping } from './types.ts';
import { readYaml } from './yaml.ts';

/** Lists that Terraform writes as blocks, with the block name. */
const BLOCKS = new Map([
  ['containers', 'container'],
  ['initContainers', 'init_container'],
  ['ports', 'port'],
  ['rules', 'rule'],
  ['subjects', 'subject'],
  ['volumes', 'volume'],
]);
const FREE = new Set(['annotations', 'labels', 'matchLabels', 'nodeSelector', 'data', 'stringData', 'binaryData']);
const KINDS = new Map([['DaemonSet', 'kubernetes_daemonset']]);
const KIND = /^[A-Za-z0-9]{1,100}$/;

function createMapping(kind: string, rest: Omit<TypeMapping, 'type' | 'translateName'>): TypeMapping | null {
  if (!KIND.test(kind)) return null;
  const translateName = (name: string): string => BLOCKS.get(name) ?? snakeCase(name);
  return { type: KINDS.get(kind) ?? `kubernetes_${snakeCase(kind)}`, translateName, ...rest };
}

function translate(manifest: JsonValue | undefined): JsonObject {
  return isObject(manifest) ? (renameMembers(manifest, BLOCKS, FREE) as JsonObject) : {};
}

export function mapManifest(before: JsonObject | null, after: JsonObject | null): TypeMapping | null {
  const manifest = (after ?? before)?.['manifest'];
  if (!isObject(manifest)) return null;
  return createMapping(readText(manifest, 'kind'), {
    translate: (side) => translate(side['manifest']),
    prefix: ['manifest'],
    opaque: false,
  });
}

/** The provider computes only the kind as an attribute; everything else is in the YAML text. */
export function mapYamlManifest(before: JsonObject | null, after: JsonObject | null): TypeMapping | null {
  const read = new Map<string, JsonObject>();
  const body = (side: JsonObject): JsonObject => {
    const text = readText(side, 'yaml_body');
    const known = read.get(text) ?? translate(readYaml(text));
    read.set(text, known);
    return known;
  };
  const side = after ?? before;
  if (side === null) return null;
  const kind = readText(side, 'kind') || readText(body(side), 'kind');
  return createMapping(kind, { translate: body, prefix: ['yaml_body'], opaque: true });
}
