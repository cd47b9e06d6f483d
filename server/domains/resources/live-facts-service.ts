import type { KnownLive, LinkCandidate } from '../../../engine/index.ts';
import type { ExposedAccountLives, ListedLive, PlanPool } from '../../adapters/plan-pool/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { LinkedRow } from './live-facts-store.ts';
import * as store from './live-facts-store.ts';
import { openListed } from './seals.ts';
import type { DriftCandidate, FoundLink, PlanDriftItem, PlanDriftReader } from './types.ts';

/** openapi.yaml, LiveDrift.paths */
const MAX_PATHS = 20;
/** Resources that a plan changes beyond this size of their properties are not judged. */
const MOST_BYTES = 16 * 1_048_576;

/** Judges on a thread which resources are public, by their IDs; empty if that takes too much time or memory. */
export type FindExposures = PlanPool['findExposures'];

/** Resources of one account, and those that decide whether they are public. */
interface AccountLives extends ExposedAccountLives {
  resources: ListedLive[];
  neighbors: ListedLive[];
}

export interface LiveFactsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  planDrift: Pick<PlanDriftReader, 'listOfPlan'>;
  findExposures: FindExposures;
}

/** What scans know about the resources of a plan. */
export interface LiveKnowledge {
  /** By ID of the change. */
  facts: [change_id: string, KnownLive][];
  items: PlanDriftItem[];
}

/** Looks up drift and exposure of the resources of a plan: a fixed number of statements, whatever the size of either. */
export function createLiveFacts({ db, sealer, now, planDrift, findExposures }: LiveFactsDeps) {
  async function find(
    org_id: string,
    candidates: readonly LinkCandidate[],
    links: readonly FoundLink[],
  ): Promise<LiveKnowledge> {
    if (candidates.length === 0) return { facts: [], items: [] };
    const as_of = now().toISOString();
    const [items, exposed] = await Promise.all([findItems(org_id, candidates), findExposed(org_id, links)]);
    const drifted = new Map(items.map((item) => [item.change_id, item]));
    const facts = candidates.flatMap(({ change_id }): LiveKnowledge['facts'] => {
      const item = drifted.get(change_id);
      const exposure = exposed.get(change_id) ?? null;
      if (item === undefined && exposure === null) return [];
      return [[change_id, { as_of, drift: item === undefined ? null : toDrift(item), exposure }]];
    });
    return { facts, items };
  }

  async function findItems(org_id: string, candidates: readonly LinkCandidate[]): Promise<PlanDriftItem[]> {
    const rows = candidates.flatMap(({ change_id, type, address, previous_address, ids, gone_ids }): DriftCandidate[] =>
      [...ids, ...gone_ids].map((id) => ({ change_id, type, address, previous_address, id })),
    );
    return rows.length === 0 ? [] : planDrift.listOfPlan(org_id, rows);
  }

  async function findExposed(org_id: string, links: readonly FoundLink[]) {
    const found = new Map<string, KnownLive['exposure']>();
    if (links.length === 0) return found;
    const ids = [...new Set(links.map(({ live_resource_id }) => live_resource_id))];
    const rows = takeFirst(await db.readInOrg(org_id, (read) => store.listLinked(read, org_id, ids)));
    if (rows.length === 0) return found;
    const own = rows.map((row) => ({ row, live: open(org_id, row) }));
    const sought = { ids: listNeighborIds(own), types: NEIGHBOR_TYPES };
    const neighbors =
      sought.ids.length === 0
        ? []
        : takeFirst(await db.readInOrg(org_id, (read) => store.listNeighbors(read, org_id, sought)));
    const others = neighbors.map((row) => ({ row, live: open(org_id, row) }));
    const exposures = await findExposures(org_id, groupByAccount(own, others));
    const by_id = new Map(rows.map((row) => [row.id, row]));
    for (const { change_id, live_resource_id } of links) {
      const [exposure, row] = [exposures[live_resource_id], by_id.get(live_resource_id)];
      if (exposure === undefined || row === undefined) continue;
      const { last_seen_at, later_scan_failed } = row;
      found.set(change_id, { ...exposure, seen_at: last_seen_at.toISOString(), later_scan_failed });
    }
    return found;
  }

  function open(org_id: string, row: LinkedRow): ListedLive {
    const { id, provider_type, provider_resource_id, region, name, tags, aliases, listed_ct } = row;
    const properties = openListed(sealer, { org_id, id, listed_ct }).toString();
    return { id, provider_type, provider_resource_id, region, name, tags, aliases, properties };
  }

  return { find };
}

export type LiveFactsFinder = ReturnType<typeof createLiveFacts>;

interface Opened {
  row: LinkedRow;
  live: ListedLive;
}

const GROUP_TYPE = 'AWS::EC2::SecurityGroup';
const BUCKET_TYPES: readonly string[] = ['AWS::S3::Bucket', 'AWS::S3::BucketPolicy'];
const NEIGHBOR_TYPES = [GROUP_TYPE, ...BUCKET_TYPES];
const GROUP_ID = /\bsg-[0-9a-f]{8,17}\b/g;

/** Security groups that the properties mention, and the policies of buckets; the engine decides which of them count. */
function listNeighborIds(resources: readonly Opened[]): string[] {
  const ids = resources.flatMap(({ live: { provider_type, provider_resource_id, properties } }) => {
    if (BUCKET_TYPES.includes(provider_type)) return [provider_resource_id];
    if (!provider_type.startsWith('AWS::') || provider_type === GROUP_TYPE) return [];
    return properties?.match(GROUP_ID) ?? [];
  });
  return [...new Set(ids)];
}

function groupByAccount(resources: readonly Opened[], neighbors: readonly Opened[]): AccountLives[] {
  const accounts = new Map<string, AccountLives>();
  for (const { row, live } of resources) {
    const { cloud_account_id, provider, external_account_id } = row;
    const known = accounts.get(cloud_account_id);
    if (known !== undefined) known.resources.push(live);
    else
      accounts.set(cloud_account_id, {
        account: { provider, external_account_id },
        resources: [live],
        neighbors: [],
      });
  }
  for (const { row, live } of neighbors) accounts.get(row.cloud_account_id)?.neighbors.push(live);
  return [...accounts.values()];
}

function takeFirst(rows: readonly LinkedRow[]): LinkedRow[] {
  let left = MOST_BYTES;
  return rows.filter(({ listed_ct }) => {
    left -= listed_ct.byteLength;
    return left >= 0;
  });
}

function toDrift({ attributes, attributes_total, ...item }: PlanDriftItem): NonNullable<KnownLive['drift']> {
  const { drift_item_id, scan_run_id, drift_type, certainty, later_scan_failed } = item;
  return {
    ...{ drift_item_id, scan_run_id, drift_type, certainty, later_scan_failed },
    first_detected_at: item.first_detected_at.toISOString(),
    scanned_at: item.scanned_at.toISOString(),
    paths: attributes.slice(0, MAX_PATHS).map(({ path }) => path),
    paths_total: attributes_total,
    attributes,
  };
}
