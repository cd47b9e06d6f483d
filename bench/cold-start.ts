import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../server/lib/package-root.ts';
import { planText } from './plan-generator.ts';
import { CLI, cpuOfCommand, cpuOfProcess, median, startServer } from './process.ts';
import type { BenchRow } from './row.ts';

const ROUNDS = 9;
const CLI_ALLOWANCE_MS = 60;

/** C1 and C2: what a CI step pays before any work is done, and how soon a fresh server answers. */
export async function benchColdStart(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-'));
  try {
    return [...(await benchCli(folder)), await benchServer(folder)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchCli(folder: string): Promise<BenchRow[]> {
  const plan = join(folder, 'plan.json');
  await writeFile(plan, planText(1));
  const [bare, help, analyze]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(cpuOfCommand(['-e', '0']));
    help.push(cpuOfCommand([CLI, '--help']));
    analyze.push(cpuOfCommand([CLI, 'analyze', plan]));
  }
  const limit = median(bare) + CLI_ALLOWANCE_MS;
  const row = (what: string, measured: number): BenchRow => ({
    id: 'C1',
    what,
    limit,
    measured,
    unit: 'ms',
    goal: `≤ bare node + ${CLI_ALLOWANCE_MS} ms CPU`,
    passed: measured <= limit,
    note: `bare node ${median(bare).toFixed(0)} ms`,
  });
  return [row('dpa --help', median(help)), row('dpa analyze, one resource', median(analyze))];
}

async function benchServer(data_dir: string): Promise<BenchRow> {
  const imports = join(packageRoot(), 'dist/bench/imports.js');
  // The first start makes the database; what is counted is the CPU of our process alone, when there is one already.
  await cpuToFirstAnswer(data_dir);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(cpuOfCommand([imports]));
    ours.push(await cpuToFirstAnswer(data_dir));
  }
  const ratio = median(ours) / median(theirs);
  return {
    id: 'C2',
    what: 'server start to first 200',
    limit: 1,
    measured: ratio,
    unit: 'ratio',
    goal: '≤ 1.5 × its imports + one validator compilation',
    passed: ratio <= 1.5,
    note: `${median(ours).toFixed(0)} ms against ${median(theirs).toFixed(0)} ms CPU`,
  };
}

async function cpuToFirstAnswer(data_dir: string): Promise<number> {
  const server = await startServer([CLI, 'serve', '--port', '0', '--role', 'api', '--data-dir', data_dir]);
  try {
    const response = await fetch(`${server.url}/api/v2/openapi.json`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the first request answered ${response.status}`);
    return cpuOfProcess(server.pid);
  } finally {
    await server.stop();
  }
}
