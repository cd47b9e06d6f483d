/** Backups, copies and failover, and what they need. */
import type { JsonObject } from '../../../model/result.ts';
import type { Value } from '../../attributes/types.ts';
import { at, list, member, quantity, text, truth } from '../../attributes/values.ts';
import { refersTo } from '../neighbors.ts';
import type { Fit } from './types.ts';

/** The days for which a plan keeps recovery points in a vault; 0 stands for ever. */
function keptDays(plan: JsonObject, vault: string): number[] {
  const rules = list(member(plan, 'rule'));
  const kept = (block: Value): number => quantity(at(block, 'lifecycle', 'delete_after')) ?? 0;
  const copies = rules.flatMap((rule) => list(member(rule, 'copy_action')));
  return [
    ...rules.filter((rule) => text(member(rule, 'target_vault_name')) === vault).map(kept),
    ...copies.filter((copy) => text(member(copy, 'destination_vault_arn')).endsWith(`:${vault}`)).map(kept),
  ];
}

function isRefused(days: number, lock: JsonObject): boolean {
  const least = quantity(member(lock, 'min_retention_days')) ?? 0;
  const most = quantity(member(lock, 'max_retention_days')) ?? Number.POSITIVE_INFINITY;
  const kept = days === 0 ? Number.POSITIVE_INFINITY : days;
  return kept < least || kept > most;
}

const vaultIn = (lock: JsonObject): string => text(member(lock, 'backup_vault_name'));
const REPLICATION = ['aws_s3_bucket_replication_configuration'];

export const BACKUP_FITS: readonly Fit[] = [
  {
    one: { types: ['aws_backup_plan'], paths: ['rule'] },
    other: {
      types: ['aws_backup_vault_lock_configuration'],
      paths: ['min_retention_days', 'max_retention_days', 'backup_vault_name'],
    },
    joins: (plan, lock) => vaultIn(lock) !== '' && keptDays(plan, vaultIn(lock)).length > 0,
    breaks: (plan, lock) => keptDays(plan, vaultIn(lock)).some((days) => isRefused(days, lock)),
    level: 'high',
    says: 'the lock of the vault refuses recovery points that are kept for so long, so every backup job of the plan fails',
  },
  {
    one: { types: ['aws_s3_bucket_versioning'], paths: ['versioning_configuration'] },
    other: { types: REPLICATION, paths: ['bucket'] },
    joins: (versioning, replication) => {
      const bucket = text(member(versioning, 'bucket'));
      const copies = list(member(replication, 'rule')).map((rule) => text(at(rule, 'destination', 'bucket')));
      return (
        bucket !== '' &&
        (text(member(replication, 'bucket')) === bucket || copies.some((arn) => arn.endsWith(`:${bucket}`)))
      );
    },
    breaks: (versioning) => text(at(versioning, 'versioning_configuration', 'status')) !== 'Enabled',
    level: 'high',
    says: 'objects are replicated only while both buckets keep versions, so copies stop',
  },
  {
    one: { types: ['aws_db_instance'], paths: ['backup_retention_period'] },
    other: { types: ['aws_db_instance'], paths: ['replicate_source_db'] },
    joins: (source, replica) =>
      source !== replica &&
      refersTo(member(replica, 'replicate_source_db'), { ...source, name: source['identifier'] ?? '' }),
    breaks: (source) => quantity(member(source, 'backup_retention_period')) === 0,
    level: 'high',
    says: 'a replica needs the backups of its source, so replication ends',
  },
  {
    one: { types: ['aws_route53_health_check'], paths: ['disabled', 'invert_healthcheck'] },
    other: { types: ['aws_route53_record'], paths: ['health_check_id'] },
    joins: (check, record) =>
      list(member(record, 'failover_routing_policy')).length > 0 && refersTo(member(record, 'health_check_id'), check),
    breaks: (check) => truth(member(check, 'disabled')) === true,
    level: 'high',
    says: 'a disabled check counts as healthy, so DNS never fails over',
  },
];
