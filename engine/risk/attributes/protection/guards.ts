/** Resources whose only purpose is to protect another one: deleting them removes the protection. */
import type { RiskLevel } from '../../../model/result.ts';
import { findPhrase } from '../phrases.ts';
import type { Subject } from '../subject.ts';
import type { Rule } from '../types.ts';
import { member, strings } from '../values.ts';

interface Guard {
  types: readonly string[];
  /** A rule id, or `attr` for a rule of this type only. */
  rule: string;
  level: RiskLevel;
  /** Attributes that name the protected resource; empty for a whole account or project. */
  protects: readonly string[];
  /** Selects a phrase. Defaults to the phrase of the rule. */
  topic?: string;
  /** Also report a destroy-first replacement, which leaves the resource unprotected until the guard exists again. */
  replace?: true;
}

const GUARDS: readonly Guard[] = [
  {
    types: ['aws_s3_account_public_access_block'],
    rule: 'R-STO-PUBLIC',
    level: 'critical',
    protects: [],
    topic: 'public_possible',
  },
  {
    types: ['aws_s3_bucket_public_access_block'],
    rule: 'R-STO-PUBLIC',
    level: 'high',
    protects: ['bucket'],
    topic: 'public_possible',
  },
  {
    types: ['aws_cloudtrail', 'aws_guardduty_detector'],
    rule: 'R-LOG-OFF',
    level: 'critical',
    protects: [],
    topic: 'record_stops',
    replace: true,
  },
  { types: ['vault_audit'], rule: 'R-LOG-OFF', level: 'critical', protects: [], topic: 'record_stops' },
  {
    types: ['azuread_conditional_access_policy', 'okta_policy_mfa', 'aws_iam_account_password_policy'],
    rule: 'attr',
    level: 'high',
    protects: [],
    topic: 'login',
  },
  {
    types: ['aws_flow_log'],
    rule: 'R-LOG-OFF',
    level: 'high',
    protects: ['vpc_id', 'subnet_id', 'eni_id', 'transit_gateway_id'],
    topic: 'record_stops',
    replace: true,
  },
  {
    types: [
      'aws_config_configuration_recorder',
      'aws_config_configuration_recorder_status',
      'aws_securityhub_account',
      'aws_macie2_account',
      'aws_inspector2_enabler',
      'aws_cloudtrail_event_data_store',
    ],
    rule: 'R-LOG-OFF',
    level: 'high',
    protects: [],
    topic: 'record_stops',
  },
  {
    types: ['aws_route53_query_log', 'aws_route53_resolver_query_log_config_association'],
    rule: 'R-LOG-OFF',
    level: 'high',
    protects: ['zone_id', 'resource_id'],
    topic: 'record_stops',
  },
  { types: ['aws_s3_bucket_logging'], rule: 'R-LOG-OFF', level: 'medium', protects: ['bucket'], topic: 'record_stops' },
  {
    types: [
      'azurerm_monitor_diagnostic_setting',
      'azurerm_network_watcher_flow_log',
      'azurerm_advanced_threat_protection',
      'azurerm_mssql_server_extended_auditing_policy',
    ],
    rule: 'R-LOG-OFF',
    level: 'high',
    protects: ['target_resource_id', 'network_security_group_id', 'server_id'],
    topic: 'record_stops',
  },
  {
    types: ['azurerm_security_center_subscription_pricing', 'google_logging_*_sink', 'google_*_iam_audit_config'],
    rule: 'R-LOG-OFF',
    level: 'high',
    protects: [],
    topic: 'record_stops',
  },
  {
    types: ['aws_wafv2_web_acl_association', 'aws_wafregional_web_acl_association', 'aws_shield_protection'],
    rule: 'R-SEC-WAF',
    level: 'high',
    protects: ['resource_arn'],
    replace: true,
  },
  {
    types: ['google_compute_*firewall_policy_association', 'azurerm_network_interface_security_group_association'],
    rule: 'R-SEC-WAF',
    level: 'high',
    protects: ['attachment_target', 'network_interface_id'],
    topic: 'filter_opens',
  },
  {
    types: ['azurerm_subnet_network_security_group_association'],
    rule: 'attr',
    level: 'critical',
    protects: ['subnet_id'],
    topic: 'filter_opens',
    replace: true,
  },
  {
    types: [
      'aws_backup_plan',
      'aws_dlm_lifecycle_policy',
      'azurerm_backup_policy_*',
      'azurerm_data_protection_backup_policy_*',
    ],
    rule: 'R-DB-BACKUP',
    level: 'high',
    protects: [],
    topic: 'backup_scope',
  },
  {
    types: ['aws_backup_selection'],
    rule: 'R-DB-BACKUP',
    level: 'high',
    protects: ['resources'],
    topic: 'backup_scope',
  },
  {
    types: [
      'azurerm_backup_protected_*',
      'azurerm_data_protection_backup_instance_*',
      'google_backup_dr_backup_plan_association',
      'google_compute_*disk_resource_policy_attachment',
      'aws_db_instance_automated_backups_replication',
    ],
    rule: 'R-DB-BACKUP',
    level: 'high',
    protects: [
      'source_vm_id',
      'source_file_share_name',
      'storage_account_id',
      'disk_id',
      'server_id',
      'resource',
      'disk',
      'source_db_instance_arn',
    ],
    topic: 'backup_scope',
  },
  {
    types: ['aws_backup_vault_lock_configuration'],
    rule: 'R-STO-VERSIONING',
    level: 'high',
    protects: ['backup_vault_name'],
    topic: 'lock',
  },
  {
    types: ['aws_s3_bucket_versioning', 'aws_s3_bucket_object_lock_configuration'],
    rule: 'R-STO-VERSIONING',
    level: 'high',
    protects: ['bucket'],
  },
  {
    types: ['azurerm_management_lock', 'google_resource_manager_lien'],
    rule: 'R-DEL-PROTECT',
    level: 'high',
    protects: ['scope', 'parent'],
  },
  {
    types: ['aws_ebs_encryption_by_default'],
    rule: 'R-ENC-OFF',
    level: 'high',
    protects: [],
    topic: 'encryption_default',
  },
  {
    types: ['aws_organizations_policy_attachment'],
    rule: 'attr',
    level: 'high',
    protects: ['target_id'],
    topic: 'guardrail',
    replace: true,
  },
  {
    types: [
      'google_org_policy_policy',
      'google_project_organization_policy',
      'google_folder_organization_policy',
      'google_organization_policy',
    ],
    rule: 'attr',
    level: 'high',
    protects: ['parent', 'project', 'folder'],
    topic: 'guardrail',
  },
  {
    types: ['azurerm_*_policy_assignment'],
    rule: 'attr',
    level: 'high',
    protects: ['resource_group_id', 'resource_id', 'subscription_id'],
    topic: 'guardrail',
  },
];

function judgeDeletion(guard: Guard, subject: Subject): void {
  const { before, change, facts, mode } = subject;
  if (mode === 'replace' && change.actions[0] !== 'delete') return;
  const named = guard.protects.flatMap((name) => strings(member(before, name)));
  if (named.some((name) => facts.destroyed.has(name))) return;
  const path = guard.protects.find((name) => strings(member(before, name)).length > 0);
  const shown = path === undefined ? '' : ` (${subject.quoteAll([path], named)})`;
  const when = mode === 'replace' ? 'Until it is created again' : 'After the deletion';
  subject.add({
    rule: guard.rule === 'attr' ? `R-ATTR-${subject.type}` : guard.rule,
    level: guard.level,
    path: null,
    message: `${when}, ${lowerFirst(findPhrase(guard.topic ?? guard.rule))}${shown}.`,
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export const GUARD_RULES: readonly Rule[] = GUARDS.map((guard) => ({
  types: guard.types,
  watches: [],
  modes: guard.replace ? (['delete', 'replace'] as const) : (['delete'] as const),
  find: (subject) => judgeDeletion(guard, subject),
}));
