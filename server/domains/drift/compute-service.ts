import type { ComputedDrift, DriftFacts, DriftInput, DriftLive, DriftState } from '../../adapters/drift-pool/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { Conflict, Unavailable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { IgnoreRules } from './ignore-rules-service.ts';
import * as items from './items-store.ts';
import { deleteRequest } from './requests-store.ts';
import * as store from './snapshots-store.ts';
import type { ComputeDrift, StoredSnapshot } from './types.ts';

/** A computation whose process died can be taken over after this time. */
const CLAIM_MS = 30_000;
const RENEW_MS = 10_000;
const POLL_MS = 200;
/** How long a second call waits for the first. */
const WAIT_MS = 30_000;
const KEYS_AT_ONCE = 5_000;

/** A scan as a computation needs it. */
export interface DriftScan {
  id: string;
  cloud_account_id: string;
  status: 'pending' | 'running' | 'done' | 'error';
}

/** A comparison with the narrative to store. */
type Narrated = ComputedDrift & Pick<StoredSnapshot, 'narrative_status' | 'rules_narrative' | 'rules_risk_level'>;

/** What a scan shows of its drift. */
export interface ScanDrift extends Pick<DriftFacts, 'drift_status' | 'changed_count' | 'missing_count'> {
  new_count: number;
  narrative_status: StoredSnapshot['narrative_status'];
}

export interface ComputationsDeps extends Pick<ServiceDeps, 'db' | 'now' | 'log'> {
  ignoreRules: Pick<IgnoreRules, 'listLive'>;
  ruleBooks: { get(org_id: string): Promise<Pick<DriftInput, 'rules' | 'noise_key'>> };
  scans: {
    /** @throws NotFound, also for a run that is no scan of a cloud account */
    getCloudScan(org_id: string, id: string): Promise<DriftScan>;
    /** Stores the outcome with the scan. */
    recordDrift(trx: Db, org_id: string, id: string, outcome: ScanDrift): Promise<void>;
    recordDriftFailure(org_id: string, id: string): Promise<void>;
  };
  accounts: { get(org_id: string, id: string): Promise<DriftInput['account']> };
  states: {
    /** Fetches what is stale, and returns the states of an account and those without an account. */
    collect(org_id: string, account_id: string): Promise<DriftState[]>;
  };
  inventory: {
    readLive(org_id: string, account_id: string): AsyncIterable<readonly DriftLive[]>;
    readLedger(org_id: string, account_id: string): Promise<DriftInput['ledger']>;
    /** @param matches JSON text of an array of `{ id, iac_resource_id }` */
    recordMatches(trx: Db, org_id: string, matches: string): Promise<void>;
  };
  computeDrift: ComputeDrift;
  /** Called in the transaction that stores a snapshot. */
  onSnapshot: (trx: Db, snapshot: { org_id: string; id: string }) => Promise<void>;
  /** Called after a snapshot was stored. @returns the snapshot as it then is */
  offerNarrative: (org_id: string, snapshot: StoredSnapshot) => Promise<StoredSnapshot>;
  wait: (ms: number) => Promise<unknown>;
}

