import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';

/** A PostgreSQL server as described by its lock file in the data folder. */
export interface Postmaster {
  pid: number;
  port: number;
}

/**
 * The server that runs on this data folder, if any. A stale lock file, whose process has exited, is a zombie, or is now
 * another program, is removed, because PostgreSQL itself would refuse to start in the last two cases.
 */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const named = await readLockFile(data);
  if (named === undefined) return undefined;
  if (await isPostgres(named.pid)) return named;
  await rm(join(data, 'postmaster.pid'), { force: true });
  return undefined;
}

async function readLockFile(data: string): Promise<Postmaster | undefined> {
  try {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, port: Number(lines[3]) } : undefined;
  } catch {
    return undefined;
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(status) ?? [];
  return name === 'postgres' && state !== 'Z';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
