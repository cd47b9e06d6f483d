import type { ServiceDeps } from '../../contract/service-deps.ts';
import { NotFound } from '../../lib/errors.ts';
import type { StateSigner } from '../../lib/state-signer.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import type { Orgs } from '../orgs/index.ts';
import { buildCallbackRedirect, type CallbackOutcome, toDenial } from './callback-redirect.ts';
import type { Links } from './link-service.ts';
import { hashText, type LinkState, newState, randomText, readState, signState } from './state.ts';
import * as states_store from './states-store.ts';
import { findEmail } from './store.ts';
import type { ConfirmationPrompt, Decision, LinkRequester, ManagedInstallation } from './types.ts';

export interface ConfirmationsDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  states: StateSigner;
  orgs: Pick<Orgs, 'get'>;
  links: Links;
  base_urls: BaseUrls;
}

/**
 * The person who manages an installation confirms its organization, because a link can be opened by another person than
 * the one who requested it.
 *
 * @see docs/adr/0025-confirm-github-installations.md
 */
export function createConfirmations({ db, states, orgs, links, base_urls, now }: ConfirmationsDeps) {
  /**
   * The confirmation to show to the returning person, valid for ten minutes in this browser. @throws NotFound without
   * the organization
   */
  async function createPrompt(
    { org_id, user_id }: LinkRequester,
    managed: ManagedInstallation,
  ): Promise<ConfirmationPrompt> {
    const { display_name, slug } = await orgs.get(org_id);
    const created_at = now();
    const state = newState({ org_id, user_id }, created_at);
    const browser = randomText();
    const row = {
      nonce_hash: hashText(state.nonce),
      browser_hash: hashText(browser),
      user_id,
      created_at,
      expires_at: new Date(state.exp * 1000),
    };
    const requested_by = await db.inOrg(org_id, async (trx) => {
      await states_store.insertConfirmation(trx, org_id, { ...row, ...managed });
      return findEmail(trx, user_id);
    });
    return {
      token: signState(states, 'scm_confirm', state),
      browser,
      org: { display_name, slug },
      requested_by,
      ...managed,
    };
  }

  /** Links the installation or not, as the person decided. @returns the redirect target */
  async function decide({ token, browser, decision }: Decision): Promise<string> {
    const state = readState(states, 'scm_confirm', token);
    if (state === undefined) return buildCallbackRedirect(base_urls, undefined, toDenial('confirmation_invalid'));
    try {
      const { slug } = await orgs.get(state.org_id);
      return buildCallbackRedirect(base_urls, slug, await settle(state, hashText(browser ?? ''), decision));
    } catch (error) {
      if (error instanceof NotFound)
        return buildCallbackRedirect(base_urls, undefined, toDenial('confirmation_invalid'));
      throw error;
    }
  }

  async function settle(
    state: LinkState,
    browser_hash: Buffer,
    decision: Decision['decision'],
  ): Promise<CallbackOutcome> {
    const { org_id, user_id } = state;
    const key = { nonce_hash: hashText(state.nonce), user_id, browser_hash };
    if (decision === 'cancel') {
      const used = await db.inOrg(org_id, (trx) => states_store.useConfirmation(trx, org_id, key, now()));
      return toDenial(used === undefined ? 'confirmation_invalid' : 'access_denied');
    }
    const outcome = await links.link({ org_id, user_id }, (trx) =>
      states_store.useConfirmation(trx, org_id, key, now()),
    );
    return outcome === 'linked' ? { scm: 'connected' } : toDenial(outcome);
  }

  return { createPrompt, decide };
}

export type Confirmations = ReturnType<typeof createConfirmations>;
