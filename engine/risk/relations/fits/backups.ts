/** Backups, copies and failover, and what they need. */
import type { JsonObject } from '../../../model/result.ts';
import type { Value } from '../../attributes/types.ts';
import { at, list, member, quantity, text, truth } from '../../attributes/values.ts';
import { listNames, listNamesIn } from '../neighbors.ts';
import type { Fit } from './types.ts';

/** Where a plan keeps recovery points, and for how many days; 0 stands for ever. */
function listKept(plan: JsonObject): { vault: string; days: number }[] {
  const rules = list(member(plan, 'rule'));
  const copies = rules.flatMap((rule) => list(member(rule, 'copy_action')));
  const kept = (block: Value, vault: string) => ({
    vault,
    days: quantity(at(block, 'lifecycle', 'delete_after')) ?? 0,
  });
  return [
    ...rules.map((rule) => kept(rule, text(member(rule, 'target_vault_name')))),
    ...copies.map((copy) => kept(copy, text(member(copy, 'destination_vault_arn')).split(':').at(-1)!)),
  ];
}

function isRefused(days: number, lock: JsonObject): boolean {
  const least = quantity(member(lock, 'min_retention_days')) ?? 0;
  const most = quantity(member(lock, 'max_retention_days')) ?? Number.POSITIVE_INFINITY;
  const kept = days === 0 ? Number.POSITIVE_INFINITY : days;
  return kept < least || kept > most;
}

const vaultIn = (lock: JsonObject): string => text(member(lock, 'backup_vault_name'));

export const BACKUP_FITS: readonly Fit[] = [
  {
    one: { types: ['aws_backup_plan'], paths: ['rule'], names: (plan) => listKept(plan).map(({ vault }) => vault) },
    other: {
      types: ['aws_backup_vault_lock_configuration'],
      paths: ['min_retention_days', 'max_retention_days', 'backup_vault_name'],
      names: (lock) => [vaultIn(lock)],
    },
    breaks: (plan, lock) => listKept(plan).some(({ vault, days }) => vault === vaultIn(lock) && isRefused(days, lock)),
    level: 'high',
    says: 'the lock of the vault refuses recovery points that are kept for so long, so every backup job of the plan fails',
  },
  {
    one: {
      types: ['aws_s3_bucket_versioning'],
      paths: ['versioning_configuration'],
      names: (versioning) => [text(member(versioning, 'bucket'))],
    },
    other: {
      types: ['aws_s3_bucket_replication_configuration'],
      paths: ['bucket'],
      reads: ['rule'],
      names: (replication) => [
        text(member(replication, 'bucket')),
        ...list(member(replication, 'rule')).map(
          (rule) =>
            text(at(rule, 'destination', 'bucket'))
              .split(':')
              .at(-1)!,
        ),
      ],
    },
    breaks: (versioning) => text(at(versioning, 'versioning_configuration', 'status')) !== 'Enabled',
    level: 'high',
    says: 'objects are replicated only while both buckets keep versions, so copies stop',
  },
  {
    one: {
      types: ['aws_db_instance'],
      paths: ['backup_retention_period'],
      reads: ['identifier'],
      names: (source) => [...listNames(source), text(member(source, 'identifier'))],
    },
    other: {
      types: ['aws_db_instance'],
      paths: ['replicate_source_db'],
      names: (replica) => listNamesIn(member(replica, 'replicate_source_db')),
    },
    breaks: (source) => quantity(member(source, 'backup_retention_period')) === 0,
    level: 'high',
    says: 'a replica needs the backups of its source, so replication ends',
  },
  {
    one: { types: ['aws_route53_health_check'], paths: ['disabled', 'invert_healthcheck'], names: listNames },
    other: {
      types: ['aws_route53_record'],
      paths: ['health_check_id'],
      reads: ['failover_routing_policy'],
      names: (record) => listNamesIn(member(record, 'health_check_id')),
    },
    joins: (_, record) => list(member(record, 'failover_routing_policy')).length > 0,
    breaks: (check) => truth(member(check, 'disabled')) === true,
    level: 'high',
    says: 'a disabled check counts as healthy, so DNS never fails over',
  },
];
