import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Verdict } from './prove.ts';

const FILE = 'checks/patterns/proofs.json';

/** Patterns as written in code, sorted, with the version of the library that checked them. */
interface Proofs {
  recheck: string;
  proven: string[];
  withstood: string[];
}

/** Verdicts of earlier runs by pattern; empty if another version of the library produced them. */
export function readProofs(root: string): Map<string, Verdict> {
  const path = join(root, FILE);
  if (!existsSync(path)) return new Map();
  const { recheck, proven, withstood } = JSON.parse(readFileSync(path, 'utf8')) as Proofs;
  if (recheck !== libraryVersion(root)) return new Map();
  return new Map([
    ...proven.map((key): [string, Verdict] => [key, { kind: 'proven' }]),
    ...withstood.map((key): [string, Verdict] => [key, { kind: 'withstood' }]),
  ]);
}

/** Stores the verdicts of safe patterns. Patterns that no longer exist are removed from the file. */
export function writeProofs(root: string, verdicts: ReadonlyMap<string, Verdict>): void {
  const listKeys = (kind: Verdict['kind']) =>
    [...verdicts].flatMap(([key, found]) => (found.kind === kind ? [key] : [])).sort();
  const proofs: Proofs = {
    recheck: libraryVersion(root),
    proven: listKeys('proven'),
    withstood: listKeys('withstood'),
  };
  writeFileSync(join(root, FILE), `${JSON.stringify(proofs, null, 2)}\n`);
}

function libraryVersion(root: string): string {
  const { version } = createRequire(join(root, 'package.json'))('recheck/package.json') as { version: string };
  return version;
}
