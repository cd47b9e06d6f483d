import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { findFreePort } from './free-port.ts';

/**
 * Starts a Redis in `folder` with production settings: append-only file, no eviction.
 *
 * @throws Error if redis-server is not on the path
 */
export async function startRedis(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  const address_args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
  const durability_args = ['--save', '', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
  const server = spawn('redis-server', [...address_args, ...durability_args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new Error('there is no redis-server on this machine')));
    server.once('exit', () => reject(new Error('redis-server ended at once')));
    server.stdout.on('data', (output) => String(output).includes('Ready to accept') && resolve());
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}
