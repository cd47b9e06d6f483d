import { type Client, DpaApiError } from '../../sdk/src/index.ts';
import { Failure } from './failure.ts';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:jwt';
const REQUEST_TIMEOUT_MS = 20_000;
/** A key is replaced this long before it expires. */
const RENEWAL_MARGIN_MS = 30_000;

const USED_UP =
  'the API key of this job has expired, and its ID token can be exchanged only once: increase ttl_seconds of the trust (at ' +
  'most 900), or submit fewer plans per command';

type Env = Readonly<Record<string, string | undefined>>;

/** Provides ID tokens that identify the CI job. */
export interface IdTokens {
  get(audience: string): Promise<string>;
  /** Whether the job can request more tokens; each token can be exchanged only once. */
  renewable: boolean;
}

/**
 * Finds the source of ID tokens of this job; undefined outside of CI, and in jobs that cannot get a token.
 *
 * @see GitHub, "OpenID Connect reference"; GitLab, "ID token authentication": the GitLab job configures the variable name
 */
export function findIdTokens(env: Env): IdTokens | undefined {
  const { DPA_ID_TOKEN: given, ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
  if (given) return { get: async () => given, renewable: false };
  if (url && token) return { get: (audience) => requestGitHubIdToken(url, token, audience), renewable: true };
  return undefined;
}

/**
 * Exchanges CI tokens for API keys that expire after minutes, and gets a new key shortly before the last one expires.
 *
 * @param dpa a client without a credential
 * @returns a function that gets a key; it throws Failure if CI provides no (more) token or the organization does not trust it
 */
export function createCiKeyProvider(
  dpa: Pick<Client, 'call'>,
  { org_id, audience, idTokens }: { org_id: string; audience: string; idTokens: IdTokens },
): () => Promise<string> {
  let key: { value: string; ends_at: number } | undefined;
  return async () => {
    const margin = idTokens.renewable ? RENEWAL_MARGIN_MS : 0;
    if (key !== undefined && Date.now() < key.ends_at - margin) return key.value;
    if (key !== undefined && !idTokens.renewable) throw new Failure(USED_UP);
    const { access_token, expires_in } = await exchangeIdToken(dpa, org_id, await idTokens.get(audience));
    key = { value: access_token, ends_at: Date.now() + expires_in * 1_000 };
    return key.value;
  };
}

async function exchangeIdToken(dpa: Pick<Client, 'call'>, org_id: string, subject_token: string) {
  const body = { grant_type: GRANT_TYPE, subject_token, subject_token_type: TOKEN_TYPE, audience: org_id };
  try {
    return await dpa.call('exchangeToken', { body });
  } catch (error) {
    if (!(error instanceof DpaApiError)) throw error;
    throw new Failure(
      `the service rejected the token of this CI job: ${error.message}; see docs/integrating.md, "A short-lived key for CI"`,
    );
  }
}

async function requestGitHubIdToken(request_url: string, token: string, audience: string): Promise<string> {
  const url = new URL(request_url);
  url.searchParams.set('audience', audience);
  const headers = { authorization: `bearer ${token}`, accept: 'application/json' };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  const answer: unknown = response.ok ? await response.json() : null;
  const value = (answer as { value?: unknown } | null)?.value;
  if (typeof value === 'string') return value;
  throw new Failure(
    `GitHub did not issue an ID token to this job (status ${response.status}). Add \`permissions: id-token: write\` to the job.`,
  );
}
