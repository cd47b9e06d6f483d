import type { ChatApp } from '../../adapters/slack/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { StateSigner } from '../../lib/state-signer.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import {
  hashText,
  insertState,
  type LinkState,
  newState,
  randomText,
  readState,
  signState,
  useState,
} from '../installations/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Installs } from './install-service.ts';
import { appNotConfigured } from './no-app.ts';
import { buildReturnRedirect, toDenial } from './return-redirect.ts';
import * as store from './store.ts';
import type { CallbackQuery, Decision, InstallPrompt, ReturnOutcome } from './types.ts';

/** Codes of Slack, which become part of a cookie. */
const CODE = /^[\w.-]{1,500}$/;

export interface CallbackDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  /** null if the deployment has no app. */
  app: ChatApp | null;
  states: StateSigner;
  orgs: Pick<Orgs, 'get' | 'assertFeature'>;
  installs: Installs;
  base_urls: BaseUrls;
}

/**
 * People who go to Slack to approve the app, and return. A link can be opened by another person than the one who
 * requested it, so that person confirms the organization before the code of the approval is exchanged.
 *
 * @see docs/adr/0044-a-workspace-belongs-to-one-organization.md
 */
export function createCallback({ db, app, states, orgs, installs, base_urls, now }: CallbackDeps) {
  /**
   * The URL where a person approves the app. @throws ServiceError 503 `chat_not_configured`; PaymentRequired
   */
  async function installUrl(
    { user }: Principal,
    org_id: string,
  ): Promise<{ authorize_url: string; state_expires_at: Date }> {
    await db.inOrg(org_id, (trx) => orgs.assertFeature(trx, org_id, 'chat'));
    if (app === null) throw appNotConfigured();
    const state = await issue({ org_id, user_id: user.id });
    return {
      authorize_url: app.authorizeUrl(signState(states, 'chat', state)),
      state_expires_at: new Date(state.exp * 1_000),
    };
  }

  /** @param browser the secret that the state is bound to; absent before the browser is known */
  async function issue(requester: { org_id: string; user_id: string }, browser?: string): Promise<LinkState> {
    const created_at = now();
    const state = newState(requester, created_at);
    const bound = browser === undefined ? {} : { browser_hash: hashText(browser) };
    const row = { nonce_hash: hashText(state.nonce), user_id: state.user_id, created_at, ...bound };
    const purpose = browser === undefined ? 'chat' : 'chat_confirm';
    const expires_at = new Date(state.exp * 1_000);
    await db.inOrg(state.org_id, (trx) => insertState(trx, state.org_id, purpose, { ...row, expires_at }));
    return state;
  }

  /**
   * Handles a person whom Slack sent back. All parameters can be forged, so nothing is installed here.
   *
   * @returns the confirmation to show, or where to send the person
   */
  async function complete(query: CallbackQuery): Promise<{ location: string } | { prompt: InstallPrompt }> {
    const state = readState(states, 'chat', query.state);
    const org = state === undefined ? undefined : await findOrg(state);
    const end = (outcome: ReturnOutcome) => ({ location: buildReturnRedirect(base_urls, org?.slug, outcome) });
    if (app === null || state === undefined || org === undefined) return end(toDenial('invalid_state'));
    const { org_id, user_id } = state;
    const key = { nonce_hash: hashText(state.nonce), user_id };
    const is_ours = await db.inOrg(org_id, (trx) => useState(trx, org_id, 'chat', key, now()));
    if (!is_ours) return end(toDenial('invalid_state'));
    if (query.error !== undefined) return end(toDenial('access_denied'));
    if (query.code === undefined || !CODE.test(query.code)) return end(toDenial('exchange_failed'));
    return { prompt: await createPrompt({ org_id, user_id, code: query.code }, org) };
  }

  async function findOrg({ org_id }: LinkState): Promise<{ display_name: string; slug: string } | undefined> {
    try {
      const { display_name, slug } = await orgs.get(org_id);
      return { display_name, slug };
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  /** The code stays in the browser that brought it; only a hash of it is stored. */
  async function createPrompt(
    { org_id, user_id, code }: { org_id: string; user_id: string; code: string },
    org: InstallPrompt['org'],
  ): Promise<InstallPrompt> {
    const browser = `${randomText()}.${code}`;
    const state = await issue({ org_id, user_id }, browser);
    const requested_by = await db.readInOrg(org_id, (read) => store.findEmail(read, user_id));
    return { token: signState(states, 'chat_confirm', state), browser, org, requested_by };
  }

  /** Installs the workspace or not, as the person decided. @returns the redirect target */
  async function decide({ token, browser = '', decision }: Decision): Promise<string> {
    const state = readState(states, 'chat_confirm', token);
    const org = state === undefined ? undefined : await findOrg(state);
    if (state === undefined || org === undefined) {
      return buildReturnRedirect(base_urls, undefined, toDenial('confirmation_invalid'));
    }
    return buildReturnRedirect(base_urls, org.slug, await settle(state, browser, decision));
  }

  async function settle(state: LinkState, browser: string, decision: Decision['decision']): Promise<ReturnOutcome> {
    const { org_id, user_id } = state;
    const key = { nonce_hash: hashText(state.nonce), user_id, browser_hash: hashText(browser) };
    const is_ours = await db.inOrg(org_id, (trx) => useState(trx, org_id, 'chat_confirm', key, now()));
    if (!is_ours) return toDenial('confirmation_invalid');
    if (decision === 'cancel') return toDenial('access_denied');
    const code = browser.slice(browser.indexOf('.') + 1);
    const outcome = await installs.install({ org_id, user_id }, code);
    return outcome === 'installed' ? { chat: 'connected' } : toDenial(outcome);
  }

  return { installUrl, complete, decide };
}

export type Callback = ReturnType<typeof createCallback>;
