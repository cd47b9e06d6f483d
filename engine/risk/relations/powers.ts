/** Objects of a plan that hold administrator rights: policies, groups, permission sets, roles and instance profiles. */
import type { ResourceChange } from '../../changes/types.ts';
import type { JsonObject } from '../../model/result.ts';
import { rankPolicy } from '../attributes/identity/attachments.ts';
import { newGrants } from '../attributes/identity/grants.ts';
import { parsePolicy, stepsFor } from '../attributes/identity/policy.ts';
import type { Value } from '../attributes/types.ts';
import { list, member, strings, text, truth } from '../attributes/values.ts';

/** What holds the rights. The same name can be a role and a group. */
export type Holder =
  | 'policy'
  | 'set'
  | 'group'
  | 'role'
  | 'profile'
  | 'definition'
  | 'cluster-role'
  | 'vault-policy'
  | 'account';

export interface Powers {
  /** Whether an object administers an account, a subscription or a cluster, by its name, id or ARN. */
  administers(holder: Holder, name: string): boolean;
}

export interface PowersCollector extends Powers {
  observe(change: ResourceChange): void;
}

/** How a type shows that something administers. */
interface Source {
  holder: Holder;
  /** Attributes that name the holder. */
  names: readonly string[];
  isAdmin(side: JsonObject, powers: Powers): boolean;
}

const namesAdminPolicy =
  (attribute: string) =>
  (side: JsonObject, powers: Powers): boolean =>
    strings(member(side, attribute)).some(
      (arn) => rankPolicy(arn)?.rule === 'R-IAM-ADMIN' || powers.administers('policy', arn),
    );

const hasAdminDocument =
  (attribute: string) =>
  (side: JsonObject): boolean =>
    isAdminDocument(member(side, attribute));

function isAdminDocument(document: Value): boolean {
  const statements = parsePolicy(document) ?? [];
  return newGrants([], statements, stepsFor([], statements)).some(({ rule }) => rule === 'R-IAM-ADMIN');
}

function isAdminDefinition(side: JsonObject): boolean {
  return list(member(side, 'permissions')).some((block) => {
    const actions = strings(member(block, 'actions')).map((action) => action.toLowerCase());
    return actions.includes('*') || actions.some((action) => action.startsWith('microsoft.authorization/*'));
  });
}

const OWNERS =
  /^roles\/(?:owner|editor|iam\.securityAdmin|resourcemanager\.(?:project|folder|organization)IamAdmin|resourcemanager\.organizationAdmin|iam\.organizationRoleAdmin)$/;

/** A grant of a role that administers a project, folder or organization. */
const grantsOwnership = (side: JsonObject): boolean => OWNERS.test(text(member(side, 'role')));

/** An assignment of a role that administers a whole subscription or management group. */
function assignsOwnership(side: JsonObject): boolean {
  const is_wide = /^\/(?:subscriptions\/[^/]{1,100}|providers\/Microsoft\.Management\/.{1,200})\/?$/i.test(
    text(member(side, 'scope')),
  );
  return (
    is_wide &&
    /^(?:Owner|Contributor|User Access Administrator|Role Based Access Control Administrator)$/i.test(
      text(member(side, 'role_definition_name')),
    )
  );
}

/** A custom role of Google that can grant roles to itself. */
function canGrantRoles(side: JsonObject): boolean {
  return strings(member(side, 'permissions')).some((name) =>
    /^resourcemanager\.(?:projects|folders|organizations)\.setIamPolicy$/.test(name),
  );
}

function isAdminClusterRole(side: JsonObject): boolean {
  return list(member(side, 'rule')).some(
    (rule) => strings(member(rule, 'resources')).includes('*') && strings(member(rule, 'verbs')).includes('*'),
  );
}

