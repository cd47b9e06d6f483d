import { importPKCS8, SignJWT } from 'jose';
import { type AccessToken, type CloudAccess, parseTokenResponse } from '../rest/access-token.ts';
import { type Rest, unreadable } from '../rest/request.ts';
import type { CloudCredentials, SignToken } from '../types.ts';
import { CALLS } from './calls.ts';
import {
  isServiceAccountEmail,
  parseProviderName,
  parseServiceAccountKey,
  type ServiceAccountKey,
  TOKEN_URI,
  unusable,
} from './credentials.ts';
import type { GcpEndpoints } from './endpoints.ts';
import { CLOUD } from './faults.ts';
import { toImpersonationError, toTokenError } from './token-faults.ts';

/** Cloud Asset accepts no narrower scope; IAM limits what the token can do. */
export const CLOUD_PLATFORM = 'https://www.googleapis.com/auth/cloud-platform';
/** Google accepts at most one hour. */
const LIFETIME_S = 3_600;

export interface GoogleTokensDeps {
  rest: Rest;
  signToken: SignToken;
  endpoints: GcpEndpoints;
  now: () => Date;
}

/** Issues an access token of Google Cloud for an account. @throws CloudError, usually `credential_error` */
export type OpenGoogleToken = (
  access: CloudAccess,
  scopes: readonly string[],
  signal: AbortSignal,
) => Promise<AccessToken>;

/**
 * Uses only the given credential, never one of this machine: neither application default credentials nor a metadata
 * server.
 */
export function createGoogleTokens(deps: GoogleTokensDeps): OpenGoogleToken {
  return async (access, scopes, signal) => {
    const { credentials, token_subject } = access;
    const request: TokenRequest = { ...deps, scope: scopes.join(' '), signal };
    switch (credentials.credential_type) {
      case 'gcp_service_account_key':
        return exchangeAssertion(parseServiceAccountKey(credentials.service_account_json), request);
      case 'gcp_workload_identity': {
        if (!isServiceAccountEmail(credentials.service_account_email)) throw unusable('The email is not one.');
        const federated = await exchangeToken(credentials.audience, token_subject, request);
        return impersonate(credentials.service_account_email, federated, request);
      }
      default:
        throw unusable(`A credential of type ${credentials.credential_type} does not open Google Cloud.`);
    }
  };
}

/** Email of the service account that a credential names. @throws CloudError `credential_error` */
export function readServiceAccountEmail(credentials: CloudCredentials): string {
  if (credentials.credential_type === 'gcp_workload_identity') return credentials.service_account_email;
  if (credentials.credential_type !== 'gcp_service_account_key') {
    throw unusable(`A credential of type ${credentials.credential_type} does not open Google Cloud.`);
  }
  return parseServiceAccountKey(credentials.service_account_json).client_email;
}

interface TokenRequest extends GoogleTokensDeps {
  scope: string;
  signal: AbortSignal;
}

/** @see RFC 7523; Google, Using OAuth 2.0 for server to server applications */
async function exchangeAssertion(key: ServiceAccountKey, request: TokenRequest): Promise<AccessToken> {
  const { rest, endpoints, signal, now } = request;
  const call = CALLS.issue_token;
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await signAssertion(key, request),
  });
  const response = await rest({
    service: call.service,
    method: 'POST',
    url: `${endpoints.oauth2}/token`,
    body,
    signal,
  });
  if (response.status !== 200 || response.body === null) throw toTokenError(response, call, now());
  return parseTokenResponse(response.body, now()) ?? throwUnreadable(call.service);
}

async function signAssertion(key: ServiceAccountKey, { scope, now }: TokenRequest): Promise<string> {
  const issued_at = Math.floor(now().getTime() / 1_000);
  const header = { alg: 'RS256', typ: 'JWT', ...(key.private_key_id !== undefined && { kid: key.private_key_id }) };
  const private_key = await importPKCS8(key.private_key, 'RS256').catch(() => {
    throw unusable('The private key in the key file cannot be read. Paste the whole key file, without changes.');
  });
  return new SignJWT({ scope })
    .setProtectedHeader(header)
    .setIssuer(key.client_email)
    .setAudience(TOKEN_URI)
    .setIssuedAt(issued_at)
    .setExpirationTime(issued_at + LIFETIME_S)
    .sign(private_key);
}

/** @see RFC 8693; Google, Security Token Service API */
async function exchangeToken(audience: string, subject: string, request: TokenRequest): Promise<AccessToken> {
  const { rest, endpoints, signal, now, signToken } = request;
  const call = CALLS.exchange_token;
  const provider = parseProviderName(audience);
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    audience: provider,
    scope: CLOUD_PLATFORM,
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    // Providers accept their own name with `https:` as the audience unless they are configured otherwise.
    subject_token: await signToken({ subject, audience: `https:${provider}` }),
  });
  const response = await rest({
    service: call.service,
    method: 'POST',
    url: `${endpoints.sts}/v1/token`,
    body,
    signal,
  });
  if (response.status !== 200 || response.body === null) throw toTokenError(response, call, now());
  return parseTokenResponse(response.body, now()) ?? throwUnreadable(call.service);
}

/** @see Google, IAM Service Account Credentials API, generateAccessToken */
async function impersonate(email: string, token: AccessToken, request: TokenRequest): Promise<AccessToken> {
  const { rest, endpoints, signal, now, scope } = request;
  const call = CALLS.impersonate;
  const response = await rest({
    service: call.service,
    method: 'POST',
    url: `${endpoints.iamcredentials}/v1/projects/-/serviceAccounts/${encodeURIComponent(email)}:generateAccessToken`,
    headers: { authorization: `Bearer ${token.value}` },
    body: { scope: scope.split(' '), lifetime: `${LIFETIME_S}s` },
    signal,
  });
  if (response.status !== 200 || response.body === null) throw toImpersonationError(response, call, now());
  // Not from `expireTime`, which is wrong by the difference of the clocks.
  const token_response = { access_token: response.body['accessToken'], expires_in: LIFETIME_S };
  return parseTokenResponse(token_response, now()) ?? throwUnreadable(call.service);
}

function throwUnreadable(service: string): never {
  throw unreadable({ cloud: CLOUD, service });
}
