import type { CloudCredentials } from '../types.ts';

/** A token that is about to expire is replaced, so that it does not expire during a request. */
const MARGIN_MS = 120_000;

export interface AccessToken {
  value: string;
  expires_at: Date;
}

/** Whose token is issued: the credential of an account, and the subject of tokens that the service signs for it. */
export interface CloudAccess {
  credentials: CloudCredentials;
  token_subject: string;
}

export interface TokenCache {
  /** A valid token. Concurrent callers share one request. @throws errors of `load` */
  get(): Promise<string>;
  /** Makes the next call load another token, unless that has already happened. */
  forget(value: string): void;
}

/** Keeps the token of one session. A failure is not kept. */
export function createTokenCache(load: () => Promise<AccessToken>, now: () => Date): TokenCache {
  let held: AccessToken | undefined;
  let loading: Promise<AccessToken> | undefined;

  async function get(): Promise<string> {
    if (held !== undefined && held.expires_at.getTime() - now().getTime() > MARGIN_MS) return held.value;
    loading ??= load().finally(() => {
      loading = undefined;
    });
    held = await loading;
    return held.value;
  }

  function forget(value: string): void {
    if (held?.value === value) held = undefined;
  }

  return { get, forget };
}

const HEADER_TEXT = /^[\x21-\x7e]{1,20000}$/;
const MAX_LIFETIME_S = 86_400;

/**
 * The token of an OAuth response, which names its lifetime in seconds.
 *
 * @returns undefined if the response has no usable token
 * @see RFC 6749, section 5.1
 */
export function parseTokenResponse(body: Readonly<Record<string, unknown>>, now: Date): AccessToken | undefined {
  const { access_token, expires_in } = body;
  const seconds = Number(expires_in);
  if (typeof access_token !== 'string' || !HEADER_TEXT.test(access_token)) return undefined;
  if (!(seconds > 0 && seconds <= MAX_LIFETIME_S)) return undefined;
  return { value: access_token, expires_at: new Date(now.getTime() + seconds * 1_000) };
}
