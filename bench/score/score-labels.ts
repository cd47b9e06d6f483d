/** Labels of a folder of plans: the expected verdict of each plan, written before the engine runs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RISK_LEVELS, type RiskLevel } from '../../engine/index.ts';

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
 * @throws Error if the folder has neither
 */
export function readLabels(folder: string): Label[] {
  for (const [table, expected] of [
    ['LABELS.tsv', 'expected'],
    ['CATALOG.tsv', 'expected_risk'],
  ] as const) {
    if (existsSync(join(folder, table))) return readTable(join(folder, table), expected);
  }
  throw new Error(
    `"${folder}" has no LABELS.tsv and no CATALOG.tsv; write one with the columns file, expected, acceptable`,
  );
}

function readTable(path: string, expected: string): Label[] {
  const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = head.trimEnd().split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    const cell = (name: string) => cells[names.indexOf(name)]?.trim() ?? '';
    return {
      file: cell('file'),
      expected: cell(expected),
      acceptable: cell('acceptable') || cell(expected),
      why: cell('reason'),
      key_addresses: parsePairs(cell('key_addresses')),
      noise_expected: parsePairs(cell('noise_expected')) as Label['noise_expected'],
      secrets: parseList(cell('secrets')),
    };
  });
}

function parseList(cell: string): string[] {
  return cell.split(';').filter((part) => part.trim() !== '');
}

/** Parses `address=value`; an index key may contain an equals sign, a value does not. */
function parsePairs(cell: string): [string, string][] {
  return parseList(cell).map((part) => {
    const at = part.lastIndexOf('=');
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
}

/** Whether a level is acceptable: `band` lists levels and ranges, separated by commas. */
export function isWithin(level: RiskLevel, band: string): boolean {
  const rank = (name: string) => RISK_LEVELS.indexOf(name.trim() as RiskLevel);
  return band.split(',').some((part) => {
    const [low = '', high = low] = part.split('-');
    return rank(level) >= rank(low) && rank(level) <= rank(high);
  });
}
