const KEY = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;
const MAX_KEY_CHARS = 512;

/** Key that a check writes and deletes. */
export const CHECK_KEY = 'health/check';

/**
 * @throws Error when the text is not a valid key (see BlobStore.put). The service creates all keys, so this is a bug.
 */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_CHARS || !KEY.test(key)) throw new Error(`"${key}" is not a valid blob key`);
}
