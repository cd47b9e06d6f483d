import { Failure } from '../failure.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs work that may be stopped at any time: its signal is aborted with a Failure that says so. */
export async function runInterruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new Failure('stopped; nothing was kept'));
  for (const name of SIGNALS) process.once(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}

/** Runs work that must not end halfway: who wants to stop us is obeyed after it. */
export async function runUninterrupted<T>(work: () => Promise<T>): Promise<T> {
  let received: NodeJS.Signals | undefined;
  const remember = (name: NodeJS.Signals) => {
    received = name;
  };
  for (const name of SIGNALS) process.on(name, remember);
  try {
    return await work();
  } finally {
    for (const name of SIGNALS) process.off(name, remember);
    if (received !== undefined) process.kill(process.pid, received);
  }
}