/** Computes the drift of scans; of any number of concurrent calls for a scan, in any process, one computes. */
export function createComputations(deps: ComputationsDeps) {
  const { db, now, log, ignoreRules, ruleBooks, scans, accounts, states, inventory, computeDrift, wait } = deps;

  /**
   * Compares a scan with the states, and stores the result as the scan's latest snapshot.
   *
   * @throws NotFound; Conflict `scan_not_done`; Unavailable if another computation of the scan does not end in time
   */
  async function compute(org_id: string, scan_run_id: string): Promise<StoredSnapshot> {
    const scan = await scans.getCloudScan(org_id, scan_run_id);
    if (scan.status !== 'done') throw notDone(scan);
    const claim = { org_id, scan_run_id, token: newId() };
    const claimed = await db.inOrg(org_id, (trx) => store.claim(trx, claim, now(), claimEnd()));
    return claimed ? announce(org_id, await computeClaimed(claim, scan)) : join(org_id, scan);
  }

  /** What follows from a snapshot cannot undo it. */
  async function announce(org_id: string, snapshot: StoredSnapshot): Promise<StoredSnapshot> {
    try {
      return await deps.offerNarrative(org_id, snapshot);
    } catch (err) {
      log.warn({ err, org_id, drift_snapshot_id: snapshot.id }, 'what follows a drift snapshot failed');
      return snapshot;
    }
  }

  /** Waits for the computation of another caller, and returns its snapshot. */
  async function join(org_id: string, { id }: DriftScan): Promise<StoredSnapshot> {
    const started_at = now();
    const first = await findClaim(org_id, id);
    for (let running = first; running !== undefined && running.claim === first?.claim; ) {
      if (running.claim_until <= now()) return compute(org_id, id);
      if (now().getTime() - started_at.getTime() > WAIT_MS) throw stillComputing();
      await wait(POLL_MS);
      running = await findClaim(org_id, id);
    }
    const snapshot = await db.readInOrg(org_id, (read) => store.findOfScan(read, org_id, id));
    if (snapshot === undefined || (first !== undefined && snapshot.created_at < started_at)) return compute(org_id, id);
    return snapshot;
  }

  function findClaim(org_id: string, scan_run_id: string) {
    return db.readInOrg(org_id, (read) => store.findClaim(read, org_id, scan_run_id));
  }

  async function computeClaimed(claim: store.ComputationClaim, scan: DriftScan): Promise<StoredSnapshot> {
    const stopRenewing = keepRenewing(claim);
    try {
      const previous = await findPrevious(claim.org_id, scan.cloud_account_id);
      const computed = await compare(claim.org_id, scan, previous);
      const items_id = await storeItems(claim.org_id, scan, computed, previous);
      return await save(
        claim,
        scan,
        narrate(computed, items_id === previous?.items_id ? previous : undefined),
        items_id,
      );
    } catch (error) {
      await db.inOrg(claim.org_id, (trx) => store.release(trx, claim));
      await scans.recordDriftFailure(claim.org_id, scan.id);
      throw error;
    } finally {
      stopRenewing();
    }
  }

  async function compare(
    org_id: string,
    scan: DriftScan,
    before: store.PreviousSnapshot | undefined,
  ): Promise<ComputedDrift> {
    const { cloud_account_id } = scan;
    const [account, collected, ledger, ignore_rules, { rules, noise_key }] = await Promise.all([
      accounts.get(org_id, cloud_account_id),
      states.collect(org_id, cloud_account_id),
      inventory.readLedger(org_id, cloud_account_id),
      ignoreRules.listLive(org_id),
      ruleBooks.get(org_id),
    ]);
    const live = inventory.readLive(org_id, cloud_account_id);
    const previous = readKeys(org_id, scan.id, before);
    const accepted = { ignore_rules, rules, noise_key };
    return computeDrift(org_id, { account, states: collected, live, ledger, ...accepted, previous, now: now() });
  }

  /** A computation of the same scan has read the cloud no second time. */
  async function* readKeys(org_id: string, scan_id: string, before: store.PreviousSnapshot | undefined) {
    if (before === undefined) return;
    const { items_id } = before;
    const is_same_scan = before.scan_run_id === scan_id;
    for (let from = 0; ; from += KEYS_AT_ONCE) {
      const keys = await db.readInOrg(org_id, (read) => items.listKeys(read, org_id, items_id, from, KEYS_AT_ONCE));
      yield keys.map(({ stable_key, first_detected_at, certainty }) => ({
        stable_key: stable_key.toString('hex'),
        first_detected_at: first_detected_at.toISOString(),
        is_read_again: !is_same_scan || certainty === 'confirmed',
      }));
      if (keys.length < KEYS_AT_ONCE) return;
    }
  }

  function findPrevious(org_id: string, account_id: string) {
    return db.readInOrg(org_id, (read) => store.findPrevious(read, org_id, account_id));
  }

  /**
   * The set of these items: the previous one if it has the same. A new set is stored in several transactions, because
   * nothing shows it before its snapshot exists; the sweep deletes one that never gets a snapshot.
   */
  async function storeItems(
    org_id: string,
    { cloud_account_id }: DriftScan,
    { content_hash, item_count, items: batches }: ComputedDrift,
    previous: Awaited<ReturnType<typeof findPrevious>>,
  ): Promise<string> {
    if (previous !== undefined && Buffer.from(content_hash).equals(previous.content_hash)) return previous.items_id;
    const id = newId();
    const set = { id, cloud_account_id, content_hash, item_count, created_at: now() };
    await db.inOrg(org_id, (trx) => items.insertSet(trx, org_id, set));
    for (const rows of batches) await db.inOrg(org_id, (trx) => items.insertItems(trx, org_id, id, rows));
    return id;
  }

  async function save(
    claim: store.ComputationClaim,
    { id: scan_run_id, cloud_account_id }: DriftScan,
    computed: Narrated,
    items_id: string,
  ): Promise<StoredSnapshot> {
    const { org_id } = claim;
    const { content_hash: _hash, item_count: _count, items: _items, matches, ...facts } = computed;
    const snapshot: StoredSnapshot = {
      ...facts,
      id: newId(),
      scan_run_id,
      cloud_account_id,
      items_id,
      created_at: now(),
      skip_reason: null,
    };
    await db.inOrg(org_id, async (trx) => {
      if (!(await store.lockClaim(trx, claim))) throw takenOver();
      await items.touchSet(trx, org_id, items_id, snapshot.created_at);
      await store.insertSnapshot(trx, org_id, snapshot);
      for (const matched of matches) await inventory.recordMatches(trx, org_id, matched);
      await scans.recordDrift(trx, org_id, scan_run_id, toScanDrift(snapshot));
      await deleteRequest(trx, { org_id, id: scan_run_id });
      await deps.onSnapshot(trx, { org_id, id: snapshot.id });
      await store.release(trx, claim);
    });
    return snapshot;
  }

  /** A missed renewal is harmless: only a claim that another process has taken stops this one, when it saves. */
  function keepRenewing(claim: store.ComputationClaim): () => void {
    const timer = setInterval(() => {
      db.inOrg(claim.org_id, (trx) => store.renew(trx, claim, claimEnd())).catch((err: unknown) =>
        log.warn({ err, scan_run_id: claim.scan_run_id }, 'claim of a drift computation not renewed'),
      );
    }, RENEW_MS);
    return () => clearInterval(timer);
  }

  function claimEnd(): Date {
    return new Date(now().getTime() + CLAIM_MS);
  }

  return { compute };
}

