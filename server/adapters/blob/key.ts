const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const MAX_LENGTH = 512;

/** @throws Error when the key could name something outside the store, or another key */
export function assertKey(key: string): string {
  if (key.length > MAX_LENGTH || !KEY.test(key)) throw new Error(`"${key.slice(0, 80)}" is not a blob key`);
  return key;
}
