import type { ResourceLocation } from './resource-location.ts';

const ARN = /^arn:[a-z-]+:([a-z0-9-]+):([a-z0-9-]*):(\d{12})?:(.+)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns true when a name and an ARN, or two ARNs of a log group, identify the same object. A name belongs to the
 * account and region of its resource, so the ARN must have the same ones. The id of a KMS key is unique by itself.
 */
export function isSameArn(before: string, after: string, location: ResourceLocation): boolean {
  if (before.startsWith('arn:') && after.startsWith('arn:')) return withoutStreams(before) === withoutStreams(after);
  const [name, arn] = before.startsWith('arn:') ? [after, before] : [before, after];
  const [, service, region, account, resource] = ARN.exec(arn) ?? [];
  if (resource === undefined || name.includes(':') || !isResourceName(name, resource)) return false;
  if (service === 'kms' && UUID.test(name)) return true;
  return account !== undefined && account === location.account && (region === '' || region === location.region);
}

/** Returns true when a name matches the resource part of an ARN: `role/path/name` matches `name` and `path/name`. */
function isResourceName(name: string, resource: string): boolean {
  const rest = resource.slice(resource.search(/[/:]/) + 1);
  return name !== '' && (rest === name || (resource.startsWith('role/') && rest.endsWith(`/${name}`)));
}

/** Removes the `:*` for log streams from the ARN of a log group. */
function withoutStreams(arn: string): string {
  return arn.includes(':log-group:') && arn.endsWith(':*') ? arn.slice(0, -2) : arn;
}
