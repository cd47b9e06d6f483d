import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import { type AcceptDelivery, type ReceivedHeaders, readDelivery } from '../webhooks/index.ts';
import { confirmPage } from './confirm-page.ts';
import type { Installations } from './service.ts';
import type { ScmInstallation, ScmRepository } from './types.ts';

type InstallationOperations =
  | 'listScmInstallations'
  | 'createScmInstallUrl'
  | 'completeGithubInstallation'
  | 'confirmGithubInstallation'
  | 'listScmRepositories'
  | 'deleteScmInstallation'
  | 'receiveGithubAppWebhook';

/** Set with the confirmation page and sent with its form: only to this host, and only from its own pages. */
const COOKIE = '__Host-dpa-link';
const COOKIE_ATTRIBUTES = 'Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Strict';

/** `attachment` of the request is the TakeIn of the delivery. */
export function installationBodyReaders({ receiver }: Pick<Installations, 'receiver'>) {
  return {
    receiveGithubAppWebhook: async ({ headers }: { headers: ReceivedHeaders }) => readDelivery(receiver.open(headers)),
  };
}

/** Records that must exist before the query of a request is validated. */
export function installationPathChecks({ get }: Pick<Installations, 'get'>) {
  return {
    listScmRepositories: ({ org_id, path }: { org_id: string; path: Record<string, string> }) =>
      get(org_id, path['installation_row_id'] ?? ''),
  };
}

export function installationRoutes(
  installations: Installations,
  { app_url, api_url }: BaseUrls,
): Pick<Handlers, InstallationOperations> {
  return {
    async listScmInstallations({ org }) {
      const found = await installations.list(org.id);
      return { status: 200, body: { scm_installations: found.map(installationRecord), total: found.length } };
    },

    async createScmInstallUrl({ principal, org }) {
      const { install_url, state_expires_at } = await installations.installUrl(principal, org.id);
      return { status: 200, body: { install_url, state_expires_at: state_expires_at.toISOString() } };
    },

    async completeGithubInstallation({ query }) {
      const end = await installations.complete(query);
      if ('location' in end) return { status: 302, headers: { Location: end.location } };
      const headers = { 'Set-Cookie': `${COOKIE}=${end.prompt.browser}; ${COOKIE_ATTRIBUTES}` };
      return { status: 200, body: confirmPage(end.prompt, app_url ?? api_url), headers };
    },

    async confirmGithubInstallation({ body, cookies }) {
      return { status: 303, headers: { Location: await installations.decide({ ...body, browser: cookies[COOKIE] }) } };
    },

    async listScmRepositories({ org, path, query: { limit, offset } }) {
      const page = { limit, offset };
      const { repositories, total } = await installations.listRepositories(org.id, path.installation_row_id, page);
      return { status: 200, body: { repositories: repositories.map(repositoryRecord), total, limit, offset } };
    },

    async deleteScmInstallation({ principal, org, path }) {
      await installations.remove(principal, org.id, path.installation_row_id);
      return { status: 204 };
    },

    async receiveGithubAppWebhook({ attachment }) {
      const body = await (attachment as AcceptDelivery)();
      return body.accepted ? { status: 202, body } : { status: 200, body };
    },
  };
}

function installationRecord(installation: ScmInstallation) {
  return pickFields(installation, [
    'id',
    'provider',
    'installation_id',
    'account_login',
    'account_type',
    'account_avatar_url',
    'repository_selection',
    'permissions',
    'status',
    'html_url',
    'linked_by',
    'created_at',
    'updated_at',
  ]);
}

function repositoryRecord(repository: ScmRepository) {
  return pickFields(repository, [
    'id',
    'full_name',
    'private',
    'default_branch',
    'last_analysis_at',
    'last_risk_level',
  ]);
}
