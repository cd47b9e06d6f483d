/** Groups of a plan to which every employee or every account belongs. */
import type { JsonObject } from '../../model/result.ts';
import { member, text } from '../attributes/values.ts';
import type { Index, Neighbors } from './neighbors.ts';

const GROUP_TYPES: readonly string[] = [
  'okta_group',
  'okta_everyone_group',
  'aws_identitystore_group',
  'azuread_group',
  'databricks_group',
  'google_cloud_identity_group',
  'grafana_team',
  'github_team',
  'auth0_organization',
  'jumpcloud_user_group',
  'onelogin_groups',
];
const EVERYONE =
  /^(?:everyone|everybody|all[ _-]?(?:users|employees|staff|members|people|company|hands|accounts)|domain users|authenticated users|account users|company|organization)$/i;
/** A rule of Microsoft Entra that no account fails. */
const OPEN_RULE = /^\s{0,10}\(?(?:user\.objectId -ne null|user\.accountEnabled -eq true)\)?\s{0,10}$/i;

function isEveryone(type: string, group: JsonObject): boolean {
  if (type === 'okta_everyone_group') return true;
  if (type === 'databricks_group' && text(member(group, 'display_name')) === 'users') return true;
  const rule = member(group, 'dynamic_membership');
  const rules = Array.isArray(rule) ? rule : [];
  if (rules.some((block) => OPEN_RULE.test(text(member(block, 'rule'))))) return true;
  return ['name', 'display_name'].some((name) => EVERYONE.test(text(member(group, name)).trim()));
}

const IDS = ['id', 'group_id', 'object_id'];
const listIds = (group: JsonObject): string[] => IDS.map((name) => text(member(group, name)));
const GROUPS_BY_ID: Index = { types: GROUP_TYPES, names: listIds };

/** What is read of groups. */
export const GROUP_READS = GROUP_TYPES.map((type) => [type, [...IDS, 'display_name', 'dynamic_membership']] as const);

/** Whether an id names a group that holds everybody. */
export function namesEveryone(id: string, plan: Neighbors): boolean {
  return plan
    .linked(GROUPS_BY_ID, [id])
    .some(({ type, after }) => after !== null && isEveryone(type, after) && listIds(after).includes(id));
}
