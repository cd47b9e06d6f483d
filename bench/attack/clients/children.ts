import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../../server/lib/package-root.ts';
import type { Command, Counts, Target } from './target.ts';
import type { WellBehavedReport } from './well-behaved.ts';

function startClient(name: string): ChildProcess {
  return fork(join(packageRoot(), `dist/bench/attack/clients/${name}.js`), { stdio: 'inherit' });
}

async function sendAndWait<T>(child: ChildProcess, command: Command): Promise<T> {
  if (!child.connected) throw new Error('a client process has ended');
  const ended = new AbortController();
  const end = () => ended.abort();
  child.once('exit', end);
  try {
    const answered = once(child, 'message', { signal: ended.signal });
    child.send(command);
    const [answer] = await answered;
    return answer as T;
  } catch (cause) {
    throw new Error('a client process ended before it answered', { cause });
  } finally {
    child.off('exit', end);
  }
}

/** Starts the attackers and the well-behaved organization, each in its own process. */
export function startClients(good: Target, bad: Target) {
  const well_behaved = startClient('well-behaved');
  const attackers = startClient('attackers');
  well_behaved.send({ start: good } satisfies Command);
  attackers.send({ start: bad } satisfies Command);
  const setPhase = (phase: string | null) => well_behaved.send({ phase } satisfies Command);
  return {
    /** Later measurements belong to this phase. */
    setPhase,
    begin(attack: string): void {
      setPhase(attack);
      attackers.send({ phase: attack } satisfies Command);
    },
    /** @returns the number of responses and errors of each kind that the attackers received */
    async end(): Promise<Counts> {
      const counts = await sendAndWait<Counts>(attackers, { phase: null });
      setPhase(null);
      return counts;
    },
    finish: () => sendAndWait<WellBehavedReport>(well_behaved, { stop: true }),
    close(): void {
      for (const child of [well_behaved, attackers]) child.kill('SIGKILL');
    },
  };
}
