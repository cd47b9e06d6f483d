/** A process that attacks the service: runs the attack that a command names, or all attacks at once. */
import { setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import type { Attack } from './attack.ts';
import { aborted, halfOpen, oversizeBodies, pipelining, slowBodies, slowHeaders } from './connections.ts';
import {
  authenticatedFlood,
  deepNesting,
  gzipBombs,
  hostilePlans,
  parallelPosts,
  unauthenticatedFlood,
} from './requests.ts';
import type { Command, Counts, Target } from './target.ts';

/** Real attackers do not share processors with the service. */
const LOW_PRIORITY = 10;

const ATTACKS: Record<string, Attack> = {
  'slow bodies': slowBodies,
  'slow headers': slowHeaders,
  'half-open connections': halfOpen,
  'unauthenticated flood': unauthenticatedFlood,
  'authenticated flood': authenticatedFlood,
  'oversized bodies': oversizeBodies,
  'gzip bombs': gzipBombs,
  'deep nesting': deepNesting,
  'parallel 5 MB requests': parallelPosts,
  'hostile plans': hostilePlans,
  pipelining,
  'aborted requests': aborted,
};

setPriority(LOW_PRIORITY);
let target: Target | undefined;
let stop = new AbortController();
let attack: Promise<Counts[]> = Promise.resolve([]);

process.on('message', async (command: Command) => {
  if ('start' in command) target = command.start;
  else if ('phase' in command && command.phase !== null) begin(command.phase);
  else {
    stop.abort();
    process.send?.(mergeCounts(await attack));
    if ('stop' in command) process.disconnect();
  }
});

function begin(name: string): void {
  if (target === undefined) return;
  const own = target;
  stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const attacks = name === 'all at once' ? Object.values(ATTACKS) : [ATTACKS[name] as Attack];
  attack = Promise.all(attacks.map((one) => one(own, stop.signal)));
}

function mergeCounts(all: readonly Counts[]): Counts {
  const sum: Counts = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
