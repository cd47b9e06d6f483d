/**
 * `npm run score -- <folder>`: compares the engine's verdicts with the labels of a folder of plans (LABELS.tsv or
 * CATALOG.tsv), or of the plans that the folder's `make/index.ts` writes (`npm run score -- test/score`). Flags:
 * `--json`; `--min-exact`, `--min-in-band`, `--min-dangerous`, `--min-key-addresses`, `--min-noise-precision`,
 * `--min-noise-recall` and `--max-false-alarms`, all in percent. Exits with 1 if a goal is missed or a secret is shown.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { compareLevels } from '../../engine/index.ts';
import { readLabels } from './score-labels.ts';
import { buildScorecard, computePercent, type PlanScore, type Scorecard, scorePlan } from './score-plan.ts';

const RATES = [
  'exact',
  'in_band',
  'dangerous',
  'false_alarms',
  'key_addresses',
  'noise_precision',
  'noise_recall',
] as const;
type RateName = (typeof RATES)[number];

/** A module that exports `writePlans(folder)`, which writes plan files and their LABELS.tsv. */
interface Maker {
  writePlans(folder: string): void;
}

async function scoreFolder(folder: string): Promise<PlanScore[]> {
  const maker = join(folder, 'make', 'index.ts');
  if (!existsSync(maker)) return scoreFiles(folder);
  const output_folder = mkdtempSync(join(tmpdir(), 'dpa-score-'));
  try {
    const { build } = await import('esbuild');
    const outfile = join(output_folder, 'make.mjs');
    await build({ entryPoints: [maker], bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
    ((await import(pathToFileURL(outfile).href)) as Maker).writePlans(output_folder);
    return scoreFiles(output_folder);
  } finally {
    rmSync(output_folder, { recursive: true });
  }
}

function scoreFiles(folder: string): PlanScore[] {
  return readLabels(folder).map((label) => scorePlan(readFileSync(join(folder, label.file)), label));
}

function printMisses(scores: readonly PlanScore[]): void {
  for (const { label, level, misses, reasons } of scores) {
    if (misses.length === 0) continue;
    console.log(
      `! ${label.file}: ${level ?? 'refused'}, expected ${label.expected || '-'}${describeDirection(level, label)}`,
    );
    for (const miss of misses) console.log(`    miss:   ${miss}`);
    if (label.why !== '') console.log(`    theirs: ${label.why}`);
    for (const reason of reasons) console.log(`    ours:   ${reason}`);
  }
}

function describeDirection(level: PlanScore['level'], { expected }: PlanScore['label']): string {
  if (level === null || expected === '' || level === expected) return '';
  return compareLevels(level, expected as typeof level) > 0 ? ' (too loud)' : ' (too quiet)';
}

function printProviders(scores: readonly PlanScore[]): void {
  const providers = [...new Set(scores.map(({ provider }) => provider))].sort();
  console.log(`\n${'provider'.padEnd(14)}${'plans'.padStart(6)}${RATES.map((name) => name.padStart(17)).join('')}`);
  for (const name of [...providers, 'all']) {
    const card = buildScorecard(name === 'all' ? scores : scores.filter(({ provider }) => provider === name));
    console.log(
      `${name.padEnd(14)}${String(card.plans).padStart(6)}${RATES.map((rate) => formatCell(card, rate)).join('')}`,
    );
  }
  console.log(`\nsecrets leaked: ${buildScorecard(scores).secrets_leaked}`);
}

function formatCell(card: Scorecard, name: RateName): string {
  const percent = computePercent(card[name]);
  return (percent === null ? '-' : `${percent.toFixed(1)} (${card[name].hit}/${card[name].of})`).padStart(17);
}

function findMissedGoals(card: Scorecard, goals: Record<string, string | boolean | undefined>): string[] {
  const missed = card.secrets_leaked > 0 ? [`${card.secrets_leaked} secrets leaked`] : [];
  for (const name of RATES) {
    const goal = goals[toGoalOption(name)];
    const percent = computePercent(card[name]);
    if (typeof goal !== 'string' || percent === null) continue;
    const reached = name === 'false_alarms' ? percent <= Number(goal) : percent >= Number(goal);
    if (!reached) missed.push(`${name} is ${percent.toFixed(1)} %, the goal ${goal} %`);
  }
  return missed;
}

function toGoalOption(name: RateName): string {
  return `${name === 'false_alarms' ? 'max' : 'min'}-${name.replaceAll('_', '-')}`;
}

const goals = Object.fromEntries(RATES.map((name) => [toGoalOption(name), { type: 'string' as const }]));
const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, ...goals },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(
    'usage: npm run score -- <folder with LABELS.tsv, CATALOG.tsv or make/index.ts> [--json] [--min-… percent]',
  );
  process.exitCode = 1;
} else {
  const scores = await scoreFolder(folder);
  const card = buildScorecard(scores);
  const missed = findMissedGoals(card, values);
  if (values.json === true) {
    console.log(JSON.stringify({ card, missed, scores }, null, 2));
  } else {
    printMisses(scores);
    printProviders(scores);
    for (const line of missed) console.log(`goal missed: ${line}`);
  }
  process.exitCode = missed.length > 0 ? 1 : 0;
}
