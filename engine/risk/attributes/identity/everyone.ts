/** R-IAM-TRUST for grants to a group of the plan that holds everybody. */
import { namesEveryone } from '../../relations/everyone.ts';
import type { Subject } from '../subject.ts';
import type { Rule } from '../types.ts';
import { list, member, strings, text } from '../values.ts';

/** Grants to groups, with the attribute that names the group. */
const GRANTS: Readonly<Record<string, string>> = {
  aws_ssoadmin_account_assignment: 'principal_id',
  okta_app_group_assignment: 'group_id',
  okta_app_group_assignments: 'group',
  okta_group_role: 'group_id',
  azurerm_role_assignment: 'principal_id',
  azuread_directory_role_assignment: 'principal_object_id',
  azuread_app_role_assignment: 'principal_object_id',
  databricks_mws_permission_assignment: 'principal_id',
  databricks_permission_assignment: 'principal_id',
  databricks_group_role: 'group_id',
  grafana_folder_permission_item: 'team',
  grafana_data_source_permission_item: 'team',
  github_team_repository: 'team_id',
  jumpcloud_user_group_association: 'group_id',
};
export const EVERYONE_TYPES: ReadonlySet<string> = new Set(Object.keys(GRANTS));

const POWERFUL = /admin|root|owner/i;

/** Whether what is granted administers, as far as its names say. */
function isPowerful(subject: Subject): boolean {
  const { after, change, facts } = subject;
  const set = text(member(after, 'permission_set_arn'));
  const role = ['role_definition_name', 'role_type', 'app_id'].map((name) => text(member(after, name)));
  return (
    facts.powers.administers('set', set) ||
    [...role, change.address.split('.').at(-1) ?? ''].some((name) => POWERFUL.test(name))
  );
}

function judgeGroup(attribute: string, subject: Subject): void {
  const read = (side: Subject['after']): string[] => [
    ...strings(member(side, attribute)),
    ...list(member(side, attribute)).map((block) => text(member(block, 'id'))),
  ];
  const known = new Set(read(subject.before));
  const plan = subject.facts.neighbors;
  if (!read(subject.after).some((id) => !known.has(id) && namesEveryone(id, plan))) return;
  const path = [attribute];
  const message = `The group of ${subject.formatPath(path)} holds everybody: every account of the organization gets this access.`;
  subject.add({ rule: 'R-IAM-TRUST', level: isPowerful(subject) ? 'critical' : 'high', path, message });
  subject.setDirection(path, 'weakening');
}

export const EVERYONE_RULES: readonly Rule[] = Object.entries(GRANTS).map(([type, attribute]) => ({
  types: [type],
  watches: [{ path: attribute }],
  find: (subject) => judgeGroup(attribute, subject),
}));
