import { z } from 'zod';
import { lazy } from '../../../lib/lazy.ts';
import { loadApi } from '../gitlab/api.ts';
import { fallbackWhenGone } from '../gitlab/failures.ts';
import { createHttpClient } from '../gitlab/http-client.ts';
import { read } from '../gitlab/shapes.ts';
import type { RepositoryAccess, RepositoryDeps } from '../per-repository.ts';
import { PlatformError } from '../types.ts';
import type { RepositoryFiles } from './types.ts';

const File = z.object({ content: z.string() });
const Project = z.object({ default_branch: z.string().nullish() });

/** Files of a project at GitLab.com or a self-hosted GitLab. @see GitLab REST API, Repository files */
export function openGitlabFiles(
  { provider_base_url, repo_path: repo, api_token }: RepositoryAccess,
  deps: RepositoryDeps,
): RepositoryFiles {
  const api = lazy(() => loadApi(createHttpClient({ ...deps, provider_base_url, api_token })));

  async function resolveBranch(branch: string | null): Promise<string> {
    if (branch !== null) return branch;
    const { default_branch } = read(Project, await (await api()).projects.show(repo));
    if (default_branch) return default_branch;
    throw new PlatformError('gone', 'the project has no default branch: push a first commit to it');
  }

  return {
    async read({ branch, path }) {
      const [{ files }, ref] = [await api(), await resolveBranch(branch)];
      const found = await fallbackWhenGone(null, () => files.show(repo, path, ref));
      return found === null ? undefined : Buffer.from(read(File, found).content, 'base64').toString();
    },
    async create({ branch, path, text, message }) {
      const [{ files }, target] = [await api(), await resolveBranch(branch)];
      await files.create(repo, path, target, text, message);
    },
  };
}