const ADMIN_PATH = /path\s{1,5}"(?:\*|sys\/\*|auth\/\*)"\s{0,5}\{/;

const SOURCES: Readonly<Record<string, Source>> = {
  aws_iam_policy: { holder: 'policy', names: ['arn', 'id'], isAdmin: hasAdminDocument('policy') },
  aws_ssoadmin_managed_policy_attachment: {
    holder: 'set',
    names: ['permission_set_arn'],
    isAdmin: namesAdminPolicy('managed_policy_arn'),
  },
  aws_ssoadmin_permission_set_inline_policy: {
    holder: 'set',
    names: ['permission_set_arn'],
    isAdmin: hasAdminDocument('inline_policy'),
  },
  aws_iam_group_policy_attachment: { holder: 'group', names: ['group'], isAdmin: namesAdminPolicy('policy_arn') },
  aws_iam_group_policy: { holder: 'group', names: ['group'], isAdmin: hasAdminDocument('policy') },
  aws_iam_role_policy_attachment: { holder: 'role', names: ['role'], isAdmin: namesAdminPolicy('policy_arn') },
  aws_iam_role_policy: { holder: 'role', names: ['role'], isAdmin: hasAdminDocument('policy') },
  aws_iam_role: { holder: 'role', names: ['name', 'arn'], isAdmin: namesAdminPolicy('managed_policy_arns') },
  aws_iam_instance_profile: {
    holder: 'profile',
    names: ['name', 'arn', 'id'],
    isAdmin: (side, powers) => powers.administers('role', text(member(side, 'role'))),
  },
  azurerm_role_definition: {
    holder: 'definition',
    names: ['role_definition_resource_id', 'id', 'role_definition_id', 'name'],
    isAdmin: isAdminDefinition,
  },
  google_project_iam_custom_role: { holder: 'definition', names: ['id', 'name'], isAdmin: canGrantRoles },
  google_organization_iam_custom_role: { holder: 'definition', names: ['id', 'name'], isAdmin: canGrantRoles },
  google_project_iam_member: { holder: 'account', names: ['member'], isAdmin: grantsOwnership },
  google_project_iam_binding: { holder: 'account', names: ['members'], isAdmin: grantsOwnership },
  google_folder_iam_member: { holder: 'account', names: ['member'], isAdmin: grantsOwnership },
  google_folder_iam_binding: { holder: 'account', names: ['members'], isAdmin: grantsOwnership },
  google_organization_iam_member: { holder: 'account', names: ['member'], isAdmin: grantsOwnership },
  google_organization_iam_binding: { holder: 'account', names: ['members'], isAdmin: grantsOwnership },
  azurerm_role_assignment: { holder: 'account', names: ['principal_id'], isAdmin: assignsOwnership },
  azurerm_user_assigned_identity: {
    holder: 'account',
    names: ['id', 'client_id'],
    isAdmin: (side, powers) => powers.administers('account', text(member(side, 'principal_id'))),
  },
  aws_ssoadmin_permission_set: {
    holder: 'set',
    names: ['arn', 'id'],
    isAdmin: (side) => /^(?:AWS)?Administrator(?:Access)?$/i.test(text(member(side, 'name'))),
  },
  kubernetes_cluster_role: { holder: 'cluster-role', names: ['metadata'], isAdmin: isAdminClusterRole },
  kubernetes_cluster_role_v1: { holder: 'cluster-role', names: ['metadata'], isAdmin: isAdminClusterRole },
  vault_policy: {
    holder: 'vault-policy',
    names: ['name'],
    isAdmin: (side) => ADMIN_PATH.test(text(member(side, 'policy')).slice(0, 50_000)),
  },
  okta_group_role: {
    holder: 'group',
    names: ['group_id'],
    isAdmin: (side) => /^(?:SUPER|ORG)_ADMIN$/.test(text(member(side, 'role_type'))),
  },
  postgresql_role: { holder: 'role', names: ['name'], isAdmin: (side) => truth(member(side, 'superuser')) === true },
};

const MAX_SEEN = 5_000;

/** Collects what the plan shows, also of resources that do not change. Judges it when it is first asked. */
export function createPowers(): PowersCollector {
  const seen: [Source, JsonObject][] = [];
  let known: Set<string> | null = null;
  const powers: Powers = { administers: (holder, name) => name !== '' && find().has(toKey(holder, name)) };

  function observe({ type, mode, before, after }: ResourceChange): void {
    const source = mode === 'managed' && Object.hasOwn(SOURCES, type) ? SOURCES[type]! : undefined;
    const side = after ?? before;
    if (source === undefined || side === null || seen.length >= MAX_SEEN) return;
    seen.push([source, side]);
    known = null;
  }

  /** Later rounds find what holds its rights through another object. */
  function find(): Set<string> {
    if (known !== null) return known;
    known = new Set();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [source, side] of seen) if (source.isAdmin(side, powers)) addNames(source, side, known);
    }
    return known;
  }

  return { observe, ...powers };
}

const ROUNDS = 3;

function addNames({ holder, names }: Source, side: JsonObject, known: Set<string>): void {
  for (const attribute of names) {
    const value = member(side, attribute);
    const names = [text(value), ...strings(value), ...list(value).map((block) => text(member(block, 'name')))];
    for (const name of names) if (name !== '') known.add(toKey(holder, name));
  }
}

/** ARNs of roles and profiles end with their name. */
function toKey(holder: Holder, name: string): string {
  // Google names a service account as a member and by its path.
  if (holder === 'account')
    return `${holder} ${name.slice(name.startsWith('/') ? 0 : Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1).toLowerCase()}`;
  const has_path = (holder === 'role' || holder === 'profile') && name.startsWith('arn:');
  return `${holder} ${(has_path ? name.slice(name.lastIndexOf('/') + 1) : name).toLowerCase()}`;
}

/** Knows no object. */
export const NO_POWERS: Powers = { administers: () => false };
