import { errors, jwtVerify } from 'jose';
import type { RestCall, RestReply } from '../rest-server.ts';
import { oauthError, permissionDenied } from './errors.ts';
import type { FakeGoogle } from './index.ts';

/** Google accepts clocks that differ by five minutes. */
const TOLERANCE_S = 300;
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** `POST /token`: verifies the assertion that the service account has signed. */
export async function issueToken(google: FakeGoogle, { body }: RestCall): Promise<RestReply> {
  const { assertion, grant_type } = body as Record<string, string>;
  if (grant_type !== JWT_BEARER || assertion === undefined)
    return oauthError('unsupported_grant_type', 'Invalid grant');
  try {
    const { payload } = await jwtVerify(assertion, google.key.public_key, {
      algorithms: ['RS256'],
      audience: 'https://oauth2.googleapis.com/token',
      currentDate: google.now(),
      clockTolerance: TOLERANCE_S,
      maxTokenAge: '1h',
    });
    if (payload.iss !== google.service_account.email) {
      return oauthError('invalid_grant', 'Invalid grant: account not found');
    }
    if (google.service_account.revoked) return oauthError('invalid_grant', 'Invalid JWT Signature.');
    return { status: 200, body: { access_token: google.grant(), expires_in: 3599, token_type: 'Bearer' } };
  } catch (error) {
    return describeRejectedAssertion(error);
  }
}

function describeRejectedAssertion(error: unknown): RestReply {
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return oauthError('invalid_grant', 'Invalid JWT Signature.');
  }
  return oauthError(
    'invalid_grant',
    'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
  );
}

/** `POST /v1/token`: verifies the token of the workload's own issuer. */
export async function exchangeToken(google: FakeGoogle, { body }: RestCall): Promise<RestReply> {
  const { audience, subject_token = '', grant_type } = body as Record<string, string>;
  if (grant_type !== TOKEN_EXCHANGE) return oauthError('unsupported_grant_type', 'Unsupported grant type');
  if (audience !== google.pool.provider) return oauthError('invalid_target', NO_SUCH_PROVIDER);
  try {
    const { payload } = await jwtVerify(subject_token, google.pool.public_key, {
      issuer: google.pool.issuer,
      audience: [`https:${audience}`, audience],
      currentDate: google.now(),
      clockTolerance: TOLERANCE_S,
    });
    if (payload.sub !== google.pool.subject) return oauthError('unauthorized_client', REJECTED_BY_CONDITION);
    return { status: 200, body: { ...FEDERATED, access_token: google.grant('federated') } };
  } catch (error) {
    return oauthError('invalid_grant', describeRejectedSubject(error));
  }
}

const NO_SUCH_PROVIDER =
  'The target service indicated by the "audience" parameters is invalid. This might either be because the pool or provider is disabled or deleted or because it doesn\'t exist.';
const REJECTED_BY_CONDITION = 'The given credential is rejected by the attribute condition.';
const FEDERATED = {
  issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  token_type: 'Bearer',
  expires_in: 3599,
};

function describeRejectedSubject(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'ID Token issued at 1668090399 is stale to sign-in.';
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return 'The audience in ID Token [//iam.googleapis.com/x] does not match the expected audience.';
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss') {
    return 'The issuer in ID Token https://issuer.example does not match the expected ones.';
  }
  return 'Invalid ID Token signature.';
}

/** `POST …:generateAccessToken`: a federated token for one of the service account. */
export function impersonate(google: FakeGoogle, { headers, path }: RestCall): RestReply {
  const email = decodeURIComponent(path.split('/').at(-1)!.replace(':generateAccessToken', ''));
  const is_allowed = google.isGranted(headers.authorization, 'federated') && google.service_account.impersonable;
  if (email !== google.service_account.email || !is_allowed) {
    return permissionDenied('iam.serviceAccounts.getAccessToken', '');
  }
  const expireTime = new Date(google.now().getTime() + 3_600_000).toISOString();
  return { status: 200, body: { accessToken: google.grant(), expireTime } };
}
