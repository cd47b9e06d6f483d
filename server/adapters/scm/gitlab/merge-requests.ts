import type { z } from 'zod';
import { type HostedPullRequest, PlatformError, type PullRequestRef } from '../types.ts';
import type { GitlabApi } from './api.ts';
import { fallbackWhenGone } from './failures.ts';
import { Branch, Commit, ListedMergeRequest, MergeRequest, Pipeline, read, readAll } from './shapes.ts';

export type LoadedMergeRequest = z.infer<typeof MergeRequest>;
/** Where a merged results pipeline runs. GitLab's documentation, "Merged results pipelines" */
export const MERGE_RESULT = /^refs\/merge-requests\/(\d+)\/merge$/;

type Api = () => Promise<GitlabApi>;

/** Reads merge requests. */
export function createMergeRequests(api: Api) {
  /**
   * Finds the newest open merge request with this head or this temporary merge commit (merged results pipelines run on those).
   * A fork can propose one of our commits: the review then belongs to our own merge request.
   */
  async function findPullRequest(repo: string, sha: string): Promise<HostedPullRequest | null> {
    const { commits, projects } = await api();
    const candidates = await fallbackWhenGone(null, () => commits.allMergeRequests(repo, sha, { perPage: 100 }));
    if (candidates === null) {
      // Either the commit or the project is unknown; other requests report an unknown project.
      await projects.show(repo);
      return null;
    }
    const listed = readAll(ListedMergeRequest, candidates).filter((one) => one.state === 'opened' && one.sha === sha);
    const newest = listed.sort((a, b) => Number(isFork(a)) - Number(isFork(b)) || b.iid - a.iid)[0];
    return newest === undefined ? findByMergeResult(repo, sha) : getPullRequest({ repo, pr_number: newest.iid });
  }

  /** Commits do not refer to their merge request, but a pipeline does, with its ref. */
  async function findByMergeResult(repo: string, sha: string): Promise<HostedPullRequest | null> {
    const { pipelines } = await api();
    for (const { ref } of readAll(Pipeline, await pipelines.all(repo, { sha, page: 1, perPage: 20 }))) {
      const iid = MERGE_RESULT.exec(ref)?.[1];
      if (iid === undefined) continue;
      const found = await getPullRequest({ repo, pr_number: Number(iid) });
      const is_current = found.state === 'open' && found.head_sha === (await findMergedHead(repo, sha));
      return is_current ? found : null;
    }
    return null;
  }

  async function getPullRequest(pr: PullRequestRef): Promise<HostedPullRequest> {
    const found = await load(pr);
    if (found.sha == null) throw new PlatformError('gone', 'the merge request has no commits');
    return {
      ...pr,
      url: found.web_url,
      state: found.state === 'closed' || found.state === 'merged' ? found.state : 'open',
      head_sha: found.sha,
      branch: found.source_branch,
      base_sha: await resolveBaseSha(pr.repo, found),
      is_fork: isFork(found),
    };
  }

  async function load({ repo, pr_number }: PullRequestRef): Promise<LoadedMergeRequest> {
    const { mergeRequests } = await api();
    return read(MergeRequest, await mergeRequests.show(repo, pr_number));
  }

  /**
   * The current commit of the target branch. The merge base (`diff_refs.base_sha`) is not used: the author chooses it and
   * could bring back old settings with an old base.
   */
  async function resolveBaseSha(repo: string, { target_branch, diff_refs }: LoadedMergeRequest): Promise<string> {
    const { branches } = await api();
    const branch = await fallbackWhenGone(null, () => branches.show(repo, target_branch));
    const known = branch === null ? (diff_refs?.start_sha ?? diff_refs?.base_sha) : read(Branch, branch).commit.id;
    if (known == null) throw new PlatformError('gone', 'the target branch of the merge request no longer exists');
    return known;
  }

  /**
   * The head of a temporary merge commit of a merged results pipeline: its second parent.
   *
   * @returns null if it is not a merge commit or does not exist
   */
  async function findMergedHead(repo: string, sha: string): Promise<string | null> {
    const { commits } = await api();
    const commit = await fallbackWhenGone(null, () => commits.show(repo, sha));
    if (commit === null) return null;
    const { parent_ids } = read(Commit, commit);
    return parent_ids.length === 2 ? (parent_ids[1] ?? null) : null;
  }

  return { findPullRequest, getPullRequest, load, findMergedHead };
}

function isFork({ source_project_id, target_project_id }: z.infer<typeof ListedMergeRequest>): boolean {
  return source_project_id !== target_project_id;
}

export type MergeRequestReader = ReturnType<typeof createMergeRequests>;
