import { randomUUID } from 'node:crypto';
import { createBrotliCompress, constants as zlib } from 'node:zlib';
import { NO_ORG_RULES } from '../../engine/rules/index.ts';
import { createDriftPool } from '../../server/adapters/drift-pool/index.ts';
import type { DriftInput, DriftLive } from '../../server/adapters/drift-pool/types.ts';
import type { BenchRow } from '../lib/row.ts';
import { BENCH_ACCOUNT, makePair, toHeld } from './account-generator.ts';

const RESOURCES = Number(process.env['DRIFT_RESOURCES'] ?? 1_000_000);
/** Resources that the inventory gives to a thread at once. */
const PAGE = 500;
/** For 1,000,000 resources. */
const LIMIT_MB = 1_500;
const SAMPLE_MS = 50;
/** As the service has it by default. */
const HEAP_MB = 1_152;

/** D4: memory of a process that compares so many resources of a state with as many of an account on a thread. */
export async function benchDriftMemory(): Promise<BenchRow[]> {
  const packed = await packState();
  const time = { time_ms: 1_800_000, longest_ms: 1_800_000 };
  const pool = createDriftPool({ threads: 1, heap_mb: HEAP_MB, time });
  const started = performance.now();
  const rss = sampleRss();
  try {
    const computed = await pool.computeDrift('bench', toInput(packed));
    const seconds = (performance.now() - started) / 1_000;
    const peak_mb = rss.stop();
    const { matched_count, changed_count, missing_count, extra_count } = computed;
    const limit = (LIMIT_MB * RESOURCES) / 1_000_000;
    return [
      {
        id: 'D4',
        what: `drift of ${RESOURCES} by ${RESOURCES} resources`,
        measured: peak_mb,
        limit,
        unit: 'MB',
        goal: `≤ ${limit.toFixed(0)} MB of the whole process`,
        passed: peak_mb <= limit,
        note: `${seconds.toFixed(0)} s, ${matched_count} matched, ${changed_count} changed, ${missing_count} missing, ${extra_count} new`,
      },
    ];
  } finally {
    rss.stop();
    await pool.close();
  }
}

function sampleRss() {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, SAMPLE_MS);
  return {
    stop(): number {
      clearInterval(timer);
      return peak / 1e6;
    },
  };
}

/** The copy of the state, as it is stored. */
export async function packState(count = RESOURCES): Promise<Uint8Array> {
  const stream = createBrotliCompress({ params: { [zlib.BROTLI_PARAM_QUALITY]: 3 } });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject));
  for (let i = 0; i < count; i += 1) {
    const held = toHeld(makePair(i));
    if (held === undefined) continue;
    if (!stream.write(`${JSON.stringify({ ...held.instance, ...held.values })}\n`))
      await new Promise((resolve) => stream.once('drain', resolve));
  }
  stream.end();
  await ended;
  return Buffer.concat(chunks);
}

function toInput(packed: Uint8Array): DriftInput {
  const { parts, unread, ...account } = BENCH_ACCOUNT;
  const state = { source_id: randomUUID(), display_name: 'state', parse_failure_count: 0, problem: null };
  return {
    account,
    ledger: { parts, unread },
    states: [{ ...state, read: async () => packed }],
    live: pages(),
    previous: (async function* () {})(),
    ignore_rules: [],
    rules: NO_ORG_RULES,
    noise_key: Buffer.alloc(32, 7),
    now: new Date(),
  };
}

async function* pages(): AsyncIterable<readonly DriftLive[]> {
  for (let from = 0; from < RESOURCES; from += PAGE) {
    const page: DriftLive[] = [];
    for (let i = from; i < Math.min(from + PAGE, RESOURCES); i += 1) {
      const { live } = makePair(i);
      if (live === null) continue;
      const { is_complete: _, properties, ...listed } = live;
      page.push({
        ...listed,
        id: randomUUID(),
        normalized_type: 'other',
        iac_resource_id: null,
        properties: JSON.stringify(properties),
      });
    }
    yield page;
  }
}
