/** Builds several packs at once, each of which stops for good before a step. Prints a line when all have stopped. */
import { Buffer } from 'node:buffer';
import { startPacksProcess } from './process.ts';

interface Task {
  url: string;
  blob_root: string;
  org_id: string;
  /** A pack, and the number of the step before which its build stops. */
  builds: { id: string; stop_at: number }[];
}

const { org_id, builds, ...options }: Task = JSON.parse(Buffer.from(process.argv[2] ?? '', 'base64').toString());
let stopped = 0;

for (const { id, stop_at } of builds) {
  let steps = 0;
  const packs = startPacksProcess({
    ...options,
    onStep() {
      steps += 1;
      if (steps < stop_at) return;
      stopped += 1;
      if (stopped === builds.length) process.stdout.write('all have stopped\n');
      return new Promise(() => {});
    },
  });
  void packs.run({ org_id, id }, new AbortController().signal);
}
