/** R-IAM-ADMIN for grants through another object of the plan that administers: a group, permission set, role or policy. */
import type { JsonObject, RiskLevel } from '../../../model/result.ts';
import { compileGlobs } from '../../globs.ts';
import type { Holder } from '../../relations/powers.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { list, member, same, strings, text } from '../values.ts';

interface Relay {
  types: readonly string[];
  attribute: string;
  holder: Holder;
  /** What runs with a role is not a person, but what reaches it has the rights. */
  level: RiskLevel;
  /** Other attributes that decide who gets the rights: a change of one is a grant, too. */
  watches?: readonly string[];
  /** Which sides hand out the rights of what they name. */
  where?(side: JsonObject): boolean;
}

const RELAYS: readonly Relay[] = [
  {
    types: ['aws_ssoadmin_account_assignment'],
    attribute: 'permission_set_arn',
    holder: 'set',
    level: 'critical',
  },
  {
    types: ['aws_iam_role_policy_attachment', 'aws_iam_user_policy_attachment', 'aws_iam_group_policy_attachment'],
    attribute: 'policy_arn',
    holder: 'policy',
    level: 'critical',
  },
  { types: ['aws_iam_policy_attachment'], attribute: 'policy_arn', holder: 'policy', level: 'critical' },
  { types: ['aws_iam_role'], attribute: 'managed_policy_arns', holder: 'policy', level: 'critical' },
  { types: ['aws_iam_user_group_membership'], attribute: 'groups', holder: 'group', level: 'critical' },
  { types: ['aws_iam_group_membership'], attribute: 'group', holder: 'group', level: 'critical' },
  { types: ['aws_instance'], attribute: 'iam_instance_profile', holder: 'profile', level: 'high' },
  { types: ['aws_lambda_function'], attribute: 'role', holder: 'role', level: 'high' },
  { types: ['aws_ecs_task_definition'], attribute: 'task_role_arn', holder: 'role', level: 'high' },
  { types: ['aws_eks_pod_identity_association'], attribute: 'role_arn', holder: 'role', level: 'high' },
  { types: ['aws_codebuild_project'], attribute: 'service_role', holder: 'role', level: 'high' },
  { types: ['aws_iam_instance_profile'], attribute: 'role', holder: 'role', level: 'high' },
  {
    types: ['azurerm_role_assignment', 'azurerm_pim_*_role_assignment'],
    attribute: 'role_definition_id',
    holder: 'definition',
    level: 'critical',
  },
  {
    types: ['azurerm_role_assignment'],
    attribute: 'role_definition_name',
    holder: 'definition',
    level: 'critical',
  },
  {
    types: ['google_*_iam_member', 'google_*_iam_binding'],
    attribute: 'role',
    holder: 'definition',
    level: 'critical',
  },
  {
    types: ['kubernetes_cluster_role_binding', 'kubernetes_cluster_role_binding_v1'],
    attribute: 'role_ref',
    holder: 'cluster-role',
    level: 'critical',
  },
  {
    types: ['vault_*_auth_backend_role', 'vault_token', 'vault_token_auth_backend_role'],
    attribute: 'token_policies',
    holder: 'vault-policy',
    level: 'critical',
  },
  {
    types: ['vault_identity_group', 'vault_identity_entity', 'vault_token'],
    attribute: 'policies',
    holder: 'vault-policy',
    level: 'critical',
  },
  {
    types: ['google_service_account_iam_member', 'google_service_account_iam_binding'],
    attribute: 'service_account_id',
    holder: 'account',
    level: 'critical',
    where: (side) =>
      /^roles\/(?:owner|editor|iam\.(?:serviceAccount(?:TokenCreator|User|KeyAdmin|Admin|OpenIdTokenCreator)|workloadIdentityUser))$/.test(
        text(member(side, 'role')),
      ),
    watches: ['role', 'member', 'members'],
  },
  { types: ['google_service_account_key'], attribute: 'service_account_id', holder: 'account', level: 'high' },
  {
    types: ['google_cloud_run_v2_service', 'google_cloudfunctions2_function'],
    attribute: 'service_account_email',
    holder: 'account',
    level: 'high',
  },
  {
    types: ['google_compute_instance', 'google_compute_instance_template'],
    attribute: 'service_account',
    holder: 'account',
    level: 'high',
  },
  {
    types: ['azurerm_federated_identity_credential'],
    attribute: 'parent_id',
    holder: 'account',
    level: 'critical',
    watches: ['subject', 'issuer'],
    where: (side) => /(?:\*|:pull_request$|:ref:refs\/heads\/\*)/.test(text(member(side, 'subject'))),
  },
  { types: ['okta_group_memberships'], attribute: 'group_id', holder: 'group', level: 'critical' },
  { types: ['okta_group_rule'], attribute: 'group_assignments', holder: 'group', level: 'critical' },
  { types: ['postgresql_grant_role'], attribute: 'grant_role', holder: 'role', level: 'critical' },
];

function judgeRelay({ attribute, holder, level, where, watches = [] }: Relay, subject: Subject): void {
  const { before, after } = subject;
  if (after === undefined || (where !== undefined && !where(after))) return;
  const is_same = watches.every((name) => same(member(before, name), member(after, name)));
  const known = new Set(before !== undefined && is_same ? readNames(member(before, attribute)) : []);
  const { powers } = subject.facts;
  const added = readNames(member(subject.after, attribute)).filter(
    (name) => !known.has(name) && powers.administers(holder, name),
  );
  if (added.length === 0 || (known.size > 0 && [...known].some((name) => powers.administers(holder, name)))) return;
  const message = `Grants administrator access through ${subject.quoteAll([attribute], added)}, which administers elsewhere in the plan.`;
  subject.add({ rule: 'R-IAM-ADMIN', level, path: [attribute], message });
  subject.setDirection([attribute], 'weakening');
}

function readNames(value: Value): string[] {
  return [
    ...strings(value),
    ...list(value).flatMap((block) => [text(member(block, 'name')), text(member(block, 'email'))]),
  ].filter((name) => name !== '');
}

/** Returns true if a change names an object that may hold its rights through another resource of the plan. */
export function relaysGrants(type: string, after: JsonObject): boolean {
  return RELAYED.some(
    ({ relay, types }) =>
      Object.hasOwn(after, relay.attribute) &&
      types.test(type) &&
      readNames(member(after, relay.attribute)).some((name) => !BUILT_IN.test(name)),
  );
}

/** Roles and policies of the cloud itself, whose rights do not depend on the plan. */
const BUILT_IN = /^(?:roles\/|arn:[a-z-]{1,20}:iam::aws:)/;
const RELAYED = RELAYS.map((relay) => ({ relay, types: compileGlobs(relay.types.join(' ')) }));

export const RELAYED_GRANT_RULES: readonly Rule[] = RELAYS.map(
  (relay): Rule => ({
    types: relay.types,
    watches: [relay.attribute, ...(relay.watches ?? [])].map((path) => ({ path })),
    find: (subject) => judgeRelay(relay, subject),
  }),
);
