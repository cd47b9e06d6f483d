import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '../../test/fakes/ports.ts';
import { CLI } from '../lib/process.ts';

interface Instance {
  port: number;
  child: ChildProcess;
}

/** Starts API processes. Each keeps its port when it is killed and restarted. */
export async function startInstances(count: number, env: NodeJS.ProcessEnv) {
  const instances: Instance[] = [];
  for (let n = 0; n < count; n++) {
    const port = await findFreePort();
    instances.push({ port, child: await start(port, env) });
  }
  let kills = 0;

  return {
    urls: instances.map(({ port }) => `http://127.0.0.1:${port}`),
    kills: () => kills,

    /** Kills a process without warning, and resolves when it is available again. */
    async kill(n: number): Promise<void> {
      const instance = instances[n];
      if (instance === undefined) throw new Error(`there is no instance ${n}`);
      const ended = once(instance.child, 'exit');
      instance.child.kill('SIGKILL');
      await ended;
      kills += 1;
      instance.child = await start(instance.port, env);
    },

    async stop(): Promise<void> {
      const ended = instances.map(({ child }) => once(child, 'exit'));
      for (const { child } of instances) child.kill('SIGTERM');
      await Promise.all(ended);
    },
  };
}

async function start(port: number, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI, 'serve', '--role', 'api', '--port', String(port)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve()); // the line that names its address
    child.once('exit', (code) => reject(new Error(`an instance ended with ${code} instead of starting`)));
  });
  child.removeAllListeners('exit');
  child.stdout.resume();
  return child;
}
