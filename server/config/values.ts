/** Parsers of environment variables. Messages never contain a value, which may be a secret. */

import { z } from 'zod';
import { dropTrailing } from '../../engine/index.ts';
import { parseUrl } from '../lib/parse-url.ts';
import { readSigningKeys } from '../lib/signing-keys.ts';
import { hasCredentials } from '../lib/url-credentials.ts';

export function whole(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= least && value <= most, error);
}

export function port() {
  return whole(0, 65_535);
}

export function flag() {
  return z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');
}

export function httpUrl() {
  return z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .refine((url) => !hasCredentials(url), 'must not contain a user name, a password or a token');
}

/** A URL to which paths are added; a trailing slash is removed. */
export function baseUrl() {
  return httpUrl()
    .refine((url) => !/[?#]/.test(url), 'must not contain a query or a fragment')
    .transform((url) => dropTrailing(url, '/'));
}

export function signingKey() {
  return z.string().refine((text) => {
    try {
      return readSigningKeys(text).length > 0;
    } catch {
      return false;
    }
  }, 'must be private keys on the curve P-256 or RSA keys of at least 2048 bits, as PEM or JWK');
}

export function postgresUrl() {
  return z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' });
}

/** Items separated by commas; at least one. */
export function list() {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .refine((items) => items.length > 0, 'must contain at least one item');
}

/** Servers, each a name or address with or without a port. */
export function hosts() {
  return list().refine(
    (items) =>
      items.every((item) => /^([\w.-]+|\[[\da-f:]+\])(:\d+)?$/i.test(item) && parseUrl(`http://${item}`) !== undefined),
    'must be hosts like gitlab.example.com or gitlab.example.com:8443',
  );
}

export function masterKeys() {
  return list()
    .transform((items) => items.map((item) => Buffer.from(item, 'base64')))
    .refine(
      (keys) => keys.every((key) => key.length === 32),
      'must be 32 bytes in base64; several are separated by commas',
    );
}

/** Works on raw text and on parsed lists. */
export function isPlainHttp(value: unknown): boolean {
  return /(^|,)\s*http:/i.test(String(value ?? ''));
}

/** Of a base URL from which token verification keys are fetched. */
export function describePlainHttp(name: string): string {
  return `${name} must be https:// when NODE_ENV=production: over http, anyone on the way can replace the keys of the issuer`;
}
