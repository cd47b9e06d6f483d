import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from './failure.ts';

/**
 * Checks that a service has used a data folder. Otherwise a command in the wrong folder would create an empty one.
 *
 * @param part file or folder that the service must have created there; default: the folder itself
 * @throws Failure that says how to select another folder
 */
export function assertDataFolder(data_dir: string, part = ''): void {
  if (existsSync(join(data_dir, part))) return;
  const name = '--data-dir or DATA_DIR';
  throw new Failure(
    `no service has used the data folder ${resolve(data_dir)}: set ${name} to the data folder of \`dpa serve\``,
  );
}

/** Where the embedded PostgreSQL keeps its files. */
export const EMBEDDED_DATABASE = 'postgres';
