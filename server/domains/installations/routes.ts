import type { Handlers } from '../../contract/operation.ts';
import { type ReceivedHeaders, readDelivery, type TakeIn } from '../webhooks/index.ts';
import type { Installations } from './service.ts';
import type { ScmInstallation, ScmRepository } from './types.ts';

type InstallationOperations =
  | 'listScmInstallations'
  | 'createScmInstallUrl'
  | 'completeGithubInstallation'
  | 'listScmRepositories'
  | 'deleteScmInstallation'
  | 'receiveGithubAppWebhook';

/** `attachment` of the request is the TakeIn of the delivery. */
export function installationBodyReaders({ receiver }: Pick<Installations, 'receiver'>) {
  return {
    receiveGithubAppWebhook: async ({ headers }: { headers: ReceivedHeaders }) => readDelivery(receiver.open(headers)),
  };
}

export function installationRoutes(installations: Installations): Pick<Handlers, InstallationOperations> {
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
      return { status: 302, headers: { Location: await installations.complete(query) } };
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
      const body = await (attachment as TakeIn)();
      return body.accepted ? { status: 202, body } : { status: 200, body };
    },
  };
}

function installationRecord(installation: ScmInstallation) {
  return {
    id: installation.id,
    provider: installation.provider,
    installation_id: installation.installation_id,
    account_login: installation.account_login,
    account_type: installation.account_type,
    account_avatar_url: installation.account_avatar_url,
    repository_selection: installation.repository_selection,
    permissions: installation.permissions,
    status: installation.status,
    html_url: installation.html_url,
    linked_by: installation.linked_by,
    created_at: installation.created_at.toISOString(),
    updated_at: installation.updated_at.toISOString(),
  };
}

function repositoryRecord(repository: ScmRepository) {
  return {
    id: repository.id,
    full_name: repository.full_name,
    private: repository.private,
    default_branch: repository.default_branch,
    last_analysis_at: repository.last_analysis_at?.toISOString() ?? null,
    last_risk_level: repository.last_risk_level,
  };
}
