import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Replaces the plan worker: its input says what it does. */
const WAYS = {
  loop() {
    for (;;);
  },
  fill() {
    const kept = [];
    for (;;) kept.push(new Array(10_000).fill(kept.length));
  },
  fail() {
    throw new Error('the task failed');
  },
  /** Ends when the flag is set. */
  hold({ flag }) {
    Atomics.wait(new Int32Array(flag), 0, 0);
    return 'done';
  },
  answer: () => 'done',
};

export default (task) => {
  // Like the plan worker: the system's id of the thread.
  Atomics.store(task.mark, 0, Number(basename(readlinkSync('/proc/thread-self'))));
  return WAYS[task.way ?? 'fill'](task);
};
