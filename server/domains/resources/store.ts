import type { Db } from '../../db/index.ts';
import { COLUMNS } from './list-store.ts';
import type { EnrichmentStatus, LiveResource } from './types.ts';

/** A resource as it is stored, with its encrypted properties. */
export interface StoredResource extends LiveResource {
  properties_ct: Buffer | null;
  enrichment_failure_reason: string | null;
  enriched_at: Date | null;
  enrich_tried_at: Date | null;
  enrich_claim_until: Date | null;
}

/** Proves that this process asks the cloud about a resource. */
export interface EnrichClaim {
  org_id: string;
  id: string;
  token: string;
}

/** The result of one question. */
export interface Enrichment {
  enrichment_status: EnrichmentStatus;
  enrichment_failure_reason: string | null;
  /** Omitted if the stored properties stay. */
  properties_ct?: Buffer;
  enriched_at?: Date;
}

/** A resource that exists, of an account that exists. */
export async function findResource(db: Db, orgId: string, id: string): Promise<StoredResource | undefined> {
  return db('live_resources as r')
    .join('cloud_accounts as a', (same) => same.on('a.org_id', 'r.org_id').andOn('a.id', 'r.cloud_account_id'))
    .where({ 'r.org_id': orgId, 'r.id': id })
    .whereNull('r.gone_at')
    .whereNull('a.deleted_at')
    .first(
      ...COLUMNS.map((column) => `r.${column}`),
      'r.properties_ct',
      'r.enrichment_failure_reason',
      'r.enriched_at',
      'r.enrich_tried_at',
      'r.enrich_claim_until',
    );
}

/** Claims a resource about which nobody asks, or whose process died. */
export async function claimEnrichment(
  db: Db,
  { org_id, id, token }: EnrichClaim,
  now: Date,
  until: Date,
): Promise<boolean> {
  const claimed = await db('live_resources')
    .where({ org_id, id })
    .where((free) => free.whereNull('enrich_claim').orWhere('enrich_claim_until', '<=', now))
    .update({ enrich_claim: token, enrich_claim_until: until });
  return claimed === 1;
}

/** Stores what the cloud answered, unless another process has taken over. */
export async function finishEnrichment(
  db: Db,
  { org_id, id, token }: EnrichClaim,
  found: Enrichment & { enrich_tried_at: Date },
): Promise<void> {
  await db('live_resources')
    .where({ org_id, id, enrich_claim: token })
    .update({ ...found, enrich_claim: null, enrich_claim_until: null });
}

/** Ends a question without an answer. */
export async function releaseEnrichment(db: Db, { org_id, id, token }: EnrichClaim): Promise<void> {
  await db('live_resources')
    .where({ org_id, id, enrich_claim: token })
    .update({ enrich_claim: null, enrich_claim_until: null });
}

/** Marks a resource of a cloud whose resources cannot be enriched. */
export async function markNotEnrichable(db: Db, orgId: string, id: string): Promise<void> {
  await db('live_resources')
    .where({ org_id: orgId, id })
    .whereNot('enrichment_status', 'n/a')
    .update({ enrichment_status: 'n/a', enrichment_failure_reason: null });
}
