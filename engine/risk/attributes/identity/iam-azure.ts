/** Azure role assignments, role definitions and Key Vault access policies. */

const REASONS = {
  assignment: (role: string, wide: boolean) =>
    `Assigns the role ${role} on ${wide ? 'a whole subscription or management group' : 'everything in its scope'}.`,
  all_actions: 'The custom role allows every action.',
  granting: (actions: string) => `The custom role can grant permissions to others: ${actions}.`,
  all_data: 'The custom role can read and change all data.',
  exceptions: (actions: string) => `The custom role no longer excludes ${actions}.`,
  key_permissions: (permissions: string) => `The principal can destroy keys: ${permissions}.`,
  secret_permissions: (permissions: string) => `The principal can read or destroy secrets: ${permissions}.`,
};

import type { Subject } from '../subject.ts';
import type { Finding, Path, Rule, Value } from '../types.ts';
import { list, member, strings, text } from '../values.ts';

type Role = 'administrator' | 'contributor' | 'service';

const ADMINISTRATORS = new Set(['owner', 'user access administrator', 'role based access control administrator']);
/** Built-in roles by id, which is the same in every tenant. */
const ROLE_IDS: Record<string, Role> = {
  '8e3af657-a8ff-443c-a75c-2fe8c4bcb635': 'administrator',
  '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9': 'administrator',
  'f58310d9-a9f6-439a-9e8d-f62e7b41a168': 'administrator',
  'b24988ac-6180-42a0-ab88-20f7382dd24c': 'contributor',
};
/** Built-in roles that can change one service or read all its data. */
const SERVICE_ROLE = /\b(?:administrator|contributor|officer|owner|cluster admin)\b/;
/** Roles with similar names that neither run workloads nor grant access. */
const HARMLESS_ROLE =
  /\b(?:monitoring|tag|cost management|workbook|log analytics|support request|reservation|data contributor)\b/;
const WIDE_SCOPE =
  /^\/?(?:subscriptions\/[^/]{1,64}|providers\/microsoft\.management\/managementgroups\/[^/]{1,200})?\/?$/;

function readRoleName(assignment: Value): string {
  return text(member(assignment, 'role_definition_name')).toLowerCase();
}

function classifyRole(assignment: Value): Role | undefined {
  const name = readRoleName(assignment);
  if (ADMINISTRATORS.has(name)) return 'administrator';
  if (name === 'contributor') return 'contributor';
  if (SERVICE_ROLE.test(name) && !HARMLESS_ROLE.test(name)) return 'service';
  const id = text(member(assignment, 'role_definition_id')).toLowerCase();
  const guid = id.slice(id.lastIndexOf('/') + 1);
  return Object.hasOwn(ROLE_IDS, guid) ? ROLE_IDS[guid] : undefined;
}

/** Returns true for a subscription, a management group, or the root of the tenant. */
function isWide(assignment: Value): boolean {
  const scope = text(member(assignment, 'scope')).toLowerCase();
  return scope !== '' && WIDE_SCOPE.test(scope);
}

/** Returns undefined for a role on one service below a whole subscription, which is the normal use of such roles. */
function rankRole(role: Role, wide: boolean): Pick<Finding, 'rule' | 'level'> | undefined {
  if (role === 'service') return wide ? { rule: 'R-IAM-WIDE', level: 'high' } : undefined;
  if (role === 'administrator')
    return wide ? { rule: 'R-IAM-ADMIN', level: 'critical' } : { rule: 'R-IAM-WIDE', level: 'high' };
  return { rule: 'R-IAM-WIDE', level: wide ? 'high' : 'medium' };
}

const MAX_CONDITION_CHARS = 10_000;
const LISTS_ROLES = /roledefinitionid\]foranyofanyvalues:guidequals\{([^{}]*)\}/g;

/** Whether a condition lets the holder of a role that grants roles grant only listed ones, none of which grants roles. */
function isConstrained(assignment: Value): boolean {
  const condition = text(member(assignment, 'condition'))
    .slice(0, MAX_CONDITION_CHARS)
    .toLowerCase()
    .replace(/\s/g, '');
  const lists = [...condition.matchAll(LISTS_ROLES)].map(([, ids]) => ids!.split(','));
  return lists.length > 0 && lists.flat().every((id) => !Object.hasOwn(ROLE_IDS, id));
}

function judgeAssignment(subject: Subject): void {
  const { before, after } = subject;
  const role = classifyRole(after);
  if (!role || (role === 'administrator' && isConstrained(after))) return;
  const principal = text(member(after, 'principal_id'));
  const held =
    classifyRole(before) === role &&
    (role !== 'service' || readRoleName(before) === readRoleName(after)) &&
    isWide(before) === isWide(after) &&
    text(member(before, 'principal_id')) === principal &&
    !subject.isUnknown('principal_id');
  if (held) return;
  const wide = isWide(after);
  const rank = rankRole(role, wide);
  if (!rank) return;
  const attribute = text(member(after, 'role_definition_name')) === '' ? 'role_definition_id' : 'role_definition_name';
  const shown = attribute === 'role_definition_name' ? subject.quote([attribute], member(after, attribute)) : role;
  subject.add({ ...rank, path: [attribute], message: REASONS.assignment(shown, wide) });
  subject.setDirection([attribute], 'weakening');
}

/** Control-plane actions that let a role grant itself every other role. */
const GRANTING_ACTION =
  /^(?:\*\/write|microsoft\.authorization\/(?:\*|\*\/write|roleassignments\/(?:\*|write)|roledefinitions\/(?:\*|write)|elevateaccess\/action))$/;

