import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound, ServiceError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { CloudAccounts } from '../cloud-accounts/index.ts';
import { enrichedRecord } from './record.ts';
import { propertySeals } from './seals.ts';
import * as store from './store.ts';
import type { EnrichedResource } from './types.ts';

/** Properties that are not older are shown without asking the cloud again. */
const FRESH_MS = 15 * 60_000;
/** Longer than the cloud is given to answer. */
const CLAIM_MS = 30_000;
const POLL_MS = 200;

export interface EnricherDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  accounts: Pick<CloudAccounts, 'readResource'>;
  wait: (ms: number) => Promise<unknown>;
}

/** Reads all properties of resources; of any number of concurrent requests, in any process, one asks the cloud. */
export function createEnricher({ db, sealer, accounts, wait, now }: EnricherDeps) {
  const running = new Map<string, Promise<EnrichedResource>>();

  /**
   * The resource with its properties, of the last 15 minutes. Google Cloud and Azure are not asked: their listings show
   * the properties.
   *
   * @throws NotFound; ServiceError 422 `enrichment_failed` with the resource, which is marked as failed; 503 if the cloud
   *   gives no usable response, which changes nothing
   */
  function enrich(org_id: string, id: string): Promise<EnrichedResource> {
    const key = `${org_id}/${id}`;
    const present = running.get(key);
    if (present !== undefined) return present;
    const started = start(org_id, id).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  }

  async function start(org_id: string, id: string): Promise<EnrichedResource> {
    const resource = await get(org_id, id);
    if (resource.provider !== 'aws') {
      await db.inOrg(org_id, (trx) => store.markNotEnrichable(trx, org_id, id));
      return show(org_id, await get(org_id, id));
    }
    if (isFresh(resource)) return show(org_id, resource);
    const claim = { org_id, id, token: newId() };
    const until = new Date(now().getTime() + CLAIM_MS);
    const claimed = await db.inOrg(org_id, (trx) => store.claimEnrichment(trx, claim, now(), until));
    return claimed ? ask(claim, resource) : join(org_id, resource);
  }

  async function get(org_id: string, id: string): Promise<store.StoredResource> {
    return assertFound(await db.readInOrg(org_id, (read) => store.findResource(read, org_id, id)));
  }

  async function ask(claim: store.EnrichClaim, resource: store.StoredResource): Promise<EnrichedResource> {
    const { org_id, id } = claim;
    try {
      const found = await accounts.readResource(org_id, resource.cloud_account_id, resource);
      const enrichment =
        'failure' in found
          ? { enrichment_status: 'failed' as const, enrichment_failure_reason: found.failure }
          : {
              enrichment_status: 'enriched' as const,
              enrichment_failure_reason: null,
              properties_ct: propertySeals(sealer, org_id, id).seal(found.properties),
              enriched_at: now(),
            };
      await db.inOrg(org_id, (trx) => store.finishEnrichment(trx, claim, { ...enrichment, enrich_tried_at: now() }));
    } catch (error) {
      await db.inOrg(org_id, (trx) => store.releaseEnrichment(trx, claim));
      throw error;
    }
    return answer(org_id, await get(org_id, id));
  }

  /** Waits for the question of another process, and answers as it did; asks itself if that had no answer. */
  async function join(org_id: string, { id, enrich_tried_at }: store.StoredResource): Promise<EnrichedResource> {
    for (;;) {
      const resource = await get(org_id, id);
      if (resource.enrich_tried_at?.getTime() !== enrich_tried_at?.getTime()) return answer(org_id, resource);
      if (resource.enrich_claim_until === null || resource.enrich_claim_until <= now()) return start(org_id, id);
      await wait(POLL_MS);
    }
  }

  function answer(org_id: string, resource: store.StoredResource): EnrichedResource {
    const shown = show(org_id, resource);
    if (shown.enrichment_status === 'failed') throw enrichmentFailed(shown);
    return shown;
  }

  function show(org_id: string, { properties_ct, ...resource }: store.StoredResource): EnrichedResource {
    const properties = properties_ct === null ? null : propertySeals(sealer, org_id, resource.id).open(properties_ct);
    return { ...resource, properties };
  }

  function isFresh({ enrichment_status, enriched_at }: store.StoredResource): boolean {
    if (enrichment_status !== 'enriched' || enriched_at === null) return false;
    return now().getTime() - enriched_at.getTime() < FRESH_MS;
  }

  return { enrich };
}

function enrichmentFailed(resource: EnrichedResource): ServiceError {
  const message = resource.enrichment_failure_reason ?? 'the properties of the resource could not be read';
  return new ServiceError(422, 'enrichment_failed', message, { body: { resource: enrichedRecord(resource) } });
}
