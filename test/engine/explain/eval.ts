/**
 * Facts that a narrative must mention, whether rules or a model wrote it, in this order: what will happen, why it
 * matters, what to check. Uses the plans of the score.
 */
export const NARRATIVES_TO_MENTION: readonly { file: string; mentions: readonly string[] }[] = [
  {
    file: 'aws-rds-replaced-by-encryption',
    mentions: [
      'CRITICAL',
      '`module.db.aws_db_instance.main`: replace',
      'only from a backup',
      'storage_encrypted',
      'Before approving',
      'backed up',
    ],
  },
  { file: 'aws-rds-public', mentions: ['aws_db_instance', 'Before approving', 'that open'] },
  { file: 'aws-rds-backup-off', mentions: ['HIGH', 'aws_db_instance', 'Before approving', 'protection'] },
  { file: 'aws-rds-guard-removed', mentions: ['HIGH', 'deletion_protection', 'Before approving', 'protection'] },
  { file: 'aws-bucket-deleted', mentions: ['CRITICAL', 'delete', 'Before approving', 'backed up'] },
  { file: 'aws-key-deleted', mentions: ['CRITICAL', '`aws_kms_key.data`: delete', 'Before approving', 'to decrypt'] },
  {
    file: 'aws-ssh-open-among-reorder',
    mentions: ['CRITICAL', '`aws_security_group.bastion`', '0.0.0.0/0', 'port 22', 'that open'],
  },
  {
    file: 'aws-inline-admin',
    mentions: ['CRITICAL', '`aws_iam_role_policy.deploy`', 'administrator', 'who gains access'],
  },
  { file: 'aws-trust-everyone', mentions: ['CRITICAL', 'who gains access'] },
  {
    file: 'aws-trail-stopped',
    mentions: ['CRITICAL', '`aws_cloudtrail.org`', 'audit', '`aws_flow_log.main`', 'no longer need this protection'],
  },
  {
    file: 'aws-stack-destroyed',
    mentions: ['6 to delete', '`aws_db_instance.main`: delete', 'outage', 'and 1 more', 'backed up', 'nothing uses'],
  },
  { file: 'aws-service-to-zero', mentions: ['HIGH', 'desired_count changes from 8 to 0', 'no traffic depends on'] },
  { file: 'aws-queue-replaced-fifo', mentions: ['replace (destroy first)', 'fifo_queue', 'Before approving'] },
  {
    file: 'aws-deploy-routine',
    mentions: ['LOW', 'No change is of level medium or above', '`aws_ecs_task_definition`'],
  },
  { file: 'aws-noise-empty', mentions: ['known plan noise and can be ignored'] },
  { file: 'aws-drift-only', mentions: ['NONE', 'No changes', 'changed outside of IaC'] },
  { file: 'aws-nothing-to-do', mentions: ['NONE', 'No changes'] },
  { file: 'aws-state-moves-only', mentions: ['LOW', '1 to import', '2 to move'] },
  { file: 'google-project-owner', mentions: ['CRITICAL', 'roles/owner', 'who gains access'] },
  { file: 'google-firewall-rdp-world', mentions: ['3380-3390', 'that open'] },
  { file: 'google-sql-replaced-by-region', mentions: ['CRITICAL', 'replace', 'backed up'] },
];
