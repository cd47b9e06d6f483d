import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
const LONGEST_STATE = 2_000;
const PART = /^[A-Za-z0-9_-]+$/;

/**
 * Signs data that a person's browser carries and returns, such as the `state` of OAuth (RFC 6749, section 10.12).
 * Signed data is readable for anyone; to make it work only once, the caller must store a nonce in it.
 */
export interface StateSigner {
  /** @param purpose a state of one purpose is not valid for another, such as `scm-state-v1` */
  sign(purpose: string, content: string): string;
  /** @returns the content; undefined if it was not signed by this service for this purpose */
  open(purpose: string, state: string): string | undefined;
}

/** @param masterKeys the first signs; signatures of all are accepted, as with encryption */
export function createStateSigner(masterKeys: readonly Uint8Array[]): StateSigner {
  const keys = masterKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'dpa signed state', KEY_BYTES)));
  const [current] = keys;
  if (current === undefined) throw new Error('signing needs a master key');

  return {
    sign(purpose, content) {
      const payload = Buffer.from(content).toString('base64url');
      return `${payload}.${mac(current, purpose, payload).toString('base64url')}`;
    },
    open(purpose, state) {
      const [payload = '', signature = '', ...rest] = state.length > LONGEST_STATE ? [] : state.split('.');
      if (rest.length > 0 || !PART.test(payload) || !PART.test(signature)) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const is_ours = keys.some((key) => isEqual(mac(key, purpose, payload), given));
      return is_ours ? Buffer.from(payload, 'base64url').toString() : undefined;
    },
  };
}

function mac(key: Buffer, purpose: string, payload: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}.${payload}`).digest();
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
