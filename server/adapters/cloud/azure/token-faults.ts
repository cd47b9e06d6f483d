import { readRetryAfter } from '../../../lib/retry-after.ts';
import { CORRECT_CLOCK, describeClockSkew } from '../rest/clock-skew.ts';
import { createCloudError, createThrottledError } from '../rest/fault.ts';
import { type RestResponse, unreadable } from '../rest/request.ts';
import type { CloudError } from '../types.ts';
import { CALLS } from './calls.ts';
import { CLOUD } from './faults.ts';

const NO_TENANT = 'The tenant does not exist. Compare the tenant ID with the one in the Azure portal.';
const NO_APPLICATION =
  'The tenant has no such application. Compare client ID and tenant ID with the app registration, and check that the application has a service principal in this tenant.';
const NO_FEDERATION =
  'The application has no federated credential that matches. Compare issuer, subject and audience with the ones that the setup page shows; upper and lower case count.';
const WRONG_CLOCK = `Azure rejects the signed token because of its time. The clock of this server is wrong. ${CORRECT_CLOCK}`;
const UNREADABLE =
  'Azure cannot read the token that this service signed. Check that FEDERATION_SIGNING_KEY contains an RSA key: Azure accepts only RS256.';

/** @see Microsoft Entra authentication and authorization error codes (AADSTS) */
const BY_CODE: Readonly<Record<number, string>> = {
  7000215: 'The client secret is wrong. Enter the value of the secret, not its ID.',
  7000222: 'The client secret has expired. Create a new one in the app registration, and connect it.',
  7000112: 'The application is disabled. Enable it in Microsoft Entra ID, or connect another one.',
  700016: NO_APPLICATION,
  7000229: NO_APPLICATION,
  90002: NO_TENANT,
  900023: NO_TENANT,
  900021: NO_TENANT,
  70021: NO_FEDERATION,
  700211: NO_FEDERATION,
  700212: NO_FEDERATION,
  700213: NO_FEDERATION,
  7002137: NO_FEDERATION,
  7002138: NO_FEDERATION,
  700024: WRONG_CLOCK,
  500133: WRONG_CLOCK,
  50012: WRONG_CLOCK,
  700027:
    'Azure cannot verify the token that this service signed. Check that the public keys of this service can be reached from the internet, and that the signing key was not replaced in the last hour.',
  50027: UNREADABLE,
  5002730: UNREADABLE,
  5002738: UNREADABLE,
  53003: 'A Conditional Access policy blocks the application. Exclude it, or allow the address of this service.',
};
/** Failures of Microsoft Entra ID itself. */
const TRANSIENT = new Set([90033, 90020, 90024]);

/**
 * The error for a response of the token endpoint that is not a token. Of its text, only the number of the error is read.
 *
 * @see RFC 6749, section 5.2
 */
export function toTokenError(response: RestResponse, now: Date): CloudError {
  const { status, body, headers } = response;
  const { service } = CALLS.issue_token;
  if (status === 429) return createThrottledError(CLOUD, service, readRetryAfter(headers.get('retry-after'), now));
  const codes = readCodes(body);
  if (status >= 500 || codes.some((code) => TRANSIENT.has(code))) {
    const message = 'Microsoft Entra ID could not process the sign-in. Try again later.';
    return createCloudError({ code: 'internal', message, service, retryable: true });
  }
  if (body === null || status < 400 || typeof body['error'] !== 'string') return unreadable({ cloud: CLOUD, service });
  const cause = codes.map((code) => BY_CODE[code]).find((text) => text !== undefined);
  const message = cause ?? describeClockSkew(headers, now) ?? describeUnknown(codes);
  return createCloudError({ code: 'credential_error', message, service });
}

/** The numbers in `error_codes`, or the one at the start of the description. */
function readCodes(body: RestResponse['body']): number[] {
  const { error_codes, error_description } = body ?? {};
  if (Array.isArray(error_codes)) return error_codes.filter((code) => Number.isSafeInteger(code));
  const number = typeof error_description === 'string' ? /^AADSTS(\d{4,9}):/.exec(error_description)?.[1] : undefined;
  return number === undefined ? [] : [Number(number)];
}

function describeUnknown([code]: readonly number[]): string {
  const name = code === undefined ? '' : ` (AADSTS${code})`;
  return `Azure rejects the credential${name}. Check the app registration, or connect the account with a new credential.`;
}
