import type { GithubApp } from '../../adapters/scm/github-app/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { NotFound } from '../../lib/errors.ts';
import { GithubAppError } from '../../lib/github-app.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Principal } from '../../lib/principal.ts';
import type { StateSigner } from '../../lib/state-signer.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import type { Logger } from '../../log.ts';
import type { Orgs } from '../orgs/index.ts';
import { buildCallbackRedirect, type CallbackOutcome, toDenial } from './callback-redirect.ts';
import type { Confirmations } from './confirm-service.ts';
import { appNotConfigured } from './no-app.ts';
import { hashText, type LinkState, newState, readState, signState } from './state.ts';
import * as store from './states-store.ts';
import type { CallbackQuery, ConfirmationPrompt } from './types.ts';

const INSTALLATION_ID = /^[1-9]\d{0,14}$/;

export interface InstallCallbackDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'now'> {
  /** null if the deployment has no App. */
  github: GithubApp | null;
  states: StateSigner;
  orgs: Pick<Orgs, 'get'>;
  confirmations: Pick<Confirmations, 'createPrompt'>;
  base_urls: BaseUrls;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** People who go to GitHub to install the App, and return. */
export function createInstallCallback(deps: InstallCallbackDeps) {
  const { db, sweep_db, github, states, orgs, confirmations, base_urls, log, now } = deps;

  /**
   * The URL where the caller chooses an account to install the App on. @throws ServiceError 503 `scm_not_configured`
   */
  async function installUrl(
    { user }: Principal,
    org_id: string,
  ): Promise<{ install_url: string; state_expires_at: Date }> {
    if (github === null) throw appNotConfigured();
    const state = await issue({ org_id, user_id: user.id });
    return {
      install_url: github.installUrl(signState(states, 'scm', state)),
      state_expires_at: new Date(state.exp * 1000),
    };
  }

  async function issue(content: Omit<LinkState, 'exp' | 'nonce'>): Promise<LinkState> {
    const created_at = now();
    const state = newState(content, created_at);
    const row = {
      nonce_hash: hashText(state.nonce),
      user_id: state.user_id,
      created_at,
      expires_at: toExpiryDate(state),
    };
    await db.inOrg(state.org_id, (trx) => store.insertState(trx, state.org_id, 'scm', row));
    return state;
  }

  /**
   * Handles a person whom GitHub sent back, and returns their next URL. All parameters can be forged, and the person
   * may have followed another person's link, so nothing is linked here. The confirmation page is shown if this service
   * signed the state, it was not used before, and GitHub reports that the user of the code manages the installation.
   */
  async function complete(query: CallbackQuery): Promise<{ location: string } | { prompt: ConfirmationPrompt }> {
    const state = readState(states, 'scm', query.state);
    const invalid_redirect = { location: buildCallbackRedirect(base_urls, undefined, toDenial('invalid_state')) };
    if (github === null || state === undefined) return invalid_redirect;
    let slug: string | undefined;
    try {
      ({ slug } = await orgs.get(state.org_id));
      const end = await settle(github, state, query);
      return 'scm' in end ? { location: buildCallbackRedirect(base_urls, slug, end) } : end;
    } catch (error) {
      if (error instanceof NotFound) return invalid_redirect;
      logFailure(error, state);
      return { location: buildCallbackRedirect(base_urls, slug, toDenial('exchange_failed')) };
    }
  }

  function logFailure(err: unknown, { org_id }: LinkState): void {
    const level = err instanceof GithubAppError ? 'warn' : 'error';
    log[level]({ err, org_id }, 'a GitHub App installation was not linked');
  }

  /** @returns the outcome, or the next step: GitHub again, or the confirmation page */
  async function settle(
    github: GithubApp,
    state: LinkState,
    query: CallbackQuery,
  ): Promise<CallbackOutcome | { location: string } | { prompt: ConfirmationPrompt }> {
    const { org_id, user_id } = state;
    const key = { nonce_hash: hashText(state.nonce), user_id };
    const is_ours = await db.inOrg(org_id, (trx) => store.useState(trx, org_id, 'scm', key, now()));
    if (!is_ours) return toDenial('invalid_state');
    if (query.error !== undefined) return toDenial('access_denied');
    const installation_id = state.installation_id ?? parseInstallationId(query);
    // An owner of the account must approve first; afterwards, a manager of the account opens a new link.
    if (installation_id === null) return { scm: 'pending' };
    if (query.code === undefined) return askForCode(github, state, installation_id);

    const managed = await github.findManaged(query.code, installation_id);
    if (managed === undefined) return toDenial('installation_not_yours');
    return { prompt: await confirmations.createPrompt({ org_id, user_id }, managed) };
  }

  /** GitHub sends no code to a person who changes an installation, so they are sent to GitHub once more to sign in. */
  async function askForCode(github: GithubApp, state: LinkState, installation_id: number) {
    if (state.installation_id !== undefined) return toDenial('exchange_failed');
    const { org_id, user_id } = state;
    const next = await issue({ org_id, user_id, installation_id });
    return { location: github.authorizeUrl(signState(states, 'scm', next)) };
  }

  async function deleteExpiredStates(): Promise<void> {
    await inBatches((limit) => store.deleteExpired(sweep_db, now(), limit));
  }

  return { installUrl, complete, deleteExpiredStates };
}

/** An invalid id stands for an installation that does not exist. */
function parseInstallationId({ installation_id }: CallbackQuery): number | null {
  if (installation_id === undefined) return null;
  return INSTALLATION_ID.test(installation_id) ? Number(installation_id) : 0;
}

function toExpiryDate({ exp }: LinkState): Date {
  return new Date(exp * 1000);
}
