import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `fn`; whatever it starts, and whatever that starts, belongs to the request `id`. */
export function withRequestId<T>(id: string, fn: () => T): T {
  return storage.run(id, fn);
}

/** The request that the running code belongs to; undefined where there is none, such as in a timer of the process. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}
