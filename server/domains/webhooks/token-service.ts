import type { ProbeToken, TokenProbe } from '../../adapters/scm/token/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound, NotFound } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { configSeals } from './seals.ts';
import { findConfig } from './store.ts';
import { earlier, parseEnd, tokenPrefix, tokenRefused, toRepository } from './token.ts';
import * as store from './tokens-store.ts';
import type { Target, TokenInput, WebhookConfig } from './types.ts';

const DAY_MS = 86_400_000;
/** Many concurrent rejections of a bot cause one validation. */
const RECHECKED_AT_MOST_EVERY_MS = 10 * 60_000;
/** Concurrently, because a stopping process waits for them. */
const CHECKED_AT_ONCE = 20;

export interface TokensDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sealer' | 'now'> {
  audit: AuditWriter;
  probeToken: ProbeToken;
}

export function createTokens({ db, platform_db, sealer, audit, probeToken, now }: TokensDeps) {
  /**
   * Validates a token at its host before it is stored.
   *
   * @returns what to store of it
   * @throws InvalidInput; ServiceError 422 `api_token_expired`, `api_token_invalid`, `api_token_insufficient_scope`, or
   *   `scm_host_unreachable` if the host gives no result
   */
  async function check(orgId: string, id: string, target: Target, input: TokenInput): Promise<store.TokenRow> {
    const { api_token } = input;
    const repository = toRepository(target);
    const end = parseEnd(input, now());
    const probe = await probeToken(repository, api_token);
    if (probe.status !== 'active') throw tokenRefused(probe.status, probe.problem);
    return {
      api_token_ct: configSeals(sealer, orgId, id).seal('api_token_ct', api_token),
      api_token_prefix: tokenPrefix(api_token),
      api_token_status: probe.status,
      api_token_expires_at: earlier(end, probe.expires_at),
      api_token_checked_at: now(),
      api_user_id: probe.user_id,
    };
  }

  /**
   * Replaces the token of a repository after its host has accepted it.
   *
   * @throws NotFound; errors of `check`
   */
  async function set({ user }: Principal, orgId: string, id: string, input: TokenInput): Promise<WebhookConfig> {
    const found = assertFound(await db.readInOrg(orgId, (read) => findConfig(read, orgId, id)));
    const token = await check(orgId, id, found, input);
    const config = await db.inOrg(orgId, async (trx) => {
      assertFound(await store.setToken(trx, orgId, id, { token, updated_at: now() }));
      return assertFound(await findConfig(trx, orgId, id));
    });
    await audit.record({
      action: 'webhook_config.token_updated',
      org_id: orgId,
      actor_email: user.email,
      detail: {
        config_id: id,
        token_cleared: false,
        api_token_prefix: tokenPrefix(input.api_token),
        api_token_status: 'active',
      },
    });
    return config;
  }

  /** Deletes the token. @throws NotFound, also if there is none */
  async function clear({ user }: Principal, orgId: string, id: string): Promise<void> {
    const change = { token: store.NO_TOKEN, updated_at: now() };
    await db.inOrg(orgId, async (trx) => {
      if (!(await store.setToken(trx, orgId, id, change))) throw new NotFound();
    });
    const detail = { config_id: id, token_cleared: true };
    await audit.record({
      action: 'webhook_config.token_updated',
      org_id: orgId,
      actor_email: user.email,
      detail,
    });
  }

  /** Validates the token now, and stores the result; undefined if there is none. */
  async function probe(orgId: string, id: string): Promise<TokenProbe | undefined> {
    const token = await db.readInOrg(orgId, (read) => store.findToken(read, orgId, id));
    return token === undefined ? undefined : judge(orgId, id, token);
  }

  /** Called after a rejection with 401 or 403: validates the token at its host, every ten minutes at most. */
  async function recheck(orgId: string, id: string): Promise<void> {
    const at = now();
    const before = new Date(at.getTime() - RECHECKED_AT_MOST_EVERY_MS);
    const token = await db.inOrg(orgId, (trx) => store.claimCheck(trx, orgId, id, { before, at }));
    if (token !== undefined) await judge(orgId, id, token);
  }

  /** Validates tokens that were not validated for a day. */
  async function recheckAll(): Promise<void> {
    const before = new Date(now().getTime() - DAY_MS);
    const unchecked = await store.listUnchecked(platform_db, before, CHECKED_AT_ONCE);
    await Promise.all(unchecked.map(({ org_id, id }) => recheck(org_id, id)));
  }

  async function judge(orgId: string, id: string, token: store.SealedToken): Promise<TokenProbe> {
    const { api_token_ct, api_token_expires_at, ...repository } = token;
    const found: TokenProbe =
      api_token_expires_at !== null && api_token_expires_at <= now()
        ? { status: 'expired', problem: `it expired at ${api_token_expires_at.toISOString()}; set a new one` }
        : await probeToken(repository, configSeals(sealer, orgId, id).open('api_token_ct', api_token_ct));
    // An unreachable host gives no result about the token.
    if (found.status === 'unknown') return found;
    const noted = { api_token_ct, api_token_status: found.status };
    const user = found.status === 'active' ? { api_user_id: found.user_id } : {};
    await db.inOrg(orgId, (trx) => store.noteCheck(trx, orgId, id, { ...noted, ...user }));
    return found;
  }

  return { check, set, clear, probe, recheck, recheckAll };
}

export type Tokens = ReturnType<typeof createTokens>;
