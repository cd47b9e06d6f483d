import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../server/lib/package-root.ts';
import { CLI, measureCommandCpu, readProcessCpu, startServer } from '../lib/process.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { generatePlanText } from '../plan/plan-generator.ts';

const ROUNDS = 11;
const RESOURCES_OF_5_MB = 750;

/** C1 and C2: startup cost of the command in a CI step, and time until a new server responds. */
export async function benchColdStart(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-'));
  try {
    return [...(await benchCli(folder)), await benchServer(folder)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchCli(folder: string): Promise<BenchRow[]> {
  const [small, large] = [join(folder, 'small.json'), join(folder, 'large.json')];
  await writeFile(small, generatePlanText(1));
  await writeFile(large, generatePlanText(RESOURCES_OF_5_MB));
  const parse = `JSON.parse(require('fs').readFileSync(${JSON.stringify(large)}, 'utf8'))`;
  const cpu = measureMedianCpu({
    bare: ['-e', '0'],
    version: [CLI, '--version'],
    help: [CLI, '--help'],
    analyze: [CLI, 'analyze', small],
    cold: [CLI, 'analyze', '--format', 'json', large],
    parse: ['-e', parse],
  });
  const above = (what: string, measured: number, allowance_ms: number): BenchRow => ({
    id: 'C1',
    what,
    limit: cpu.bare + allowance_ms,
    measured,
    unit: 'ms',
    goal: `≤ bare node + ${allowance_ms} ms CPU`,
    passed: measured <= cpu.bare + allowance_ms,
    note: `bare node ${cpu.bare.toFixed(0)} ms`,
  });
  return [
    above('dpa --version', cpu.version, 60),
    above('dpa --help', cpu.help, 60),
    above('dpa analyze, one resource', cpu.analyze, 50),
    toColdRow(cpu.cold - cpu.version, cpu.parse),
  ];
}

/** A process that analyzes one plan: no code is compiled yet, and optimization on other threads of V8 counts. */
function toColdRow(ours: number, theirs: number): BenchRow {
  const ratio = ours / theirs;
  return toRatioRow({
    id: 'C1',
    what: 'dpa analyze --format json of 5 MB, minus the time of --version',
    ratio,
    limit: 2.5,
    comparison: 'bare node that reads and parses the file',
    note: `${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms CPU`,
  });
}

/** Runs the commands alternately, so that other load affects all of them. */
function measureMedianCpu<Name extends string>(commands: Record<Name, string[]>): Record<Name, number> {
  const names = Object.keys(commands) as Name[];
  const measured = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) measured.get(name)?.push(measureCommandCpu(commands[name]));
  }
  return Object.fromEntries(names.map((name) => [name, computeMedian(measured.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

async function benchServer(data_dir: string): Promise<BenchRow> {
  const imports = join(packageRoot(), 'dist/bench/service/imports.js');
  // The first start creates the database. The second is measured: only the CPU time of our process.
  await measureFirstAnswerCpu(data_dir);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(measureCommandCpu([imports]));
    ours.push(await measureFirstAnswerCpu(data_dir));
  }
  const ratio = computeMedian(ours) / computeMedian(theirs);
  return toRatioRow({
    id: 'C2',
    what: 'time from server start to the first 200 response',
    ratio,
    limit: 1.5,
    comparison: 'its imports + one validator compilation',
    note: `${computeMedian(ours).toFixed(0)} ms against ${computeMedian(theirs).toFixed(0)} ms CPU`,
  });
}

async function measureFirstAnswerCpu(data_dir: string): Promise<number> {
  const server = await startServer([CLI, 'serve', '--port', '0', '--role', 'api', '--data-dir', data_dir]);
  try {
    const response = await fetch(`${server.url}/api/v2/openapi.json`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the first request answered ${response.status}`);
    return readProcessCpu(server.pid);
  } finally {
    await server.stop();
  }
}
