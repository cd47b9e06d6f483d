import type { ResourceChange } from '../changes/types.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject } from '../model/result.ts';

/** Built-in roles that only read, measure or use a resource. */
const AZURE_ROLE =
  /^(?:acrpull|acr repository reader|monitoring metrics publisher|azure (?:service bus|event hubs) data (?:sender|receiver)|(?!key vault secrets)[a-z ]{0,60}reader)$/;
const GOOGLE_ROLE =
  /^roles\/[a-zA-Z]{1,40}\.(?:(?:[a-zA-Z]{0,40}[vV]iewer)|(?:[a-zA-Z]{0,40}[rR]eader)|agent|client|invoker|jobUser|logWriter|metricWriter|publisher|subscriber|writer)$/;
/** Read roles that include secrets or broad data. */
const GRAVE_READING = /secret|\.securityReviewer|^roles\/viewer$|storage\./i;
const AWS_POLICY =
  /^arn:[^:]{1,20}:iam::aws:policy\/(?:service-role\/.{1,100}|(?!AmazonS3|AmazonDynamoDB|AmazonSSM|SecretsManager)[A-Za-z0-9]{1,80}ReadOnly(?:Access)?|AmazonSSMManagedInstanceCore|CloudWatchAgentServerPolicy|AmazonEKS(?:WorkerNodePolicy|_CNI_Policy|ClusterPolicy))$/;

/** Levels of access that only read, by type and attribute. */
const READ_ACCESS: readonly (readonly [type: RegExp, attribute: string, values: RegExp])[] = [
  [/^github_team_repository$/, 'permission', /^(?:pull|triage)$/],
  [/^gitlab_(?:project|group)_share_group$/, '*_access', /^(?:minimal|guest|planner|reporter)$/],
  [/^gitlab_(?:project|group)_membership$/, 'access_level', /^(?:minimal|guest|planner|reporter)$/],
  [/^bitbucket_.{0,40}permission$/, 'permission', /^read$/],
  [/^tfe_team_(?:project_)?access$/, 'access', /^(?:read|plan)$/],
  [/^grafana_.{0,60}permission(?:_item)?$/, 'permission', /^View$/],
  [/^(?:postgresql|mysql|redshift)_grant$/, 'privileges', /^(?:USAGE|CONNECT|REFERENCES)$/i],
  [/^snowflake_grant_privileges_to_/, 'privileges', /^(?:USAGE|MONITOR|REFERENCES|OPERATE)$/i],
  [/^databricks_grant$/, 'privileges', /^(?:USE_CATALOG|USE_SCHEMA|BROWSE|USE CATALOG|USE SCHEMA)$/],
];

const KUBERNETES_ROLE = /^kubernetes_(?:cluster_)?role(?:_v1)?$/;
/** Objects with secrets, and those through which one gains the rights of others. */
const GRAVE_OBJECTS =
  /^(?:\*|secrets|.{1,40}\/(?:\*|exec|attach|proxy|token|portforward|ephemeralcontainers)|tokenreviews|certificatesigningrequests|(?:cluster)?role(?:binding)?s)$/;
const READING = /^(?:get|list|watch)$/;
const READING_OR_UPDATING = /^(?:get|list|watch|update|patch)$/;

/** Returns true for a role that reads objects without secrets, or also updates objects that it names. */
function isNarrowRole(after: JsonObject): boolean {
  const rules = after['rule'];
  return Array.isArray(rules) && rules.length > 0 && rules.every((rule) => isObject(rule) && isNarrowRule(rule));
}

function isNarrowRule(rule: JsonObject): boolean {
  const verbs = textsAt(rule, 'verbs');
  const resources = textsAt(rule, 'resources');
  const allowed = textsAt(rule, 'resource_names').length > 0 ? READING_OR_UPDATING : READING;
  const is_named = resources.length > 0 && verbs.length > 0;
  return is_named && verbs.every((verb) => allowed.test(verb)) && !resources.some((name) => GRAVE_OBJECTS.test(name));
}

