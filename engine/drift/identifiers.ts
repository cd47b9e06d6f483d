/** The names by which resources of states and of a cloud find each other. */
import type { JsonObject } from '../model/result.ts';
import { findJoinRule, type JoinRule, toTypeKey } from './type-rules.ts';
import type { CloudProvider, DriftAccount, LiveResource } from './types.ts';

type Scope = Pick<DriftAccount, 'provider' | 'external_account_id' | 'project_number'>;

/** The names of a live resource, each in one notation. */
export function listLiveNames({ provider_resource_id, aliases }: LiveResource, scope: Scope): string[] {
  const id = normalizeName(provider_resource_id, scope);
  return aliases.length === 0 ? [id] : [id, ...aliases.map((name) => normalizeName(name, scope))];
}

/** The names of a resource of a state, each in one notation: those that its rule makes of its attributes, and its ARN. */
export function listKnownNames(
  rule: JoinRule,
  values: { attributes: JsonObject; identifiers: Readonly<Record<string, string>> },
  scope: Scope,
): string[] {
  return listStateNames(rule, values).map((name) => normalizeName(name, scope));
}

/** The names that the object of a resource of a state may have in the cloud. */
export function listStateNames(
  rule: JoinRule,
  { attributes, identifiers }: { attributes: JsonObject; identifiers: Readonly<Record<string, string>> },
): string[] {
  const names: string[] = [];
  for (const fill of rule.ids) {
    const name = fill(attributes, identifiers);
    if (name !== null) names.push(name);
  }
  if (rule.part === null) names.push(...listOwnNames(rule.provider, identifiers));
  return names;
}

/**
 * The names that the object of a resource may have in its cloud, from its attributes in a state or plan.
 *
 * @returns empty for a type without a rule
 */
export function listObjectNames(type: string, attributes: JsonObject): string[] {
  const rule = findJoinRule(type);
  if (rule === undefined) return [];
  const held = (['arn', 'id', 'self_link'] as const).flatMap((name): [string, string][] => {
    const value = attributes[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  return [...new Set(listStateNames(rule, { attributes, identifiers: Object.fromEntries(held) }))];
}

/** Whether resources of a Terraform type describe objects of a type of the cloud, or a part of them. */
export function describesType(type: string, provider_type: string): boolean {
  const rule = findJoinRule(type);
  if (rule === undefined) return false;
  const key = toTypeKey(rule.provider, provider_type);
  return rule.cloud_types.some((one) => toTypeKey(rule.provider, one) === key);
}

/** Names that are unique in the cloud, whatever the type. */
function listOwnNames(provider: CloudProvider, identifiers: Readonly<Record<string, string>>): string[] {
  const { arn, id, self_link } = identifiers;
  if (provider === 'aws') return arn?.startsWith('arn:') ? [arn] : [];
  const names = provider === 'gcp' ? [self_link, id?.includes('/') ? id : undefined] : [id];
  return names.filter((name) => name !== undefined);
}

/**
 * One form for all notations of a name: ARNs of log groups without `:*`, names of Google without scheme, host and version
 * of the API and with the ID of the project, and IDs of Azure in lowercase without a slash at the end.
 */
export function normalizeName(name: string, { provider, external_account_id, project_number }: Scope): string {
  if (provider === 'azure') return name.toLowerCase().replace(/\/$/, '');
  if (provider === 'aws') return name.startsWith('arn:') && name.endsWith(':*') ? name.slice(0, -2) : name;
  const path = toGooglePath(name);
  if (!project_number || !path.startsWith(`projects/${project_number}/`)) return path;
  return `projects/${external_account_id}/${path.slice(`projects/${project_number}/`.length)}`;
}

function toGooglePath(name: string): string {
  const path = name.replace(/^(?:https?:)?\/\/[^/]{1,200}\//, '');
  // Self links: compute/v1/projects/…, storage/v1/b/…, sql/v1beta4/projects/…
  const at = path === name ? -1 : path.indexOf('projects/');
  if (at > 0 && at < 40) return path.slice(at);
  return path.replace(/^storage\/v1\/b\//, '');
}

/** IDs that no other region of the account has: ARNs, IDs with a random part, and names of buckets. */
const UNIQUE = /^arn:|^https:|-[0-9a-f]{8,17}(?:\||$)|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const GLOBAL_TYPES: ReadonlySet<string> = new Set(['AWS::S3::Bucket', 'AWS::S3::BucketPolicy']);

/** Whether a name of a type is one object in every region, so that regions need not be compared. */
export function isUniqueName(provider: CloudProvider, type: string, name: string): boolean {
  return provider !== 'aws' || GLOBAL_TYPES.has(type) || UNIQUE.test(name);
}
