/**
 * `npm run corpus -- <folder>`: analyzes every plan of a folder that has a CATALOG.tsv (columns file, expected_risk,
 * acceptable, reason), and compares the result with an independent count, the acceptable levels, and the plan's
 * sensitivity marks. Exits with 1 on a crash, a wrong count or a secret in the result.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyzePlan, type Change, type PlanAnalysis, PlanError } from '../../engine/index.ts';
import { collectMarkedStrings, countActions, parsePlain } from './corpus-plan.ts';
import { isWithin } from './score-labels.ts';
import { readTsv } from './tsv.ts';

interface CatalogRow {
  file: string;
  expected: string;
  /** `low-medium`, `none`; empty if any level is acceptable. */
  acceptable: string;
  reason: string;
}

interface Outcome {
  row: CatalogRow;
  analysis: PlanAnalysis | null;
  refusal: string | null;
  faults: string[];
}

function readCatalog(folder: string): CatalogRow[] {
  return readTsv(join(folder, 'CATALOG.tsv'), ['file', 'expected_risk']).map(({ cell }) => ({
    file: cell('file'),
    expected: cell('expected_risk'),
    acceptable: cell('acceptable'),
    reason: cell('reason'),
  }));
}

function judgeFile(folder: string, row: CatalogRow): Outcome {
  const bytes = readFileSync(join(folder, row.file));
  try {
    const analysis = analyzePlan(bytes, { max_changes: Number.POSITIVE_INFINITY });
    return { row, analysis, refusal: null, faults: findFaults(bytes, analysis) };
  } catch (error) {
    if (error instanceof PlanError) return { row, analysis: null, refusal: error.message, faults: [] };
    return { row, analysis: null, refusal: null, faults: [`crashed: ${String(error)}`] };
  }
}

function findFaults(bytes: Buffer, analysis: PlanAnalysis): string[] {
  const plan = parsePlain(bytes);
  if (plan === undefined) return ['read, though JSON.parse refuses it'];
  const faults: string[] = [];
  const expected = countActions(plan);
  const found = countFound(analysis);
  if (dropIdle(expected) !== found) faults.push(`counted ${found}, expected ${dropIdle(expected)}`);
  const all = analysis.changes_total + analysis.summary.no_op + analysis.summary.read;
  if (sumCounts(expected) !== all) faults.push(`${all} changes in all, expected ${expected}`);
  const shown = JSON.stringify(analysis);
  for (const secret of collectMarkedStrings(plan)) {
    if (shown.includes(JSON.stringify(secret).slice(1, -1))) faults.push('shows a marked value');
  }
  return faults;
}

function countFound({ changes }: PlanAnalysis): string {
  const counts = new Map<string, number>();
  for (const { actions } of changes) counts.set(actions.join('/'), (counts.get(actions.join('/')) ?? 0) + 1);
  return dropIdle(
    [...counts]
      .map(([actions, count]) => `${actions}:${count}`)
      .sort()
      .join(','),
  );
}

/** Drops no-op entries: an import or a move is listed although its action is no-op. */
function dropIdle(counts: string): string {
  return counts
    .split(',')
    .filter((part) => !part.startsWith('no-op:') && !part.startsWith('read:'))
    .join(',');
}

function sumCounts(counts: string): number {
  return counts.split(',').reduce((sum, part) => sum + Number(part.split(':')[1] ?? 0), 0);
}

function explainRisk({ changes, risk }: PlanAnalysis): string[] {
  const escalations = risk.escalations.map(({ rule_id, level, message }) => `${level} ${rule_id}: ${message}`);
  return [...escalations, ...changes.slice(0, 3).map(explainChange)];
}

function explainChange({ address, action, risk }: Change): string {
  const reasons = risk.reasons.map(
    ({ rule_id, level, path }) => `${rule_id}${path === null ? '' : `(${path})`}=${level}`,
  );
  return `${risk.level} ${action} ${address.slice(0, 80)}: ${reasons.slice(0, 4).join(' ')}`;
}

function report(outcomes: Outcome[]): boolean {
  for (const { row, analysis, refusal, faults } of outcomes) {
    const level = analysis === null ? (refusal === null ? 'CRASH' : 'refused') : analysis.risk_level;
    const band = row.acceptable === '' ? '-' : row.acceptable;
    const ok = faults.length === 0 && (analysis === null || band === '-' || isWithin(analysis.risk_level, band));
    console.log(`${ok ? '  ' : '! '}${row.file.padEnd(72)} ${level.padEnd(8)} ${band}`);
    if (refusal !== null) console.log(`     ${refusal}`);
    for (const fault of faults) console.log(`     FAULT ${fault}`);
    if (!ok && analysis !== null && faults.length === 0) {
      console.log(`     theirs: ${row.expected}: ${row.reason}`);
      for (const line of explainRisk(analysis)) console.log(`     ours:   ${line}`);
    }
  }
  return summarize(outcomes);
}

function summarize(outcomes: Outcome[]): boolean {
  const read = outcomes.filter(({ analysis }) => analysis !== null);
  const refused = outcomes.filter(({ refusal }) => refusal !== null);
  const faulty = outcomes.filter(({ faults }) => faults.length > 0);
  const rated = read.filter(({ row }) => row.acceptable !== '');
  const within = rated.filter(({ analysis, row }) => isWithin(analysis!.risk_level, row.acceptable));
  const exact = rated.filter(({ analysis, row }) => analysis!.risk_level === row.expected);
  const share = rated.length === 0 ? 100 : (100 * within.length) / rated.length;
  console.log(
    `\n${outcomes.length} files: ${read.length} read, ${refused.length} refused by name, ${faulty.length} faulty\n` +
      `${within.length} of ${rated.length} risks within the band (${share.toFixed(1)} %), ${exact.length} as expected`,
  );
  return faulty.length === 0;
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: npm run corpus -- <folder with CATALOG.tsv>');
  process.exitCode = 1;
} else {
  const passed = report(readCatalog(folder).map((row) => judgeFile(folder, row)));
  process.exitCode = passed ? 0 : 1;
}
