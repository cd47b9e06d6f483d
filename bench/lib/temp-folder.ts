import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Closers = (() => Promise<unknown>)[];

export interface TempFolder {
  folder: string;
  /** What `close` calls, last first; it removes the folder at the end. */
  closers: Closers;
  close(): Promise<void>;
}

/** A temporary folder for a service and its processes; SIGINT and SIGTERM close it and exit with 1. */
export async function openTempFolder(prefix: string): Promise<TempFolder> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  const closers: Closers = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => close().finally(() => process.exit(1)));
  return { folder, closers, close };
}
