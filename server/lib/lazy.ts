/** A value that is loaded once. */
export interface Lazy<T> {
  (): Promise<T>;
  /** Makes the next call load the value again. */
  forget(): void;
}

/**
 * Loads a value on the first call and returns it to every later caller. A failure is not kept: the next call tries
 * again.
 *
 * @throws errors of `load`
 */
export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;

  async function get(): Promise<T> {
    loading ??= load();
    const current = loading;
    try {
      return await current;
    } catch (error) {
      if (loading === current) loading = undefined;
      throw error;
    }
  }

  function forget(): void {
    loading = undefined;
  }

  return Object.assign(get, { forget });
}
