/** Grants to one principal, and members of administrator groups: R-IAM-TRUST and R-IAM-WIDE. */
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { list, member, strings, text } from '../values.ts';

/** Types that grant access to the AWS principal in an attribute, with the permission. */
const GRANTS: [type: string, attribute: string, what: string][] = [
  ['aws_cloudwatch_event_permission', 'principal', 'can put events on the event bus'],
  ['aws_kms_grant', 'grantee_principal', 'can use the key'],
  ['aws_lambda_layer_version_permission', 'principal', 'can use the layer'],
  ['aws_ram_principal_association', 'principal', 'gets access to the shared resources'],
  ['aws_vpc_endpoint_service_allowed_principal', 'principal_arn', 'can connect to the endpoint service'],
];

const ACCOUNT = /^(?:arn:[^:]{1,20}:(?:iam|sts)::)?([0-9]{12})(?::|$)/;

function judgeGrant([, attribute, what]: (typeof GRANTS)[number], subject: Subject): void {
  const principal = text(member(subject.after, attribute));
  if (principal === text(member(subject.before, attribute))) return;
  const path = [attribute];
  if (principal === '*') {
    if (text(member(subject.after, 'organization_id')) !== '' || !isUnconditional(subject.after)) return;
    subject.add({ rule: 'R-IAM-TRUST', level: 'high', path, message: `Every account ${what}.` });
    subject.setDirection(path, 'weakening');
    return;
  }
  const account = ACCOUNT.exec(principal)?.[1];
  if (account === undefined || subject.facts.accounts.has(account)) return;
  const level = subject.facts.accounts.size === 0 && subject.mode === 'create' ? 'medium' : 'high';
  const message = `Another account ${what}: ${subject.quoteAll(path, [account])}.`;
  subject.add({ rule: 'R-IAM-TRUST', level, path, message });
  subject.setDirection(path, 'weakening');
}

function isUnconditional(side: Value): boolean {
  return list(member(side, 'condition')).length === 0;
}

/** Names of administrator groups. The plan may not contain the policies of a group, so its name is used. */
const ADMINISTRATORS =
  /(?:^|[^a-z])(?:admin|admins|administrator|administrators|root|owners?|superusers?|poweru?sers?|break-?glass)(?:[^a-z]|$)/i;

const MEMBERSHIPS: [types: readonly string[], group: string, members: string][] = [
  [['aws_iam_group_membership'], 'group', 'users'],
  [['aws_iam_user_group_membership'], 'groups', 'user'],
];

function judgeMembership([, group, members]: (typeof MEMBERSHIPS)[number], subject: Subject): void {
  const collectPairs = (side: Value): string[] =>
    strings(member(side, group))
      .filter((name) => ADMINISTRATORS.test(name))
      .flatMap((name) => strings(member(side, members)).map((user) => `${user} in ${name}`));
  const held = new Set(collectPairs(subject.before));
  const added = collectPairs(subject.after).filter((pair) => !held.has(pair));
  if (added.length === 0) return;
  const attribute = group === 'groups' ? group : members;
  const message = `Adds members to an administrator group: ${subject.quoteAll([attribute], added)}.`;
  subject.add({ rule: 'R-IAM-WIDE', level: 'high', path: [attribute], message });
  subject.setDirection([attribute], 'weakening');
}

const DATABASE_GRANTS = [
  ...['postgresql_grant', 'postgresql_grant_role', 'postgresql_default_privileges'],
  ...['redshift_grant', 'redshift_default_privileges', 'cockroach_grant', 'cockroach_default_privileges'],
  ...['snowflake_grant_privileges_to_account_role', 'snowflake_grant_privileges_to_database_role'],
];
const GRANTEES = ['role', 'group', 'grantee', 'account_role_name', 'database_role_name'];

/** `public` stands for every login of a database, also for future ones. */
function judgePublicGrant(attribute: string, subject: Subject): void {
  const isPublic = (side: Value) => text(member(side, attribute)).toLowerCase().replaceAll('"', '') === 'public';
  if (!isPublic(subject.after) || isPublic(subject.before)) return;
  const message = 'Every login of the database gets these privileges, also every future one.';
  subject.add({ rule: 'R-IAM-WIDE', level: 'high', path: [attribute], message });
  subject.setDirection([attribute], 'weakening');
}

export const PRINCIPAL_RULES: readonly Rule[] = [
  ...GRANTEES.map(
    (attribute): Rule => ({
      types: DATABASE_GRANTS,
      watches: [{ path: attribute }],
      find: (subject) => judgePublicGrant(attribute, subject),
    }),
  ),
  ...GRANTS.map(
    (grant): Rule => ({
      types: [grant[0]],
      watches: [{ path: grant[1] }],
      find: (subject) => judgeGrant(grant, subject),
    }),
  ),
  ...MEMBERSHIPS.map(
    (membership): Rule => ({
      types: membership[0],
      watches: [{ path: membership[1] }, { path: membership[2] }],
      find: (subject) => judgeMembership(membership, subject),
    }),
  ),
];
