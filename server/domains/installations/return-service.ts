import type { GithubApp } from '../../adapters/github-app/index.ts';
import type { Db, OrgDatabase } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import { GithubAppError } from '../../lib/github-app.ts';
import type { Principal } from '../../lib/principal.ts';
import type { StateSigner } from '../../lib/state-signer.ts';
import type { Logger } from '../../log.ts';
import type { Orgs } from '../orgs/index.ts';
import { denied, landing, type Outcome } from './landing.ts';
import type { Links } from './link-service.ts';
import { noApp } from './no-app.ts';
import { type LinkState, newState, nonceHash, readState, signState } from './state.ts';
import * as store from './states-store.ts';
import type { Return } from './types.ts';

/** How long an installation that somebody asked for may wait for the approval of its account's owner. */
const APPROVAL_MS = 30 * 86_400_000;
const DELETED_AT_ONCE = 1_000;
const INSTALLATION_ID = /^[1-9]\d{0,14}$/;

export interface ReturnsDeps {
  db: OrgDatabase;
  sweep_db: Db;
  /** null where the deployment has no App. */
  github: GithubApp | null;
  states: StateSigner;
  orgs: Pick<Orgs, 'get'>;
  links: Links;
  /** Where people's browsers find the service; null = links are paths. */
  app_url: string | null;
  log: Pick<Logger, 'warn' | 'error'>;
  now: () => Date;
}

/** People who go to GitHub to install the App, and come back. */
export function createReturns(deps: ReturnsDeps) {
  const { db, sweep_db, github, states, orgs, links, app_url, log, now } = deps;

  /** Where the caller chooses an account to install the App on. @throws ServiceError 503 `scm_not_configured` */
  async function installUrl(
    { user }: Principal,
    org_id: string,
  ): Promise<{ install_url: string; state_expires_at: Date }> {
    if (github === null) throw noApp();
    const state = await issue({ org_id, user_id: user.id });
    return { install_url: github.installUrl(signState(states, state)), state_expires_at: new Date(state.exp * 1000) };
  }

  async function issue(content: Omit<LinkState, 'exp' | 'nonce'>): Promise<LinkState> {
    const created_at = now();
    const state = newState(content, created_at);
    const row = { nonce_hash: nonceHash(state), user_id: state.user_id, created_at, expires_at: dateOf(state) };
    await db.inOrg(state.org_id, (trx) => store.insertState(trx, state.org_id, row));
    return state;
  }

  /**
   * Takes in a person whom GitHub sent back, and says where they go on. Whatever came with them may be forged: an
   * installation is linked when the state was signed here, was not used before, and GitHub says that its own user who
   * brings the code may see that installation.
   */
  async function complete(back: Return): Promise<string> {
    const state = readState(states, back.state);
    if (github === null || state === undefined) return landing(app_url, undefined, denied('invalid_state'));
    let slug: string | undefined;
    try {
      ({ slug } = await orgs.get(state.org_id));
      const end = await settle(github, state, back);
      return typeof end === 'string' ? end : landing(app_url, slug, end);
    } catch (error) {
      if (error instanceof NotFound) return landing(app_url, undefined, denied('invalid_state'));
      logFailure(error, state);
      return landing(app_url, slug, denied('exchange_failed'));
    }
  }

  function logFailure(err: unknown, { org_id }: LinkState): void {
    const level = err instanceof GithubAppError ? 'warn' : 'error';
    log[level]({ err, org_id }, 'an installation of the GitHub App was not linked');
  }

  /** @returns how it ended, or an address of GitHub where it goes on */
  async function settle(github: GithubApp, state: LinkState, back: Return): Promise<Outcome | string> {
    const { org_id, user_id } = state;
    const nonce_hash = nonceHash(state);
    const is_ours = await db.inOrg(org_id, (trx) => store.useState(trx, org_id, { nonce_hash, user_id }, now()));
    if (!is_ours) return denied('invalid_state');
    if (back.error !== undefined) return denied('access_denied');
    const installation_id = state.installation_id === undefined ? idOf(back) : state.installation_id;
    if (back.code === undefined) return askForCode(github, state, installation_id);
    if (installation_id === null) return awaitApproval(github, state, back.code);

    const hosted = await github.findInstallation(back.code, installation_id);
    if (hosted === undefined) return denied('installation_not_yours');
    const outcome = await links.link({ org_id, user_id }, hosted);
    if (outcome === 'linked') return { scm: 'connected' };
    return denied(outcome === 'not_waiting' ? 'invalid_state' : outcome);
  }

  /** GitHub gives no code to who asks for an installation or changes one: they are sent once more, to say who they are. */
  async function askForCode(github: GithubApp, state: LinkState, installation_id: number | null) {
    if (state.installation_id !== undefined) return denied('exchange_failed');
    const { org_id, user_id } = state;
    return github.authorizeUrl(signState(states, await issue({ org_id, user_id, installation_id })));
  }

  /** What was asked for is known by the login of who asked: GitHub names it when the installation comes. */
  async function awaitApproval(github: GithubApp, state: LinkState, code: string): Promise<Outcome> {
    const account_login = await github.loginOf(code);
    const waiting = { account_login, expires_at: new Date(now().getTime() + APPROVAL_MS) };
    const { org_id } = state;
    await db.inOrg(org_id, (trx) => store.awaitApproval(trx, org_id, nonceHash(state), waiting));
    return { scm: 'pending' };
  }

  async function deleteExpiredStates(): Promise<void> {
    let deleted = DELETED_AT_ONCE;
    while (deleted === DELETED_AT_ONCE) deleted = await store.deleteExpired(sweep_db, now(), DELETED_AT_ONCE);
  }

  return { installUrl, complete, deleteExpiredStates };
}

/** What is no id stands for an installation that nobody has. */
function idOf({ installation_id }: Return): number | null {
  if (installation_id === undefined) return null;
  return INSTALLATION_ID.test(installation_id) ? Number(installation_id) : 0;
}

function dateOf({ exp }: LinkState): Date {
  return new Date(exp * 1000);
}
