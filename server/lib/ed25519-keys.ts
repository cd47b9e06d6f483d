import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * Private keys in the order of the text: PEM blocks one after another, with line breaks or `\n`.
 *
 * @throws Error if the text contains none, or another kind of key
 */
export function readEd25519Keys(text: string): KeyObject[] {
  const blocks = text.replaceAll('\\n', '\n').split('-----BEGIN ').slice(1);
  const keys = blocks.map((block) => createPrivateKey(`-----BEGIN ${block}`));
  if (keys.length === 0 || keys.some(({ asymmetricKeyType }) => asymmetricKeyType !== 'ed25519')) {
    throw new Error('not Ed25519 private keys');
  }
  return keys;
}
