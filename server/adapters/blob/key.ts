const KEY = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;
const MAX_KEY_CHARS = 512;

/** What a check writes and deletes. */
export const CHECK_KEY = 'health/check';

/** @throws Error when the text is no key; see BlobStore.put. Keys are made by us, so this is a fault of ours. */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_CHARS || !KEY.test(key)) throw new Error(`"${key}" is not a valid blob key`);
}
