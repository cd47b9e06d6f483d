import { randomUUID } from 'node:crypto';
import { createDrift } from '../../engine/drift/index.ts';
import { NO_ORG_RULES } from '../../engine/rules/index.ts';
import type { StateInstance, StateValues } from '../../engine/state/index.ts';
import { createDriftPool, type DriftPool } from '../../server/adapters/drift-pool/index.ts';
import { toLiveResource } from '../../server/adapters/drift-pool/lives.ts';
import type { ComputedDrift, DriftLive, DriftState } from '../../server/adapters/drift-pool/types.ts';
import { unpackLines } from '../../server/adapters/state-pool/lines.ts';
import { createComputations } from '../../server/domains/drift/compute-service.ts';
import { insertItems, insertSet } from '../../server/domains/drift/items-store.ts';
import { createComparisons } from '../../server/domains/resources/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { measureMs } from '../lib/time.ts';
import { openScanDatabase, openScanProcess, runScan, type ScanDatabase, type ScanProcess } from '../scans/harness.ts';
import { BENCH_ACCOUNT } from './account-generator.ts';
import { createPairAdapter } from './pair-account.ts';
import { packState } from './snapshot-memory.ts';

const RESOURCES = 100_000;
const GOAL = 2;
const ACCOUNT = { provider: BENCH_ACCOUNT.provider, external_account_id: BENCH_ACCOUNT.external_account_id };

/** D5: a drift snapshot from reading the inventory to the stored items, beside its steps, each measured alone. */
export async function benchDriftSnapshot(): Promise<BenchRow[]> {
  const packed = await packState(RESOURCES);
  const database = await openScanDatabase();
  const scans = openScanProcess(database, createPairAdapter(RESOURCES));
  const pool = createDriftPool({ threads: 1, heap_mb: 1_152, time: { time_ms: 1_800_000, longest_ms: 1_800_000 } });
  try {
    const scan = await runScan(scans, database);
    const state = toState(packed);
    // Starts the thread and fills the caches of the database.
    const computed = await computeOnce({ scans, database, pool, state });
    const steps = await measureSteps({ scans, database, computed, state });
    await database.owner.query('update live_resources set iac_resource_id = null');
    const whole_ms = await measureMs(() => createAll({ scans, pool, state }).compute(database.org_id, scan));
    const sum_ms = steps.read + steps.join + steps.write;
    const note = `${whole_ms.toFixed(0)} ms; reading ${steps.read.toFixed(0)}, joining and comparing ${steps.join.toFixed(0)}, writing ${steps.write.toFixed(0)} ms`;
    return [
      toRatioRow({
        id: 'D5',
        what: `drift snapshot of ${RESOURCES} by ${RESOURCES} resources`,
        ratio: whole_ms / sum_ms,
        limit: GOAL,
        comparison: 'the sum of its steps',
        note,
      }),
    ];
  } finally {
    await Promise.all([scans.close(), pool.close()]);
    await database.close();
  }
}

interface Parts {
  scans: ScanProcess;
  database: ScanDatabase;
  pool: DriftPool;
  state: DriftState;
  computed: ComputedDrift;
}

function toState(packed: Uint8Array): DriftState {
  const facts = { source_id: newId(), display_name: 'state', parse_failure_count: 0, problem: null };
  return { ...facts, read: async () => packed };
}

function createAll({ scans, pool, state }: Pick<Parts, 'scans' | 'pool' | 'state'>) {
  return createComputations({
    ...scans.foundation,
    ignoreRules: { listLive: async () => [] },
    ruleBooks: { get: async () => ({ rules: NO_ORG_RULES, noise_key: Buffer.alloc(32, 7) }) },
    scans: scans.scans.drift,
    accounts: { get: async () => ACCOUNT },
    states: { collect: async () => [state] },
    inventory: createComparisons(scans.foundation),
    computeDrift: pool.computeDrift,
    onSnapshot: async () => {},
    offerNarrative: async (_org_id, snapshot) => snapshot,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
}

async function computeOnce({ scans, database, pool, state }: Omit<Parts, 'computed'>): Promise<ComputedDrift> {
  const comparisons = createComparisons(scans.foundation);
  const { org_id, account_id } = database;
  return pool.computeDrift(org_id, {
    account: ACCOUNT,
    states: [state],
    live: comparisons.readLive(org_id, account_id),
    ledger: await comparisons.readLedger(org_id, account_id),
    ignore_rules: [],
    rules: NO_ORG_RULES,
    noise_key: Buffer.alloc(32, 7),
    previous: (async function* () {})(),
    now: new Date(),
  });
}

async function measureSteps(parts: Omit<Parts, 'pool'>): Promise<{ read: number; join: number; write: number }> {
  const held: (StateInstance & StateValues)[] = [];
  const found: DriftLive[] = [];
  const read = await measureMs(() => readAll(parts, held, found));
  const join = await measureMs(() => {
    const computation = createDrift({ account: BENCH_ACCOUNT, now: new Date().toISOString() });
    for (const one of held) computation.addInstance(one, one);
    for (const one of found) computation.addLive(toLiveResource(one, 'aws'));
    computation.end();
  });
  const write = await measureMs(() => writeAll(parts));
  return { read, join, write };
}

async function readAll(
  { scans, database, state }: Omit<Parts, 'pool' | 'computed'>,
  held: (StateInstance & StateValues)[],
  found: DriftLive[],
): Promise<void> {
  const packed = await state.read?.();
  for await (const line of unpackLines(packed ?? new Uint8Array())) if (line !== '') held.push(JSON.parse(line));
  const comparisons = createComparisons(scans.foundation);
  for await (const page of comparisons.readLive(database.org_id, database.account_id)) found.push(...page);
}

/** In transactions as the service has them: one for each batch of items, and one for all matches. */
async function writeAll({ scans, database, computed }: Omit<Parts, 'pool' | 'state'>): Promise<void> {
  const { db } = scans.foundation;
  const { org_id, account_id: cloud_account_id } = database;
  const id = newId();
  const set = { id, cloud_account_id, content_hash: randomHash(), item_count: computed.item_count };
  await db.inOrg(org_id, (trx) => insertSet(trx, org_id, { ...set, created_at: new Date() }));
  for (const rows of computed.items) await db.inOrg(org_id, (trx) => insertItems(trx, org_id, id, rows));
  const comparisons = createComparisons(scans.foundation);
  await db.inOrg(org_id, async (trx) => {
    for (const matched of computed.matches) await comparisons.recordMatches(trx, org_id, matched);
  });
}

function randomHash(): Uint8Array {
  return Buffer.from(randomUUID().replaceAll('-', '').repeat(2), 'hex');
}