function textsAt(values: JsonObject, attribute: string): string[] {
  const value = Object.hasOwn(values, attribute) ? values[attribute] : undefined;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isReadAccess(type: string, after: JsonObject): boolean {
  const row = READ_ACCESS.find(([of_type]) => of_type.test(type));
  if (row === undefined) return false;
  const [, attribute, allowed] = row;
  const names = Object.keys(after).filter((name) =>
    attribute.startsWith('*') ? name.endsWith(attribute.slice(1)) : name === attribute,
  );
  const values = names.flatMap((name) => after[name] ?? []).flat();
  return values.length > 0 && values.every((value) => typeof value === 'string' && allowed.test(value));
}

/** Types of which an object is only a name until somebody or something is assigned to it. */
const GROUP = /(?:^|_)(?:groups?|teams?|role|account_role|database_role)$/;
/** Attributes that give a group members or rights. Owners only manage it. */
const FILLS =
  /member|user|polic|permission|privilege|grant|scope|admin|assign|rule|expression|login|superuser|create_|allow|access|entitle|composite|parent|group|role(?!_?(?:name|id|key)?$)/;
/** Arguments of those names that only say what the group is called. */
const NAMES =
  /^(?:skip_users|custom_profile_attributes|group_type|group_name|role_name|type|mail_enabled|security_enabled)$/;

/** Returns true for a new group, team or role without members and rights. */
export function isEmptyGroup({ type, after, unknown }: ResourceChange): boolean {
  if (after === null || unknown === true || !GROUP.test(type) || type.startsWith('aws_')) return false;
  const isFilling = (name: string): boolean => FILLS.test(name) && !NAMES.test(name);
  if (typeof unknown === 'object' && unknown !== null && Object.keys(unknown).some(isFilling)) return false;
  return Object.entries(after).every(([name, value]) => !isFilling(name) || isNothing(value));
}

function isNothing(value: JsonObject[string]): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

/** Returns true for a new grant of a built-in role with few permissions to one named identity. */
export function isNarrowGrant({ type, after }: ResourceChange): boolean {
  if (after === null) return false;
  if (isReadAccess(type, after)) return true;
  if (KUBERNETES_ROLE.test(type)) return isNarrowRole(after);
  if (type === 'azurerm_role_assignment') return AZURE_ROLE.test(textAt(after, 'role_definition_name').toLowerCase());
  if (/^aws_iam_(?:role|user|group)_policy_attachment$/.test(type)) return AWS_POLICY.test(textAt(after, 'policy_arn'));
  if (!type.startsWith('google_') || !type.endsWith('_iam_member')) return false;
  const role = textAt(after, 'role');
  return GOOGLE_ROLE.test(role) && !GRAVE_READING.test(role) && !textAt(after, 'member').startsWith('all');
}

const AUDIT_EFFECT = /^(?:audit|auditifnotexists|disabled)$/i;
const EFFECT_CHARS_MAX = 100_000;

/** Returns true for a new assignment of an Azure policy that only reports and has no managed identity. */
export function isAuditOnly({ type, after }: ResourceChange): boolean {
  if (after === null || !/^azurerm_(?:[a-z_]{1,30}_)?policy_assignment$/.test(type)) return false;
  const identity = Object.hasOwn(after, 'identity') ? after['identity'] : null;
  if (Array.isArray(identity) && identity.length > 0) return false;
  if (Object.hasOwn(after, 'enforce') && after['enforce'] === false) return true;
  const parameters = textAt(after, 'parameters');
  if (parameters.length > EFFECT_CHARS_MAX) return false;
  const effects = [...parameters.matchAll(/"[a-z]{0,60}effect[a-z]{0,60}"\s*:\s*\{\s*"value"\s*:\s*"([^"]{0,60})"/gi)];
  return effects.length > 0 && effects.every(([, effect]) => AUDIT_EFFECT.test(effect as string));
}

function textAt(values: JsonObject, attribute: string): string {
  const value = Object.hasOwn(values, attribute) ? values[attribute] : undefined;
  return typeof value === 'string' ? value : '';
}
