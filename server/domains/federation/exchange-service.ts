import type { WorkloadIssuers, WorkloadToken } from '../../adapters/workload-identity/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { assertHourlyLimit, type HourlyLimit } from '../../lib/hourly-limit.ts';
import { meetsAll } from './conditions.ts';
import { type ExchangeRequest, readExchange } from './exchange-request.ts';
import { MAX_TTL_SECONDS } from './info.ts';
import { federationNotConfigured } from './service.ts';
import * as store from './store.ts';
import type { EphemeralKeys, ExchangedKey, ExchangeForm, FederationScope, TrustCandidate } from './types.ts';

/** Per trust. */
const LIMIT: HourlyLimit = { most: 120, message: 'this trust has created 120 keys within an hour; try again later' };

export interface TokenExchangeDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  issuers: WorkloadIssuers;
  apiKeys: Pick<EphemeralKeys, 'mintEphemeral'>;
  /** null: no token can have been issued for this deployment. */
  api_url: string | null;
}

/** Exchanges tokens of CI jobs for short-lived API keys; see RFC 8693. */
export function createTokenExchange({ db, issuers, apiKeys, api_url, now }: TokenExchangeDeps) {
  /**
   * Exchanges a token for a key of the first trust whose conditions it meets and whose scopes include the requested
   * ones. The key acts for the trust's creator. A token can be exchanged once.
   *
   * @throws InvalidInput with an OAuth 2.0 error code, and the same message whether the organization or a matching
   *   trust is missing; TooManyRequests above 120 keys an hour of one trust; Unavailable if the keys of the issuer
   *   cannot be fetched; ServiceError 503 `federation_not_configured`
   */
  async function exchange(form: ExchangeForm): Promise<ExchangedKey> {
    if (api_url === null) throw federationNotConfigured('API_URL');
    const request = readExchange(form);
    const issuer = issuers.inspect(request.token, api_url);
    const { org_id } = request;
    if (org_id === null) throw noTrust();
    const candidates = await db.readInOrg(org_id, (read) => store.listCandidates(read, org_id, issuer, now()));
    // Keys are not fetched from an issuer that only the token names.
    if (candidates.length === 0) throw noTrust();
    const token = await verified(request.token, { issuer, audience: api_url });
    const trust = chooseTrust(candidates, token, request);
    return mint(org_id, trust, token, request.scopes ?? trust.scopes);
  }

  /** A bad signature and an untrusted issuer give the same error, so that it reveals nothing. */
  async function verified(token: string, expected: { issuer: string; audience: string }): Promise<WorkloadToken> {
    try {
      return await issuers.verify(token, expected);
    } catch (error) {
      throw error instanceof InvalidInput ? noTrust() : error;
    }
  }

  async function mint(
    org_id: string,
    trust: TrustCandidate,
    { issuer, jti, subject }: WorkloadToken,
    scopes: readonly FederationScope[],
  ): Promise<ExchangedKey> {
    const expires_in = Math.min(trust.ttl_seconds, MAX_TTL_SECONDS);
    const exchanged_at = now();
    const expires_at = new Date(exchanged_at.getTime() + expires_in * 1000);
    return db.inOrg(org_id, async (trx) => {
      if (!(await store.useTrust(trx, org_id, trust.id, exchanged_at))) throw noTrust();
      await assertHourlyLimit(LIMIT, exchanged_at, (range) => store.findNthExchange(trx, org_id, trust.id, range));
      const { id: trust_id, name, created_by: user_id } = trust;
      const key = await apiKeys.mintEphemeral(trx, org_id, {
        name,
        scopes: [...scopes],
        user_id,
        trust_id,
        expires_at,
      });
      const row = { trust_id, issuer, jti, subject, key_id: key.id, exchanged_at, expires_at };
      if (!(await store.insertExchange(trx, org_id, row))) throw refused('this token was already exchanged');
      return { access_token: key.token, expires_in, scopes: [...scopes], org_id };
    });
  }

  return { exchange };
}

export type TokenExchange = ReturnType<typeof createTokenExchange>;

function chooseTrust(candidates: readonly TrustCandidate[], token: WorkloadToken, { scopes }: ExchangeRequest) {
  const fitting = candidates.filter((trust) => meetsAll(trust.conditions, token.claims));
  if (fitting.length === 0) throw noTrust();
  const covering = fitting.filter((trust) => scopes === null || scopes.every((scope) => trust.scopes.includes(scope)));
  if (covering.length === 0) {
    throw new InvalidInput('the trust that matches this token does not grant every requested scope', 'invalid_scope');
  }
  const trust = covering.find(({ owner_is_live }) => owner_is_live);
  if (trust === undefined) {
    throw refused('the creator of the trust that matches this token has left the organization; create the trust again');
  }
  return trust;
}

function noTrust(): InvalidInput {
  return refused('no trust of the organization matches this token');
}

function refused(message: string): InvalidInput {
  return new InvalidInput(message, 'invalid_grant');
}
