import { Forbidden, NotFound } from '../../lib/errors.ts';
import { type OrgContext, type Principal, ROLES, type Role } from '../../lib/principal.ts';
import type { Access, Parameter } from '../contract/openapi-types.ts';
import type { Operation } from '../contract/operations.ts';
import type { FindOrg } from '../ports.ts';

const ID_FORMS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  fingerprint: /^[0-9a-f]{32}$/,
  trace: /^trc-[0-9a-f]{24}$/,
  handle: /^[0-9a-f]{48}$/,
};

/** Checks the type of the caller. @throws Forbidden `oidc_required` or `platform_admin_required` */
export function assertCaller(access: Access, principal: Principal): void {
  if (access.credential === 'oidc' && principal.credential !== 'oidc') {
    throw new Forbidden('this operation needs an access token; API keys are not accepted', 'oidc_required');
  }
  if (access.platform_admin === 'required' && !principal.user.is_platform_admin) {
    throw new Forbidden('platform admin required', 'platform_admin_required');
  }
}

/**
 * The organization of the path; undefined if it has none. Where platform admins can read every organization, they get
 * it without a role, and a missing organization simply has no records.
 *
 * @throws NotFound, also for an organization that the caller is not a member of; the two cannot be distinguished
 */
export async function resolveOrg(
  { in_org, path_params, access }: Operation,
  params: Record<string, string>,
  principal: Principal,
  findOrg: FindOrg,
): Promise<OrgContext | undefined> {
  const [org_param] = path_params;
  if (!in_org || org_param === undefined) return undefined;
  const id = normalId(org_param, params);
  const org = await findOrg(principal, id);
  if (org !== undefined) return org;
  if (canInspectAnyOrg(access, principal)) return { id, role: null };
  throw new NotFound();
}

/**
 * Checks the caller's role in the organization and, for an API key, its scopes: both must allow the operation.
 *
 * @throws Forbidden `forbidden_role` or `missing_scope`
 */
export function assertAllowed(
  operation: Operation,
  params: Record<string, string>,
  principal: Principal,
  org: OrgContext | undefined,
): void {
  const { access } = operation;
  const { key } = principal;
  if (canInspectAnyOrg(access, principal)) return;
  if (key !== null && access.key === 'exempt') return;
  const { role, scope } = access;
  if (role !== undefined) {
    // A malformed id cannot be the caller's own.
    const least = access.self && isWellFormed(operation, params) ? ROLES[0] : role;
    if (!org?.role || rank(org.role) < rank(least)) throw new Forbidden(roleText(role), 'forbidden_role');
  }
  if (key !== null && scope !== undefined && !hasScope(key.scopes, scope)) {
    throw new Forbidden(`scope ${scope} required; the API key does not have it`, 'missing_scope');
  }
}

function canInspectAnyOrg({ platform_admin }: Access, { user }: Principal): boolean {
  return platform_admin === 'also' && user.is_platform_admin;
}

function rank(role: Role): number {
  return ROLES.indexOf(role);
}

function roleText(least: Role): string {
  if (least === 'viewer') return 'membership required';
  const [last, ...above] = ROLES.slice(rank(least));
  return above.length === 0 ? `role ${last} required` : `role ${above.reverse().join(', ')} or ${last} required`;
}

/** `read` includes every `…:read`, `write` every scope of both kinds. */
function hasScope(scopes: readonly string[], needed: string): boolean {
  if (scopes.includes(needed) || scopes.includes('write')) return true;
  return needed.endsWith(':read') && scopes.includes('read');
}

/** Path parameters in lower case. @throws NotFound if an id is malformed */
export function normalPath({ path_params }: Operation, params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(path_params.map((parameter) => [parameter.name, normalId(parameter, params)]));
}

function normalId(parameter: Parameter, params: Record<string, string>): string {
  const id = (params[parameter.name] ?? '').toLowerCase();
  if (!isValidId(parameter, id)) throw new NotFound();
  return id;
}

function isWellFormed({ path_params }: Operation, params: Record<string, string>): boolean {
  return path_params.every((parameter) => isValidId(parameter, (params[parameter.name] ?? '').toLowerCase()));
}

function isValidId({ 'x-id': form }: Parameter, id: string): boolean {
  return form === undefined || ID_FORMS[form].test(id);
}