export type Computations = ReturnType<typeof createComputations>;

function toScanDrift({ extra_count: new_count, ...facts }: StoredSnapshot): ScanDrift {
  const { drift_status, changed_count, missing_count, narrative_status } = facts;
  return { drift_status, new_count, changed_count, missing_count, narrative_status };
}

/** A model that explained exactly this drift is not asked again. */
function narrate(computed: ComputedDrift, previous: store.PreviousSnapshot | undefined): Narrated {
  const { narrative: rules_narrative, risk_level: rules_risk_level } = computed;
  const by_rules = { ...computed, rules_narrative, rules_risk_level, narrative_status: 'fallback' } as const;
  if (previous?.narrative_status !== 'ready' || previous.rules_narrative !== rules_narrative) return by_rules;
  if (previous.rules_risk_level !== rules_risk_level || previous.narrative === null) return by_rules;
  const { narrative, risk_level } = previous;
  return { ...by_rules, narrative, risk_level, narrative_status: 'ready' };
}

function notDone({ status }: DriftScan): Conflict {
  const what = status === 'error' ? 'failed; start another one' : `is ${status}; wait until it has ended`;
  return new Conflict(`the scan ${what}`, 'scan_not_done', { reason: `the scan is ${status}` });
}

function stillComputing(): Unavailable {
  return new Unavailable('another computation of this drift is running; try again');
}

function takenOver(): Unavailable {
  return new Unavailable('another process has taken over this computation; try again');
}
