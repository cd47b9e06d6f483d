import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `fn` in the context of the request `id`, including everything that it starts. */
export function withRequestId<T>(id: string, fn: () => T): T {
  return storage.run(id, fn);
}

/** The request of the running code; undefined outside of requests, such as in a timer of the process. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}
