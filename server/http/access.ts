import { Forbidden, NotFound } from '../lib/errors.ts';
import { type OrgContext, type Principal, ROLES, type Role } from '../lib/principal.ts';
import type { Access, Parameter } from './openapi-types.ts';
import type { Operation } from './operations.ts';
import type { FindOrg } from './ports.ts';

const ID_FORMS = { uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/ };

/** @throws Forbidden `oidc_required` */
export function assertCredentialType(access: Access, principal: Principal): void {
  if (access.credential === 'oidc' && principal.credential !== 'oidc') {
    throw new Forbidden('this operation needs an access token; an API key will not do', 'oidc_required');
  }
}

/**
 * The organization that the path names; undefined where it names none.
 *
 * @throws NotFound, also for one that exists but is not the caller's: the two cannot be told apart
 */
export async function findOrgOf(
  { in_org, path_params }: Operation,
  params: Record<string, string>,
  principal: Principal,
  findOrg: FindOrg,
): Promise<OrgContext | undefined> {
  const [org_param] = path_params;
  if (!in_org || org_param === undefined) return undefined;
  const org = await findOrg(principal, normalId(org_param, params));
  if (org === undefined) throw new NotFound();
  return org;
}

/** @throws Forbidden `forbidden_role` */
export function assertRole({ role }: Access, org: OrgContext | undefined): void {
  if (role === undefined) return;
  if (org === undefined || rank(org.role) < rank(role)) {
    throw new Forbidden(`role ${role} or higher required`, 'forbidden_role');
  }
}

function rank(role: Role): number {
  return ROLES.indexOf(role);
}

/** Path parameters in lower case. @throws NotFound when one is no id of its form */
export function normalPath({ path_params }: Operation, params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(path_params.map((parameter) => [parameter.name, normalId(parameter, params)]));
}

function normalId(parameter: Parameter, params: Record<string, string>): string {
  const raw = params[parameter.name] ?? '';
  const form = parameter['x-id'];
  if (form === undefined) return raw;
  const id = raw.toLowerCase();
  if (!ID_FORMS[form].test(id)) throw new NotFound();
  return id;
}
