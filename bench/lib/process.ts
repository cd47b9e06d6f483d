import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../server/lib/package-root.ts';

export const CLI = join(packageRoot(), 'cli/bin/dpa.js');
const TICK_MS = 10;

/** CPU time in ms of a finished command and its children, as the shell reports it. */
export function measureCommandCpu(
  args: string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): number {
  const script = '"$0" "$@" >/dev/null && times';
  const lines = execFileSync('bash', ['-c', script, process.execPath, ...args], { env, encoding: 'utf8' })
    .trim()
    .split('\n');
  const [user, system] = (lines.at(-1) ?? '').split(' ').map(minutesToMs);
  return (user ?? 0) + (system ?? 0);
}

function minutesToMs(text: string): number {
  const [, minutes, seconds] = /^(\d+)m([\d.,]+)s$/.exec(text) ?? [];
  return Number(minutes) * 60_000 + Number(seconds?.replace(',', '.')) * 1000;
}

/** CPU time in ms that a running process and its threads have used so far (Linux). */
export function readProcessCpu(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export interface ServerProcess {
  url: string;
  pid: number;
  /** From the start of the process to the line that contains its address. */
  started_in_ms: number;
  stop(): Promise<void>;
}

/** Starts a server that prints its loopback address when it is ready. */
export async function startServer(
  args: string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ServerProcess> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output);
      if (found?.[1] !== undefined) resolve(found[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output.slice(-2000)}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    started_in_ms: performance.now() - begun,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
