import { type AccessToken, type CloudAccess, parseTokenResponse } from '../rest/access-token.ts';
import { createCloudError } from '../rest/fault.ts';
import { type Rest, unreadable } from '../rest/request.ts';
import type { CloudCredentials, SignToken } from '../types.ts';
import { CALLS } from './calls.ts';
import type { AzureEndpoints } from './endpoints.ts';
import { CLOUD } from './faults.ts';
import { toTokenError } from './token-faults.ts';

export interface AzureTokensDeps {
  rest: Rest;
  signToken: SignToken;
  endpoints: AzureEndpoints;
  now: () => Date;
}

/** Issues an access token of Microsoft Entra ID for an account. @throws CloudError, usually `credential_error` */
export type OpenAzureToken = (access: CloudAccess, scope: string, signal: AbortSignal) => Promise<AccessToken>;

/**
 * Uses only the given credential, never one of this machine, such as a managed identity.
 *
 * @see Microsoft identity platform, OAuth 2.0 client credentials flow: with a secret, and with a federated credential
 */
export function createAzureTokens({ rest, signToken, endpoints, now }: AzureTokensDeps): OpenAzureToken {
  const { service } = CALLS.issue_token;

  return async ({ credentials, token_subject }, scope, signal) => {
    const { tenant_id, client_id } = getApplication(credentials);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, scope });
    if (credentials.credential_type === 'azure_client_secret') {
      body.set('client_secret', credentials.client_secret);
    } else {
      body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
      // Entra rejects ES256: AADSTS5002738.
      const claims = { subject: token_subject, audience: endpoints.federation_audience, algorithm: 'RS256' } as const;
      body.set('client_assertion', await signToken(claims));
    }
    const url = `${endpoints.login}/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`;
    const response = await rest({ service, method: 'POST', url, body, signal });
    if (response.status !== 200 || response.body === null) throw toTokenError(response, now());
    const token = parseTokenResponse(response.body, now());
    if (token === undefined) throw unreadable({ cloud: CLOUD, service });
    return token;
  };
}

/** Tenant and application of a credential. @throws CloudError `credential_error` for a credential of another cloud */
export function getApplication(credentials: CloudCredentials): { tenant_id: string; client_id: string } {
  const { credential_type } = credentials;
  if (credential_type === 'azure_client_secret' || credential_type === 'azure_federated') return credentials;
  const message = `A credential of type ${credential_type} does not open Azure.`;
  throw createCloudError({ code: 'credential_error', message });
}
