import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { packageRoot } from '../../server/lib/package-root.ts';
import { CLI } from '../lib/process.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { measureUsage, PARSE_FILE, type Usage } from '../lib/usage.ts';
import { generateState } from './state-generator.ts';

const RESOURCES = { '50 MB': 18_500, '100 MB': 37_000, '200 MB': 74_000 } as const;
const ALLOWANCE_MB = 150;
/**
 * Limits of each figure: CPU, and the peak at 200 MB compared with that at 50 MB. The garbage collector does not run at
 * the same points. Searching every text for secrets takes most of the time of S2, and the secrets that it collects, whose
 * number is limited, some memory.
 */
const LIMITS = { S1: { cpu: 1.5, flat: 1.2 }, S2: { cpu: 5, flat: 1.3 } } as const;

/** S1 and S2: a state on disk, counted by the command, and read with all values and without secrets by the engine. */
export async function benchState(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-'));
  try {
    const paths: string[] = [];
    for (const resources of Object.values(RESOURCES)) {
      const path = join(folder, `${resources}.json`);
      await pipeline(Readable.from(generateState(resources)), createWriteStream(path));
      paths.push(path);
    }
    const bare = measureUsage(['-e', '0']);
    const parsed = measureUsage(['-e', PARSE_FILE, paths[1]!]);
    return [
      ...toRows('S1', 'dpa state inspect', { bare, parsed, used: measureAll(paths, [CLI, 'state', 'inspect']) }),
      ...toRows('S2', 'all values without secrets', { bare, parsed, used: measureAll(paths, ['-e', READ_VALUES]) }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function measureAll(paths: string[], args: string[]): Usage[] {
  return paths.map((path) => measureUsage([...args, path]));
}

function toRows(
  id: keyof typeof LIMITS,
  what: string,
  measured: { bare: Usage; parsed: Usage; used: Usage[] },
): BenchRow[] {
  const { bare, parsed } = measured;
  const [small, middle, large] = measured.used as [Usage, Usage, Usage];
  const limit = bare.peak_mb + ALLOWANCE_MB;
  const sizes = Object.keys(RESOURCES).map((size, i) => `${size}: ${measured.used[i]!.peak_mb.toFixed(0)} MB`);
  const time_ms = middle.cpu_ms - bare.cpu_ms;
  return [
    {
      id,
      what: `${what}, 100 MB, peak memory`,
      limit,
      measured: middle.peak_mb,
      unit: 'MB',
      goal: `≤ bare node + ${ALLOWANCE_MB} MB`,
      passed: middle.peak_mb <= limit,
      note: sizes.join(', '),
    },
    toRatioRow({
      id,
      what: `${what}, 200 MB, peak memory`,
      ratio: large.peak_mb / small.peak_mb,
      limit: LIMITS[id].flat,
      comparison: 'the peak at 50 MB',
    }),
    toRatioRow({
      id,
      what: `${what}, 100 MB, CPU`,
      ratio: time_ms / (parsed.cpu_ms - bare.cpu_ms),
      limit: LIMITS[id].cpu,
      comparison: 'reading and JSON.parse of the same file',
      note: `${time_ms.toFixed(0)} ms`,
    }),
  ];
}

const ENGINE = join(packageRoot(), 'dist/engine/state/index.js');
/** Reads the values of every instance in chunks of 64 KiB. */
const READ_VALUES = `import(${JSON.stringify(ENGINE)}).then(async ({ createStateReader }) => {
  const reader = createStateReader({ instance: (_facts, readValues) => readValues() });
  for await (const chunk of require('node:fs').createReadStream(process.argv[1])) reader.write(chunk);
  reader.end();
})`;
