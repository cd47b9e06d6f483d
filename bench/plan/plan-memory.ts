import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { packageRoot } from '../../server/lib/package-root.ts';
import { CLI } from '../lib/process.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { measureUsage, PARSE_FILE, type Usage } from '../lib/usage.ts';
import { generatePlan, generatePlanText } from './plan-generator.ts';

const RESOURCES = { '50 MB': 7500, '100 MB': 15_000, '200 MB': 30_000 } as const;
const ALLOWANCE_MB = 150;
/** Maximum ratio of two peaks that count as equal: the garbage collector does not run at the same points. */
const FLAT = 1.2;

/**
 * P4 and P5: memory of the CLI for a plan on disk, and memory of the engine beside a plan that is already in memory.
 */
export async function benchPlanMemory(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-'));
  try {
    return [...(await benchStreaming(folder)), await benchInProcess(folder)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchStreaming(folder: string): Promise<BenchRow[]> {
  const bare = measureUsage(['-e', '0']);
  const used = new Map<string, Usage>();
  for (const [size, resources] of Object.entries(RESOURCES)) {
    const path = join(folder, `${resources}.json`);
    await pipeline(Readable.from(generatePlan(resources)), createWriteStream(path));
    used.set(size, measureUsage([CLI, 'analyze', path]));
  }
  const parsed = measureUsage(['-e', PARSE_FILE, join(folder, `${RESOURCES['100 MB']}.json`)]);
  const [small, middle, large] = [...used.values()] as [Usage, Usage, Usage];
  const limit = bare.peak_mb + ALLOWANCE_MB;
  const time = (middle.cpu_ms - bare.cpu_ms) / (parsed.cpu_ms - bare.cpu_ms);
  const flat = large.peak_mb / small.peak_mb;
  return [
    {
      id: 'P4',
      what: 'dpa analyze of 100 MB, peak memory',
      limit,
      measured: middle.peak_mb,
      unit: 'MB',
      goal: `≤ bare node + ${ALLOWANCE_MB} MB`,
      passed: middle.peak_mb <= limit,
      note: [...used].map(([size, { peak_mb }]) => `${size}: ${peak_mb.toFixed(0)} MB`).join(', '),
    },
    toRatioRow({
      id: 'P4',
      what: 'dpa analyze of 200 MB, peak memory',
      ratio: flat,
      limit: FLAT,
      comparison: 'the peak at 50 MB',
    }),
    toRatioRow({
      id: 'P4',
      what: 'dpa analyze of 100 MB, CPU',
      ratio: time,
      limit: 1.5,
      comparison: 'reading and JSON.parse of the same file',
    }),
  ];
}

/** The plan is read into memory as a whole. The baseline is the same process after a plan of one resource. */
async function benchInProcess(folder: string): Promise<BenchRow> {
  const [tiny, plan] = [join(folder, 'tiny.json'), join(folder, 'plan.json')];
  const text = generatePlanText(750);
  await writeFile(tiny, generatePlanText(1));
  await writeFile(plan, text);
  const growth = measureUsage(['-e', ANALYZE, plan]).peak_mb - measureUsage(['-e', ANALYZE, tiny]).peak_mb;
  const megabytes = Buffer.byteLength(text) / 1_048_576;
  return toRatioRow({
    id: 'P5',
    what: 'analyzePlan of 5 MB, peak memory above idle',
    ratio: growth / megabytes,
    limit: 4,
    comparison: "the plan's bytes",
  });
}

const ENGINE = join(packageRoot(), 'dist/engine/index.js');
const ANALYZE = `import(${JSON.stringify(ENGINE)}).then(({ analyzePlan }) => analyzePlan(require('node:fs').readFileSync(process.argv[1])))`;