function judgeDefinition(subject: Subject): void {
  for (const { path, before, after } of subject.pairs(['permissions', '*', 'actions'])) {
    const held = new Set(lower(before));
    const added = lower(after).filter((action) => !held.has(action));
    if (held.has('*') || added.length === 0) continue;
    if (added.includes('*')) {
      subject.add({ rule: 'R-IAM-ADMIN', level: 'critical', path, message: REASONS.all_actions });
      subject.setDirection(path, 'weakening');
      continue;
    }
    const granting = added.filter((action) => GRANTING_ACTION.test(action));
    if (granting.length === 0) continue;
    const message = REASONS.granting(subject.quoteAll(path, granting));
    // A holder at subscription scope or above can become the owner of the whole scope.
    const rank = isAssignableWide(subject.after) ? rankRole('administrator', true) : undefined;
    subject.add({ rule: 'R-IAM-WIDE', level: 'high', ...rank, path, message });
    subject.setDirection(path, 'weakening');
  }
  judgeDataActions(subject);
  judgeExceptions(subject);
}

function isAssignableWide(definition: Value): boolean {
  const scopes = [...strings(member(definition, 'assignable_scopes')), ...strings(member(definition, 'scope'))];
  return scopes.some((scope) => WIDE_SCOPE.test(scope.toLowerCase()));
}

function judgeDataActions(subject: Subject): void {
  for (const { path, before, after } of subject.pairs(['permissions', '*', 'data_actions'])) {
    if (!strings(after).includes('*') || strings(before).includes('*')) continue;
    subject.add({ rule: 'R-IAM-WIDE', level: 'high', path, message: REASONS.all_data });
    subject.setDirection(path, 'weakening');
  }
}

/** Checks the exclusions of a role with wildcards, which are its only restriction. */
function judgeExceptions(subject: Subject): void {
  for (const [allowed, excepted] of [
    ['actions', 'not_actions'],
    ['data_actions', 'not_data_actions'],
  ] as const) {
    for (const { path, before, after, unknown } of subject.pairs(['permissions', '*', excepted])) {
      const kept = new Set(lower(after));
      const gone = lower(before).filter((action) => !kept.has(action));
      if (unknown || gone.length === 0) continue;
      const permission = list(member(subject.after, 'permissions'))[Number(path[1])];
      const wild = strings(member(permission, allowed)).some((action) => action.includes('*'));
      if (!wild) continue;
      const message = REASONS.exceptions(subject.quoteAll(path, gone));
      subject.add({ rule: 'R-IAM-CONDITION', level: 'high', path, message });
      subject.setDirection(path, 'weakening');
    }
  }
}

const DESTRUCTIVE = ['delete', 'purge', 'all'];
const READING = ['get', 'delete', 'purge', 'all'];

/** Checks a Key Vault access policy for permissions to destroy keys or to read secrets. */
function judgeVaultAccess(subject: Subject): void {
  judgePermissions(subject, subject.before, subject.after, []);
}

/** Checks access policies that are blocks of the vault, one for each principal. */
function judgeVaultPolicies(subject: Subject): void {
  const readObjectId = (policy: Value): string => text(member(policy, 'object_id'));
  const before = new Map<string, Value>();
  for (const policy of list(member(subject.before, 'access_policy')).toReversed())
    before.set(readObjectId(policy), policy);
  for (const [index, policy] of list(member(subject.after, 'access_policy')).entries()) {
    judgePermissions(subject, before.get(readObjectId(policy)), policy, ['access_policy', index]);
  }
}

function judgePermissions(subject: Subject, before: Value, after: Value, parent: Path): void {
  for (const [attribute, grave] of [
    ['key_permissions', DESTRUCTIVE],
    ['secret_permissions', READING],
  ] as const) {
    const held = new Set(lower(member(before, attribute)));
    const added = lower(member(after, attribute)).filter(
      (permission) => grave.includes(permission) && !held.has(permission),
    );
    if (added.length === 0) continue;
    const path = [...parent, attribute];
    subject.add({
      rule: `R-ATTR-${subject.type}.${parent.length > 0 ? 'access_policy' : attribute}`,
      level: subject.mode === 'create' ? (parent.length > 0 ? 'low' : 'medium') : 'high',
      path,
      message: REASONS[attribute](subject.quoteAll(parent.length > 0 ? ['access_policy'] : path, added)),
    });
    if (subject.mode !== 'create' || parent.length === 0) subject.setDirection(path, 'weakening');
  }
}

function lower(value: Value): string[] {
  return list(value).map((item) => text(item).toLowerCase());
}

export const AZURE_IAM_RULES: readonly Rule[] = [
  {
    types: ['azurerm_role_assignment', 'azurerm_pim_active_role_assignment', 'azurerm_pim_eligible_role_assignment'],
    watches: [
      { path: 'role_definition_name' },
      { path: 'role_definition_id' },
      { path: 'scope' },
      { path: 'principal_id' },
    ],
    find: judgeAssignment,
  },
  {
    types: ['azurerm_role_definition'],
    watches: ['actions', 'data_actions', 'not_actions', 'not_data_actions'].map((name) => ({
      path: `permissions.*.${name}`,
    })),
    find: judgeDefinition,
  },
  {
    types: ['azurerm_key_vault_access_policy'],
    watches: [{ path: 'key_permissions' }, { path: 'secret_permissions' }],
    find: judgeVaultAccess,
  },
  { types: ['azurerm_key_vault'], watches: [{ path: 'access_policy' }], find: judgeVaultPolicies },
];
