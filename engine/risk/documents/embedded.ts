/** Resources of other tools inside a document: Kubernetes manifests, access policies, CloudFormation templates. */
import { diffValues } from '../../changes/diff.ts';
import type { ResourceChange } from '../../changes/types.ts';
import { type MaybeJson, readMember } from '../../changes/values.ts';
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import { snakeCase } from '../generic-types/names.ts';

/** A resource inside a document, in the attributes of the resource type that rules know. */
interface Embedded {
  key: string;
  type: string;
  values: JsonObject;
}

const MAX_DEPTH = 12;
const MAX_RESOURCES = 500;

/** Lists the resources that a document declares before and after a change, as changes of their own. */
export function findEmbeddedChanges(change: ResourceChange, before: MaybeJson, after: MaybeJson): ResourceChange[] {
  const old = indexResources(before);
  const out: ResourceChange[] = [];
  for (const [key, { type, values }] of indexResources(after)) {
    const previous = old.get(key);
    out.push(toChange(change, type, previous?.values ?? null, values));
    old.delete(key);
  }
  return out;
}

function indexResources(tree: MaybeJson): Map<string, Embedded> {
  const found: Embedded[] = [];
  collect(tree, '', 0, found);
  const by_key = new Map<string, Embedded>();
  for (const resource of found) if (!by_key.has(resource.key)) by_key.set(resource.key, resource);
  return by_key;
}

function collect(value: MaybeJson, at: string, depth: number, found: Embedded[]): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || found.length >= MAX_RESOURCES) return;
  const resource = isObject(value) ? toResource(value, at) : null;
  if (resource !== null) found.push(resource);
  if (resource?.type === IDENTITY_POLICY || resource?.type === RESOURCE_POLICY) return;
  for (const [name, member] of Object.entries(value)) collect(member, `${at}/${name}`, depth + 1, found);
}

function toResource(value: JsonObject, at: string): Embedded | null {
  return toManifest(value) ?? toPolicy(value, at) ?? toTemplateResource(value, at);
}

function toManifest(value: JsonObject): Embedded | null {
  const [kind, version] = [readMember(value, 'kind'), readMember(value, 'apiVersion')];
  if (typeof kind !== 'string' || typeof version !== 'string' || kind === 'List') return null;
  const metadata = readMember(value, 'metadata');
  const name = isObject(metadata) ? `${readMember(metadata, 'namespace')}/${readMember(metadata, 'name')}` : '';
  return { key: `${kind} ${name}`, type: 'kubernetes_manifest', values: { manifest: value } };
}

/** An AWS policy document. Its statements grant permissions wherever it stands. */
function toPolicy(value: JsonObject, at: string): Embedded | null {
  const statements = readMember(value, 'Statement');
  const list = Array.isArray(statements) ? statements : [statements];
  if (!list.some((statement) => isObject(statement) && Object.hasOwn(statement, 'Effect'))) return null;
  const of_resource = list.some((statement) => isObject(statement) && Object.hasOwn(statement, 'Principal'));
  const type = of_resource ? RESOURCE_POLICY : IDENTITY_POLICY;
  return { key: `policy ${at}`, type, values: { policy: JSON.stringify(value) } };
}

/** Types whose rules stand for all policies that are attached to identities, and to resources. */
const IDENTITY_POLICY = 'aws_iam_policy';
const RESOURCE_POLICY = 'aws_sns_topic_policy';

const TEMPLATE_TYPE = /^AWS::([A-Za-z0-9]{1,40})::([A-Za-z0-9]{1,80})$/;

function toTemplateResource(value: JsonObject, at: string): Embedded | null {
  const match = TEMPLATE_TYPE.exec(String(readMember(value, 'Type') ?? ''));
  const properties = readMember(value, 'Properties');
  if (match === null || !isObject(properties)) return null;
  const type = `awscc_${match[1]!.toLowerCase()}_${snakeCase(match[2]!)}`;
  return { key: `${type} ${at}`, type, values: toSnakeNames(properties) as JsonObject };
}

/** Policies keep their names, which rules know. */
function toSnakeNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(toSnakeNames);
  if (!isObject(value) || Object.hasOwn(value, 'Statement')) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [snakeCase(name), toSnakeNames(member)]));
}

function toChange(change: ResourceChange, type: string, before: JsonObject | null, after: JsonObject): ResourceChange {
  const action = before === null ? 'create' : 'update';
  const sides = { before, after, unknown: false, before_sensitive: false, after_sensitive: false };
  return {
    ...change,
    ...sides,
    type,
    actions: [action],
    action,
    replace_paths: [],
    diffs: diffValues({ ...sides, replace_paths: [] }),
  };
}
