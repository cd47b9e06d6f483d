import type { Octokit } from '@octokit/rest';
import type { GithubAppSettings } from '../../../lib/github-app.ts';
import { appToken } from './app-token.ts';
import { callGithub, openClient } from './client.ts';
import { findManaged } from './managed.ts';
import type { GithubApp, HostedRepository } from './types.ts';
import { userToken } from './user-token.ts';

export type { GithubApp, HostedRepository, ManagedInstallation } from './types.ts';

const PER_PAGE = 100;

/** Calls GitHub, or the operator's GitHub Enterprise Server, as the App. */
export function createGithubApp(settings: GithubAppSettings, now: () => Date = () => new Date()): GithubApp {
  const { api_url } = settings;

  async function asUser(code: string): Promise<Octokit> {
    return openClient(api_url, `Bearer ${await userToken(settings, code)}`);
  }

  async function asInstallation(installation_id: number): Promise<Octokit> {
    const app = openClient(api_url, `Bearer ${await appToken(settings, now())}`);
    const { data } = await callGithub('the token of an installation', () =>
      app.apps.createInstallationAccessToken({ installation_id, permissions: { metadata: 'read' } }),
    );
    return openClient(api_url, `Bearer ${data.token}`);
  }

  return {
    installUrl: (state) => withState(`${settings.web_url}${appPath(settings)}/installations/new`, { state }),
    authorizeUrl: (state) =>
      withState(`${settings.web_url}/login/oauth/authorize`, { client_id: settings.client_id, state }),

    async findManaged(code, installation_id) {
      const user = await asUser(code);
      return callGithub('the installations of a user', () =>
        findManaged(user, installation_id, async () => {
          const client = await asInstallation(installation_id);
          return (await client.apps.listReposAccessibleToInstallation({ per_page: 1 })).data.total_count;
        }),
      );
    },

    async listRepositories(installation_id, page) {
      const client = await asInstallation(installation_id);
      return callGithub('the repositories of an installation', () => fetchRepositories(client, page));
    },
  };
}

/** @see GitHub's documentation, "Sharing your GitHub App": GitHub Enterprise Server uses another path */
function appPath({ web_url, slug }: GithubAppSettings): string {
  const { hostname } = new URL(web_url);
  return hostname === 'github.com' || hostname.endsWith('.ghe.com') ? `/apps/${slug}` : `/github-apps/${slug}`;
}

function withState(url: string, query: Record<string, string>): string {
  return `${url}?${new URLSearchParams(query)}`;
}

/** The GitHub pages (100 items each) that overlap the requested page. */
async function fetchRepositories(client: Octokit, { limit, offset }: { limit: number; offset: number }) {
  const first = Math.floor(offset / PER_PAGE);
  const repositories: HostedRepository[] = [];
  let total = 0;
  for (let index = first; index * PER_PAGE < offset + limit; index += 1) {
    const { data } = await client.apps.listReposAccessibleToInstallation({ per_page: PER_PAGE, page: index + 1 });
    total = data.total_count;
    repositories.push(...data.repositories.map(toRepository));
    if (data.repositories.length < PER_PAGE) break;
  }
  const skipped = offset - first * PER_PAGE;
  return { repositories: repositories.slice(skipped, skipped + limit), total };
}

function toRepository({ id, full_name, private: is_private, default_branch }: HostedRepository): HostedRepository {
  return { id, full_name, private: is_private, default_branch };
}
