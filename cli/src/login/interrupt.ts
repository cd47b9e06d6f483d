import { Failure } from '../failure.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs work that can be stopped at any time: SIGINT and SIGTERM abort its signal with a Failure. */
export async function runInterruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new Failure('stopped; nothing was saved'));
  for (const name of SIGNALS) process.once(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}

/** Runs work that must not be interrupted: SIGINT and SIGTERM take effect after it. */
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
