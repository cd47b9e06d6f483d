import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './ports.ts';

export interface TestRedis {
  url: string;
  /** Kills the server and restarts it with its persisted data. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** Whether redis-server is on the path. */
export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a private Redis in a temporary folder, with production settings: append-only file, no eviction.
 *
 * @throws Error if redis-server is not on the path
 */
export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-redis-'));
  const port = await findFreePort();
  let server = await launch(folder, port);
  return {
    url: `redis://127.0.0.1:${port}`,
    async crash() {
      await end(server, 'SIGKILL');
      server = await launch(folder, port);
    },
    async close() {
      await end(server, 'SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, port: number): Promise<ChildProcess> {
  const flags = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''];
  const durable = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
  const server = spawn('redis-server', [...flags, ...durable], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new Error('redis-server is not on the path')));
    server.once('exit', () => reject(new Error('redis-server ended at once')));
    server.stdout.on('data', (output) => String(output).includes('Ready to accept') && resolve());
  });
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}
