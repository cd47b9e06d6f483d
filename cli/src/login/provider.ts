import * as oidc from 'openid-client';
import { Failure } from '../failure.ts';
import type { OidcCredential } from './file.ts';

/** In seconds; discovery and renewal together take less time than a lock needs to become stale. */
const TIMEOUT_S = 10;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

export interface ProviderOptions {
  issuer: string;
  client_id: string;
  scope: string;
  /** The target of the access token: `resource` (RFC 8707) or `audience`, as the provider requires. */
  parameters: Record<string, string>;
}

/** What the user has to do in a browser to confirm the login. */
export interface Prompt {
  /** The address to open; contains the code if the provider supports that. */
  url: string;
  code: string;
  expires_in_s: number;
}

/**
 * Logs a user in with a code that they confirm in any browser.
 *
 * @returns undefined if the provider does not support device codes
 * @throws Failure if the provider or the user refuses; the reason of `signal`
 * @see RFC 8628
 */
export async function logInByDevice(
  { issuer, client_id, scope, parameters }: ProviderOptions,
  { showPrompt, signal }: { showPrompt: (prompt: Prompt) => void; signal: AbortSignal },
): Promise<OidcCredential | undefined> {
  const config = await discover(issuer, client_id);
  if (config.serverMetadata().device_authorization_endpoint === undefined) return undefined;
  const device = await translateErrors(issuer, oidc.initiateDeviceAuthorization(config, { ...parameters, scope }));
  const { verification_uri, verification_uri_complete, user_code, expires_in } = device;
  showPrompt({ url: verification_uri_complete ?? verification_uri, code: user_code, expires_in_s: expires_in });
  const polling = oidc.pollDeviceAuthorizationGrant(config, device, parameters, { signal });
  const tokens = await translateErrors(issuer, polling, signal);
  return toCredential(tokens, { kind: 'oidc', issuer, client_id, parameters, refresh_token: null });
}

/** @returns undefined if the provider no longer accepts the refresh token */
export async function renew(credential: OidcCredential, refresh_token: string): Promise<OidcCredential | undefined> {
  const { issuer, client_id, parameters } = credential;
  const config = await discover(issuer, client_id);
  try {
    return toCredential(await oidc.refreshTokenGrant(config, refresh_token, parameters), credential);
  } catch (error) {
    if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return undefined;
    throw toFailure(issuer, error);
  }
}

/** Revokes the login at the provider. @returns whether the provider supports that */
export async function revoke({ issuer, client_id, refresh_token, access_token }: OidcCredential): Promise<boolean> {
  const config = await discover(issuer, client_id);
  if (config.serverMetadata().revocation_endpoint === undefined) return false;
  await translateErrors(issuer, oidc.tokenRevocation(config, refresh_token ?? access_token));
  return true;
}

async function discover(issuer: string, client_id: string): Promise<oidc.Configuration> {
  if (!URL.canParse(issuer))
    throw new Failure(`"${issuer}" is not a valid issuer: use an address such as https://login.example.com`);
  const url = new URL(issuer);
  const execute = url.protocol === 'http:' && LOOPBACK.has(url.hostname) ? [oidc.allowInsecureRequests] : [];
  const options = { execute, timeout: TIMEOUT_S };
  return translateErrors(issuer, oidc.discovery(url, client_id, undefined, oidc.None(), options));
}

function toCredential(
  tokens: { access_token: string; refresh_token?: string; expiresIn(): number | undefined },
  before: Omit<OidcCredential, 'access_token' | 'expires_at'>,
): OidcCredential {
  const seconds = tokens.expiresIn();
  return {
    ...before,
    access_token: tokens.access_token,
    expires_at: seconds === undefined ? null : Date.now() + seconds * 1_000,
    refresh_token: tokens.refresh_token ?? before.refresh_token,
  };
}

async function translateErrors<T>(issuer: string, answer: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw toFailure(issuer, error);
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  access_denied: 'the login was denied',
  expired_token: 'the code has expired; run `dpa login` again',
  invalid_client: 'the provider does not know this client; check --client-id',
  unauthorized_client:
    'device codes are not enabled for this client; enable them at the provider, or use --token-stdin',
};

function toFailure(issuer: string, error: unknown): Failure {
  const { error: code, error_description, message, cause } = error as oidc.ResponseBodyError & { cause?: Error };
  const why = ADVICE[code] ?? [error_description ?? message, cause?.message].filter(Boolean).join(': ');
  return new Failure(`${issuer}: ${why}`, { cause: error });
}
