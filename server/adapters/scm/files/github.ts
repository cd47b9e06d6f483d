import { lazy } from '../../../lib/lazy.ts';
import { openTokenClient } from '../github/client.ts';
import { createHost } from '../github/host.ts';
import { splitRepo } from '../github/repo.ts';
import type { RepositoryAccess, RepositoryDeps } from '../per-repository.ts';
import { PlatformError } from '../types.ts';
import type { RepositoryFiles } from './types.ts';

/**
 * Files of a repository at GitHub, with a personal access token.
 *
 * @see GitHub REST API, Repository contents
 */
export function openGithubFiles(
  { provider_base_url, repo_path, api_token }: RepositoryAccess,
  { fetch, now, log, pace }: RepositoryDeps,
): RepositoryFiles {
  const octokit = lazy(() => openTokenClient(provider_base_url, api_token, fetch, log));
  const host = createHost({ octokit, renew: null, pace, now });

  return {
    async read({ branch, path }) {
      const params = { ...splitRepo(repo_path), path, ...(branch === null ? {} : { ref: branch }) };
      try {
        const file = await host.ask('read', 'read a file', ({ rest }) => rest.repos.getContent(params));
        // Anything else at this path cannot be the file; its creation is then rejected.
        if (Array.isArray(file) || file.type !== 'file' || !('content' in file)) return undefined;
        return Buffer.from(file.content, 'base64').toString();
      } catch (error) {
        if (error instanceof PlatformError && error.error_class === 'gone') return undefined;
        throw error;
      }
    },
    async create({ branch, path, text, message }) {
      const content = Buffer.from(text).toString('base64');
      const params = { ...splitRepo(repo_path), path, message, content, ...(branch === null ? {} : { branch }) };
      await host.ask('create', 'commit a file', ({ rest }) => rest.repos.createOrUpdateFileContents(params));
    },
  };
}
