import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What every key of this service begins with, so that scanners for leaked secrets know one when they see it. */
export const KEY_PREFIX = 'dpa';
/** Characters drawn at random: 36 of 62 hold 214 bits. */
export const SECRET_LENGTH = 36;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const BASE = DIGITS.length;
const CHECKSUM_LENGTH = 6;
const DISPLAYED_LENGTH = 12;
const KEY = new RegExp(`^${KEY_PREFIX}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * The key of a secret: prefix, secret, and the CRC-32 of both in base 62, padded to six characters.
 *
 * @param secret 36 numbers from 0 to 61
 */
export function formatKey(secret: readonly number[]): string {
  const body = `${KEY_PREFIX}_${secret.map((digit) => DIGITS[digit]).join('')}`;
  return body + computeChecksum(body);
}

/** Whether a text could be a key at all; says nothing about whether there is such a key. */
export function isKey(text: string): boolean {
  return KEY.test(text) && computeChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** What is stored in place of a key. A key is random, so a slow hash would protect nothing more. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The part of a key that may be shown, so that people tell their keys apart. */
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
