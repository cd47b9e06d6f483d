import { isObject } from '../../../lib/is-object.ts';
import { createCloudError } from '../rest/fault.ts';

/** The only audience of a signed assertion, and its addresses in older key files. */
export const TOKEN_URI = 'https://oauth2.googleapis.com/token';
const TOKEN_URIS = new Set([
  TOKEN_URI,
  'https://accounts.google.com/o/oauth2/token',
  'https://www.googleapis.com/oauth2/v4/token',
]);
const EMAIL = /^[a-z0-9][a-z0-9.-]{0,99}@[a-z0-9.-]{1,150}$/;
const POOL_ID = /^[a-z0-9-]{4,32}$/;

export interface ServiceAccountKey {
  client_email: string;
  private_key: string;
  private_key_id: string | undefined;
}

/**
 * The parts of a service account key that are used. Its addresses are never called.
 *
 * @throws CloudError `credential_error` if this is not a key of a service account of Google Cloud
 */
export function parseServiceAccountKey(text: string): ServiceAccountKey {
  const key = parseJson(text);
  if (!isObject(key))
    throw unusable('The key is not a JSON document. Paste the whole key file of the service account.');
  const { type, client_email, private_key, private_key_id, token_uri = TOKEN_URI, universe_domain } = key;
  if (type !== 'service_account') {
    throw unusable('The key is not the key of a service account: its "type" must be "service_account".');
  }
  const is_google = typeof token_uri === 'string' && TOKEN_URIS.has(token_uri);
  if (!is_google || (universe_domain !== undefined && universe_domain !== 'googleapis.com')) {
    throw unusable(`The key does not belong to Google Cloud: its "token_uri" must be ${TOKEN_URI}.`);
  }
  if (typeof private_key !== 'string' || !isServiceAccountEmail(client_email)) {
    throw unusable('The key is incomplete: it needs "client_email" and "private_key". Paste the whole key file.');
  }
  return { client_email, private_key, private_key_id: typeof private_key_id === 'string' ? private_key_id : undefined };
}

export function isServiceAccountEmail(value: unknown): value is string {
  return typeof value === 'string' && EMAIL.test(value);
}

/**
 * The full resource name of a workload identity provider, from any of the forms that the console and the documentation
 * show: with `https:`, with `//iam.googleapis.com/`, or from `projects/` on.
 *
 * @throws CloudError `credential_error` if this is not the name of a provider
 */
export function parseProviderName(audience: string): string {
  const path = audience.replace(/^https:/, '').replace(/^\/\/iam\.googleapis\.com\//, '');
  const [projects, number = '', locations, global, pools, pool = '', providers, provider = '', ...rest] =
    path.split('/');
  const words = [projects, locations, global, pools, providers].join('/');
  const is_name =
    words === 'projects/locations/global/workloadIdentityPools/providers' &&
    /^\d{1,20}$/.test(number) &&
    POOL_ID.test(pool) &&
    POOL_ID.test(provider) &&
    rest.length === 0;
  if (is_name) return `//iam.googleapis.com/${path}`;
  throw unusable(
    'The audience must be the full name of the workload identity provider: //iam.googleapis.com/projects/PROJECT_NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER.',
  );
}

export function unusable(message: string, options?: ErrorOptions) {
  return createCloudError({ code: 'credential_error', message }, options);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
