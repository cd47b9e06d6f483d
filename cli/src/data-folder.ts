import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from './failure.ts';

/**
 * Sees that a service has run on a data folder: a command in the wrong folder would otherwise make an empty one, and find
 * nothing in it.
 *
 * @param part what the service must have left there; anything unless given
 * @throws Failure that says how to name another
 */
export function assertDataFolder(data_dir: string, part = ''): void {
  if (existsSync(join(data_dir, part))) return;
  const name = '--data-dir or DATA_DIR';
  throw new Failure(`no service has run on ${resolve(data_dir)}: name the data folder of \`dpa serve\` by ${name}`);
}

/** Where the embedded PostgreSQL keeps its files. */
export const EMBEDDED_DATABASE = 'postgres';
