import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { analysisBudget, intakeBudget, unpackedBytes } from '../../server/adapters/plan-pool/budgets.ts';
import {
  type Budget,
  createThreads,
  type TaskOutcome,
  TaskOverrun,
  type Threads,
} from '../../server/threads/threads.ts';

const WORKER = fileURLToPath(new URL('greedy-worker.mjs', import.meta.url));
const AMPLE = { time_ms: 60_000, heap_mb: 256 };
const MIB = 1_048_576;

interface Task {
  task: 'test';
  way: Way;
  flag?: SharedArrayBuffer | undefined;
}

let threads: Threads<Task>;
let outcomes: TaskOutcome[] = [];
afterEach(() => threads.close());

function start(count: number, worker = WORKER): void {
  outcomes = [];
  threads = createThreads<Task>({ threads: count, worker, onEnd: (_task, outcome) => void outcomes.push(outcome) });
}

type Way = 'loop' | 'fill' | 'fail' | 'hold' | 'answer';
/** @param flag set by the test to end a blocking task */
function run(
  way: Way,
  options: { key?: string; budget?: Budget; signal?: AbortSignal; flag?: SharedArrayBuffer } = {},
) {
  const { key = 'a', budget = AMPLE, signal, flag } = options;
  return threads.run({ task: 'test', way, flag }, { key, budget, signal });
}

function newFlag() {
  const flag = new SharedArrayBuffer(4);
  return { flag, raise: () => Atomics.store(new Int32Array(flag), 0, 1) && Atomics.notify(new Int32Array(flag), 0) };
}

test('an endless task is stopped by its time budget without affecting other tasks', async () => {
  start(2);
  const { flag, raise } = newFlag();
  const beside = run('hold', { key: 'b', flag });

  await expect(run('loop', { budget: { time_ms: 500, heap_mb: 256 } })).rejects.toMatchObject({
    name: 'TaskOverrun',
    resource: 'time',
  });

  expect(await run('answer')).toBe('done');
  raise();
  expect(await beside).toBe('done');
  expect(outcomes.sort()).toEqual(['done', 'done', 'time']);
});

test('a task that only waits is stopped at its longest time', async () => {
  start(1);
  const { flag } = newFlag();

  const waiting = run('hold', { flag, budget: { ...AMPLE, longest_ms: 300 } });

  await expect(waiting).rejects.toMatchObject({ resource: 'time' });
});

test('a task that exhausts its memory stops only itself', async () => {
  start(2);
  const { flag, raise } = newFlag();
  const beside = run('hold', { key: 'b', flag });

  await expect(run('fill', { budget: { time_ms: 60_000, heap_mb: 32 } })).rejects.toMatchObject({ resource: 'memory' });

  raise();
  expect(await beside).toBe('done');
  expect(await run('answer')).toBe('done');
  expect(outcomes).toContain('memory');
});

test('an error of a task, and a canceled caller, are not an overrun', async () => {
  start(1);
  const caller = new AbortController();

  await expect(run('fail')).rejects.toThrow('the task failed');
  const looping = run('loop', { signal: caller.signal });
  caller.abort();
  await expect(looping).rejects.toMatchObject({ name: 'AbortError' });
  await expect(run('answer', { signal: caller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  expect(await run('answer')).toBe('done');
});

test('one organization leaves a thread for the others, and organizations alternate', async () => {
  start(2);
  const flags = [newFlag(), newFlag(), newFlag()];
  const held = flags.map(({ flag }) => run('hold', { key: 'a', flag }));

  expect(threads.counts()).toEqual({ running: 1, waiting: 2 });
  expect(await run('answer', { key: 'b' })).toBe('done');

  for (const { raise } of flags) raise();
  expect(await Promise.all(held)).toEqual(['done', 'done', 'done']);
});

test('closing stops running tasks, and waiting tasks never start', async () => {
  start(1);
  const running = run('loop');
  const waiting = run('answer');
  const ends = Promise.allSettled([running, waiting]);

  await threads.close();

  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(run('answer')).rejects.toMatchObject({ status: 503 });
});

test('threads that do not start are reported as stuck, and their tasks can be retried', async () => {
  start(1, fileURLToPath(new URL('no-such-worker.mjs', import.meta.url)));

  const failing = run('answer', { budget: { time_ms: 1_000, heap_mb: 256 } });

  await expect(failing).rejects.not.toBeInstanceOf(TaskOverrun);
  expect(threads.isStuck()).toBe(true);
});

test('an idle pool is not stuck', async () => {
  start(1);
  expect(threads.isStuck()).toBe(false);
  await run('answer');
  expect(threads.isStuck()).toBe(false);
});

describe('task budgets', () => {
  test('budgets grow with the input, to 20 s for the largest request and 60 s for the largest archive', () => {
    expect(analysisBudget(0, 1_024)).toEqual({ time_ms: 5_000, heap_mb: 192 });
    expect(analysisBudget(5 * MIB, 1_024)).toEqual({ time_ms: 20_000, heap_mb: 192 });
    expect(analysisBudget(50 * MIB, 1_024)).toEqual({ time_ms: 60_000, heap_mb: 1_024 });
    expect(intakeBudget(5 * MIB, 1_024)).toEqual({ time_ms: 8_000, heap_mb: 192 });
  });

  test('budgets never exceed the heap that the operator allows', () => {
    expect(analysisBudget(50 * MIB, 512).heap_mb).toBe(512);
    expect(analysisBudget(1, 128).heap_mb).toBe(128);
  });

  test('a compressed plan counts with its estimated unpacked size, up to what its sender could send', () => {
    expect(unpackedBytes(new Uint8Array(1_000))).toBe(30_000);
    expect(unpackedBytes(new Uint8Array(MIB))).toBe(5 * MIB);
    expect(unpackedBytes(new Uint8Array(MIB), 50 * MIB)).toBe(30 * MIB);
  });
});
