/** Labels of a folder of plans: the expected verdict of each plan, written before the engine runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RISK_LEVELS, type RiskLevel } from '../../engine/index.ts';
import { ScoreError } from './score-error.ts';
import { readTsv, type TsvRow } from './tsv.ts';

export interface Label {
  file: string;
  /** Empty if there is no expectation. */
  expected: string;
  /** Ranges and levels, separated by commas: `low-medium`, `high,critical`; empty if any level is acceptable. */
  acceptable: string;
  why: string;
  /** Address and acceptable levels of the changes that determine the level of the plan. */
  key_addresses: [string, string][];
  noise_expected: [string, 'benign' | 'novel'][];
  /** Texts that no output may contain. */
  secrets: string[];
}

/**
 * Reads `LABELS.tsv`, or `CATALOG.tsv`, which has no key addresses, noise or secrets.
 *
 * @throws ScoreError if the folder has neither, or if a line names a missing plan or an unknown level
 */
export function readLabels(folder: string): Label[] {
  for (const [table, expected] of [
    ['LABELS.tsv', 'expected'],
    ['CATALOG.tsv', 'expected_risk'],
  ] as const) {
    if (existsSync(join(folder, table))) return readTable(folder, table, expected);
  }
  throw new ScoreError(
    `"${folder}" has no LABELS.tsv and no CATALOG.tsv; write one with the columns file, expected, acceptable`,
  );
}

function readTable(folder: string, table: string, expected: string): Label[] {
  const files = new Set<string>();
  return readTsv(join(folder, table), ['file', expected]).map((row) => {
    const file = row.cell('file');
    if (files.has(file)) throw row.error(`"${file}" has a label already. Delete one of the two lines.`);
    if (file === '' || !existsSync(join(folder, file))) throw row.error(`the folder has no plan "${file}".`);
    files.add(file);
    return readLabel(row, file, expected);
  });
}

function readLabel(row: TsvRow, file: string, expected: string): Label {
  return {
    file,
    expected: readBand(row, row.cell(expected)),
    acceptable: readBand(row, row.cell('acceptable') || row.cell(expected)),
    why: row.cell('reason'),
    key_addresses: readEntries(row, 'key_addresses').map(([address, band]) => [address, readBand(row, band)]),
    noise_expected: readEntries(row, 'noise_expected').map(([address, noise]) => [address, readNoise(row, noise)]),
    secrets: splitList(row.cell('secrets')),
  };
}

function splitList(cell: string): string[] {
  return cell.split(';').filter((part) => part.trim() !== '');
}

/** Reads entries `address=value`; an index key may contain an equals sign, a value does not. */
function readEntries(row: TsvRow, column: string): [string, string][] {
  return splitList(row.cell(column)).map((part) => {
    const at = part.lastIndexOf('=');
    if (at < 1) throw row.error(`"${part.trim()}" in the column ${column} has no value. Write address=value.`);
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
}

function readBand(row: TsvRow, band: string): string {
  const names = band === '' ? [] : band.split(/[,-]/);
  const unknown = names.find((name) => !RISK_LEVELS.includes(name.trim() as RiskLevel));
  if (unknown === undefined) return band;
  throw row.error(
    `unknown level "${unknown.trim()}". Use ${RISK_LEVELS.join(', ')}, a range such as low-medium, or a list.`,
  );
}

function readNoise(row: TsvRow, noise: string): 'benign' | 'novel' {
  if (noise === 'benign' || noise === 'novel') return noise;
  throw row.error(`unknown noise "${noise}". Use benign or novel.`);
}

/** Whether a level is acceptable: `band` lists levels and ranges, separated by commas. */
export function isWithin(level: RiskLevel, band: string): boolean {
  const rank = (name: string) => RISK_LEVELS.indexOf(name.trim() as RiskLevel);
  return band.split(',').some((part) => {
    const [low = '', high = low] = part.split('-');
    return rank(level) >= rank(low) && rank(level) <= rank(high);
  });
}
