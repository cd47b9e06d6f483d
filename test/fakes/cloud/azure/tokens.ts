import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { RestCall, RestReply } from '../rest-server.ts';
import { entraError } from './errors.ts';
import type { FakeAzure } from './index.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const TOLERANCE_S = 300;

/** `POST /{tenant}/oauth2/v2.0/token`: client credentials with a secret, or with the token of a federated issuer. */
export async function issueToken(azure: FakeAzure, { path, body }: RestCall): Promise<RestReply> {
  const form = body as Record<string, string>;
  const tenant = path.split('/')[2];
  const { application } = azure;
  if (tenant !== azure.tenant_id) {
    return entraError('invalid_request', 90002, `Tenant '${tenant}' not found.`, 400);
  }
  if (form['client_id'] !== application.client_id) {
    const text = `Application with identifier '${form['client_id']}' was not found in the directory 'Shop'.`;
    return entraError('unauthorized_client', 700016, text, 400);
  }
  if (form['scope'] !== 'https://management.azure.com/.default') {
    return entraError('invalid_scope', 1002012, 'The provided value for scope is not valid.', 400);
  }
  const refusal =
    form['client_assertion_type'] === JWT_BEARER
      ? await refuseAssertion(azure, form['client_assertion'] ?? '')
      : refuseSecret(azure, form['client_secret']);
  if (refusal !== undefined) return refusal;
  const token = { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: azure.grant() };
  return { status: 200, body: token };
}

function refuseSecret({ application }: FakeAzure, secret: string | undefined): RestReply | undefined {
  if (application.secret_expired) {
    const text = `The provided client secret keys for app '${application.client_id}' are expired.`;
    return entraError('invalid_client', 7000222, text);
  }
  if (secret === application.client_secret && !application.revoked) return undefined;
  const text =
    'Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.';
  return entraError('invalid_client', 7000215, text);
}

async function refuseAssertion(azure: FakeAzure, assertion: string): Promise<RestReply | undefined> {
  const { federated } = azure.application;
  const { alg } = decodeProtectedHeader(assertion);
  if (alg !== 'RS256') {
    const text = `Invalid JWT token. '${alg}' is not a supported signature algorithm.`;
    return entraError('invalid_request', 5002738, text, 400);
  }
  try {
    const { payload } = await jwtVerify(assertion, federated.public_key, {
      audience: 'api://AzureADTokenExchange',
      issuer: federated.issuer,
      currentDate: azure.now(),
      clockTolerance: TOLERANCE_S,
    });
    if (payload.sub === federated.subject && !azure.application.revoked) return undefined;
    const text = `No matching federated identity record found for presented assertion subject '${payload.sub}'.`;
    return entraError('invalid_client', 700213, text);
  } catch (error) {
    return describeRejectedAssertion(error);
  }
}

function describeRejectedAssertion(error: unknown): RestReply {
  if (error instanceof errors.JWTExpired || (error instanceof errors.JWTClaimValidationFailed && isTime(error))) {
    const text =
      'Client assertion is not within its valid time range. Current time: 2026-03-02T10:00:00.6755165Z, assertion valid from 2026-03-02T09:00:00.0000000Z, expiry time of assertion 2026-03-02T09:10:00.0000000Z.';
    return entraError('invalid_client', 700024, text);
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    const text = "No matching federated identity record found for presented assertion audience 'x'.";
    return entraError('invalid_client', 700212, text);
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss') {
    const text = "No matching federated identity record found for presented assertion issuer 'x'.";
    return entraError('invalid_client', 700211, text);
  }
  return entraError('invalid_client', 700027, 'Client assertion failed signature validation.');
}

function isTime({ claim }: errors.JWTClaimValidationFailed): boolean {
  return claim === 'nbf' || claim === 'iat';
}
