import type { ResourceLocation } from './resource-location.ts';

const ARN = /^arn:[a-z-]+:([a-z0-9-]+):([a-z0-9-]*):(\d{12})?:(.+)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Whether a name and an ARN, or two ARNs of one log group, mean the same object. A name is that of the account and the
 * region of the resource that holds it, so the ARN must name those; only the id of a key says all by itself.
 */
export function isSameArn(before: string, after: string, location: ResourceLocation): boolean {
  if (before.startsWith('arn:') && after.startsWith('arn:')) return withoutStreams(before) === withoutStreams(after);
  const [name, arn] = before.startsWith('arn:') ? [after, before] : [before, after];
  const [, service, region, account, resource] = ARN.exec(arn) ?? [];
  if (resource === undefined || name.includes(':') || !isResourceName(name, resource)) return false;
  if (service === 'kms' && UUID.test(name)) return true;
  return account !== undefined && account === location.account && (region === '' || region === location.region);
}

/** `role/path/name` is named by `name` and by `path/name`. */
function isResourceName(name: string, resource: string): boolean {
  const rest = resource.slice(resource.search(/[/:]/) + 1);
  return name !== '' && (rest === name || (resource.startsWith('role/') && rest.endsWith(`/${name}`)));
}

/** The ARN of a log group may end in a star for its streams. */
function withoutStreams(arn: string): string {
  return arn.includes(':log-group:') && arn.endsWith(':*') ? arn.slice(0, -2) : arn;
}
