/** Scores a folder of labeled plans with our engine, with our engine and a model, or with another tool. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Label, readLabels } from './score-labels.ts';
import { type PairScore, readPairs, scorePairs } from './score-pairs.ts';
import { type PlanScore, scorePlan, scoreVerdict } from './score-plan.ts';
import type { Verdict } from './verdict.ts';

export interface SetScore {
  scores: PlanScore[];
  pairs: PairScore[];
}

/** Rates the plan in a file, whose path is absolute. */
export type Rater = (file: string) => Promise<Verdict>;

const MAX_AT_ONCE = Math.min(availableParallelism(), 4);

/** A module that exports `writePlans(folder)`, which writes plan files and their LABELS.tsv. */
interface Maker {
  writePlans(folder: string): void;
}

/**
 * Scores the plans of a folder, or those that the folder's `make/index.ts` writes.
 *
 * @param rate null for our own engine
 * @throws ScoreError if the labels, the pairs or the command are wrong
 */
export async function scoreFolder(folder: string, rate: Rater | null): Promise<SetScore> {
  const maker = join(folder, 'make', 'index.ts');
  if (!existsSync(maker)) return scoreFiles(folder, rate);
  const output_folder = mkdtempSync(join(tmpdir(), 'dpa-score-'));
  try {
    const { build } = await import('esbuild');
    const outfile = join(output_folder, 'make.mjs');
    await build({ entryPoints: [maker], bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
    ((await import(pathToFileURL(outfile).href)) as Maker).writePlans(output_folder);
    return await scoreFiles(output_folder, rate);
  } finally {
    rmSync(output_folder, { recursive: true });
  }
}

async function scoreFiles(folder: string, rate: Rater | null): Promise<SetScore> {
  const labels = readLabels(folder);
  const pairs = readPairs(folder, labels);
  const scores =
    rate === null
      ? labels.map((label) => scorePlan(readFileSync(join(folder, label.file)), label))
      : await scoreWith(rate, folder, labels);
  return { scores, pairs: scorePairs(pairs, scores) };
}

async function scoreWith(rate: Rater, folder: string, labels: readonly Label[]): Promise<PlanScore[]> {
  const verdicts = new Map<Label, Verdict>();
  const waiting = labels.values();
  const rateNext = async () => {
    for (const label of waiting) verdicts.set(label, await rate(resolve(folder, label.file)));
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, rateNext));
  const changes = [...verdicts.values()].flatMap((verdict) => [...(verdict.changes?.values() ?? [])]);
  // Changes are scored in every plan, or in none: a tool cannot leave out the difficult plans.
  const scope = { levels: changes.length > 0, noise: changes.some(({ noise }) => noise !== null) };
  return labels.map((label) =>
    scoreVerdict(verdicts.get(label)!, readFileSync(join(folder, label.file)), label, scope),
  );
}
