import { crc32 } from 'node:zlib';

/** Prefix of every key of this service, which secret scanners can recognize. */
export const KEY_PREFIX = 'dpa';
/** Number of random characters: 36 of 62 contain 214 bits. */
export const SECRET_LENGTH = 36;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const BASE = DIGITS.length;
const CHECKSUM_LENGTH = 6;
const DISPLAYED_LENGTH = 12;
const KEY = new RegExp(`^${KEY_PREFIX}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Builds the key of a secret: prefix, secret, and the CRC-32 of both in base 62, padded to six characters.
 *
 * @param secret 36 numbers from 0 to 61
 */
export function formatKey(secret: readonly number[]): string {
  const body = `${KEY_PREFIX}_${secret.map((digit) => DIGITS[digit]).join('')}`;
  return body + computeChecksum(body);
}

/** Whether a text has the form of a key; does not check whether the key exists. */
export function isKey(text: string): boolean {
  return KEY.test(text) && computeChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The part of a key that can be shown to identify it. */
export function toDisplayPrefix(key: string): string {
  return key.slice(0, DISPLAYED_LENGTH);
}

function computeChecksum(body: string): string {
  let rest = crc32(body);
  let checksum = '';
  while (checksum.length < CHECKSUM_LENGTH) {
    checksum = DIGITS[rest % BASE] + checksum;
    rest = Math.floor(rest / BASE);
  }
  return checksum;
}
