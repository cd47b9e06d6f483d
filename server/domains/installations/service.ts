import type { GithubApp } from '../../adapters/scm/github-app/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { lockOrg } from '../../db/index.ts';
import { assertFound, ServiceError, Unavailable } from '../../lib/errors.ts';
import { GithubAppError } from '../../lib/github-app.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Scans } from '../scans/index.ts';
import { type ConfirmationsDeps, createConfirmations } from './confirm-service.ts';
import { createInstallCallback, type InstallCallbackDeps } from './install-callback-service.ts';
import { createLinks, type LinksDeps } from './link-service.ts';
import { appNotConfigured } from './no-app.ts';
import { type AppReceiverDeps, createAppReceiver } from './receive-service.ts';
import { keySeals } from './seals.ts';
import * as store from './store.ts';
import type { InstallationAccess, ScmInstallation, ScmRepository } from './types.ts';

export interface InstallationsDeps
  extends LinksDeps,
    Omit<ConfirmationsDeps, 'links' | 'orgs'>,
    Omit<InstallCallbackDeps, 'confirmations' | 'orgs'>,
    Omit<AppReceiverDeps, 'apiKeys'>,
    Pick<ServiceDeps, 'db' | 'sweep_db'> {
  /** null if the deployment has no App. */
  github: GithubApp | null;
  orgs: LinksDeps['orgs'] & InstallCallbackDeps['orgs'];
  scans: Pick<Scans, 'findLatestByRepository'>;
}

/** Installations of the deployment's GitHub App, each linked to one organization. */
export function createInstallations(deps: InstallationsDeps) {
  const { db, sealer, github, scans, apiKeys, audit, authz, now } = deps;
  const links = createLinks(deps);
  const confirmations = createConfirmations({ ...deps, links });
  const callback = createInstallCallback({ ...deps, confirmations });
  const receiver = createAppReceiver(deps);

  /** All linked installations, newest first. */
  async function list(orgId: string): Promise<ScmInstallation[]> {
    return db.readInOrg(orgId, (read) => store.listInstallations(read, orgId));
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<ScmInstallation> {
    const found = assertFound(await db.readInOrg(orgId, (read) => store.findInstallation(read, orgId, id)));
    return found;
  }

  /**
   * One page of the repositories that an installation can read, with the result of their last analysis.
   *
   * @throws NotFound; Unavailable if GitHub does not respond; ServiceError 502 `scm_backend_error` if it rejects the
   *   request, 503 `scm_not_configured`
   */
  async function listRepositories(
    orgId: string,
    id: string,
    page: { limit: number; offset: number },
  ): Promise<{ repositories: ScmRepository[]; total: number }> {
    const { installation_id } = await get(orgId, id);
    if (github === null) throw appNotConfigured();
    const { repositories, total } = await github.listRepositories(installation_id, page).catch((error) => {
      throw error instanceof GithubAppError ? toServiceError(error) : error;
    });
    const names = repositories.map(({ full_name }) => full_name);
    const latest = await scans.findLatestByRepository(orgId, names);
    const unknown = { last_analysis_at: null, last_risk_level: null };
    return { repositories: repositories.map((one) => ({ ...one, ...(latest.get(one.full_name) ?? unknown) })), total };
  }

  /**
   * Unlinks an installation and revokes its key; the App stays installed at GitHub.
   *
   * @throws NotFound
   */
  async function remove({ user }: Principal, orgId: string, id: string): Promise<void> {
    const { api_key_id } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const known = assertFound(await store.lockInstallation(trx, orgId, { id }));
      const at = now();
      const wiped = { api_key_id: null, api_key_ct: null };
      await store.updateInstallation(trx, orgId, id, { ...wiped, updated_at: at, deleted_at: at });
      if (known.api_key_id !== null) await apiKeys.revokeIn(trx, orgId, known.api_key_id, user);
      return known;
    });
    if (api_key_id !== null) authz.announce({ what: 'key', id: api_key_id });
    const actor_email = user.email;
    await audit.record({ action: 'scm_installation.deleted', org_id: orgId, actor_email, detail: { id } });
  }

  /** What a bot needs to act for an installation; undefined if it is unlinked, suspended or uninstalled. */
  async function access(orgId: string, id: string): Promise<InstallationAccess | undefined> {
    const found = await db.readInOrg(orgId, (read) => store.findActive(read, orgId, id));
    if (found === undefined) return undefined;
    const { api_key_ct, ...rest } = found;
    return { id, ...rest, dpa_token: keySeals(sealer, orgId, id).open(api_key_ct) };
  }

  return { ...callback, decide: confirmations.decide, receiver, list, get, listRepositories, remove, access };
}

export type Installations = ReturnType<typeof createInstallations>;

function toServiceError(error: GithubAppError): ServiceError {
  if (error.error_class === 'unavailable') return new Unavailable(`${error.message}; try again`, { cause: error });
  const message = `${error.message}; check whether the App is still installed, and link it again`;
  return new ServiceError(502, 'scm_backend_error', message, {}, { cause: error });
}
