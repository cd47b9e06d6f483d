import { pickFields } from '../../contract/pick-fields.ts';
import type { EnrichedResource, LiveResource } from './types.ts';

/** The resource as the contract's LiveResource. */
export function resourceRecord(resource: LiveResource) {
  const record = pickFields(resource, [
    'id',
    'cloud_account_id',
    'provider',
    'region',
    'name',
    'provider_resource_id',
    'provider_type',
    'normalized_type',
    'enrichment_status',
    'tags',
    'risk_categories',
    'first_seen_at',
    'last_seen_at',
  ]);
  const { iac_resource_id } = resource;
  return iac_resource_id === null ? record : { ...record, iac_resource_id };
}

/** The resource as the contract's EnrichedResource. */
export function enrichedRecord(resource: EnrichedResource) {
  return {
    ...resourceRecord(resource),
    ...pickFields(resource, ['properties', 'enrichment_failure_reason', 'enriched_at']),
  };
}
