/** Why an attribute that no mapping names is not compared. */
import { isComputedArgument } from '../effects/index.ts';
import type { Uncompared } from './types.ts';

/** What only tells the provider how to work. */
const PROVIDER_ONLY: ReadonlySet<string> = new Set(
  `timeouts force_destroy force_delete force_detach_policies skip_destroy skip_final_snapshot final_snapshot_identifier
  apply_immediately allow_major_version_upgrade revoke_rules_on_delete user_data_replace_on_change get_password_data
  wait_for_deployment retain_on_delete wait_for_steady_state force_new_deployment publish source_code_hash
  recovery_window_in_days force_overwrite_replica_secret deletion_window_in_days bypass_policy_lockout_safety_check
  delete_automated_backups wait_for_fulfillment wait_for_capacity_timeout enable_lni_at_device_index
  confirmation_timeout_in_minutes endpoint_auto_confirms name_prefix bucket_prefix identifier_prefix
  cluster_identifier_prefix skip_service_deregistration deletion_policy delete_contents_on_destroy
  allow_stopping_for_update prune_on_destroy replace_on_changes triggers keepers`.split(/\s+/),
);

/** What only the cloud sets, in all types of a provider. */
const COMPUTED: ReadonlySet<string> = new Set(
  `id arn self_link unique_id owner_id tags_all effective_labels terraform_labels project region account_id
  resource_group_name creation_date create_date created_date creation_timestamp etag fingerprint label_fingerprint
  hosted_zone_id dns_name endpoint url`.split(/\s+/),
);

/** `region` and `project` say where the object is, which joining has already compared. */
export function explainUnmapped(type: string, name: string): Uncompared {
  if (PROVIDER_ONLY.has(name)) return 'provider_only';
  return COMPUTED.has(name) || isComputedArgument(type, name) ? 'computed' : 'unmapped';
}
