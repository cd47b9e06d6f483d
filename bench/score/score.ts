/**
 * `npm run score -- <folder>`: compares verdicts with the labels of a folder of plans (LABELS.tsv or CATALOG.tsv, and
 * PAIRS.tsv), or of the plans that the folder's `make/index.ts` writes (`npm run score -- test/score`). The verdicts are
 * those of our engine, of our engine with the configured model (`--model`), or of the tool in
 * `--command 'tool {plan}'`. docs/scoring.md explains the figures and the flags.
 */
import { runScore } from './score-command.ts';

process.exitCode = await runScore(process.argv.slice(2), console);
