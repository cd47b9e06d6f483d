import { type CheckUpdate, PlatformError, type PullRequestRef } from '../types.ts';
import type { GitlabApi } from './api.ts';
import { fallbackWhen, fallbackWhenGone } from './failures.ts';
import { MERGE_RESULT, type MergeRequestReader } from './merge-requests.ts';
import { CommitStatus, read, readAll } from './shapes.ts';

const NAME = 'drift/plan';
const MAX_DESCRIPTION = 255;

/** The target of a status: a pipeline of a commit; without one, GitLab uses the newest pipeline or creates one. */
interface StatusTarget {
  sha: string;
  pipeline_id?: number;
  ref?: string;
}

type State = 'running' | 'success' | 'failed';

/** A check is a commit status: it is shown in the pipeline of the merge request and can block a merge. */
export function createChecks(api: () => Promise<GitlabApi>, mergeRequests: MergeRequestReader) {
  /**
   * The ID identifies the target of the status. If the merge request has a newer pipeline, the status is set there, and the
   * status of the old pipeline is completed, because it would otherwise run forever.
   */
  async function setCheck(pr: PullRequestRef, check_id: string | null, update: CheckUpdate): Promise<{ id: string }> {
    const target = await resolveTarget(pr, update.head_sha);
    const previous = check_id === null ? null : parseCheckId(check_id);
    if (previous !== null && previous.pipeline_id !== target.pipeline_id && update.conclusion !== null) {
      await fallbackWhen(['gone', 'rejected'], null, () => set(pr.repo, previous, update));
    }
    const pipeline_id = await setOnFirst(pr.repo, listTargets(target, pr, update), update);
    return { id: `${target.sha}:${pipeline_id ?? ''}` };
  }

  async function resolveTarget(pr: PullRequestRef, head_sha: string): Promise<StatusTarget> {
    const { head_pipeline, target_project_id } = await mergeRequests.load(pr);
    if (head_pipeline == null) return { sha: head_sha };
    const { id: pipeline_id, sha, ref, project_id } = head_pipeline;
    // The pipeline of a fork is not accessible.
    if (project_id != null && project_id !== target_project_id) return { sha: head_sha };
    if (sha === head_sha) return { sha, pipeline_id };
    const is_result = MERGE_RESULT.test(ref) && (await mergeRequests.findMergedHead(pr.repo, sha)) === head_sha;
    return is_result ? { sha, pipeline_id } : { sha: head_sha };
  }

  /** @returns the pipeline of the status, if GitLab reports it */
  async function setOnFirst(repo: string, targets: StatusTarget[], update: CheckUpdate): Promise<number | null> {
    const [target, ...others] = targets;
    if (target === undefined) throw new PlatformError('gone', `the commit ${update.head_sha} no longer exists`);
    const pipeline_id = await fallbackWhenGone(undefined, () => set(repo, target, update));
    return pipeline_id === undefined ? setOnFirst(repo, others, update) : pipeline_id;
  }

  async function set(repo: string, target: StatusTarget, update: CheckUpdate): Promise<number | null> {
    const { commits } = await api();
    const state = toState(update);
    const { sha, pipeline_id, ref } = target;
    const options = {
      name: NAME,
      description: describe(update),
      ...(update.url !== null && { targetUrl: update.url }),
      ...(pipeline_id !== undefined && { pipelineId: pipeline_id }),
      ...(ref !== undefined && { ref }),
    };
    try {
      const status = read(CommitStatus, await commits.editStatus(repo, sha, state, options));
      return status.pipeline_id ?? null;
    } catch (error) {
      if (!(error instanceof PlatformError) || error.error_class !== 'rejected') throw error;
      return confirmAlreadySet(repo, target, state, error);
    }
  }

  /** GitLab before 18.3 rejects setting a running status to running. */
  async function confirmAlreadySet(
    repo: string,
    target: StatusTarget,
    state: State,
    refusal: PlatformError,
  ): Promise<number | null> {
    const { commits } = await api();
    const [newest] = readAll(CommitStatus, await commits.allStatuses(repo, target.sha, { name: NAME }))
      .filter(
        ({ pipeline_id }) =>
          target.pipeline_id === undefined || pipeline_id == null || pipeline_id === target.pipeline_id,
      )
      .sort((a, b) => b.id - a.id);
    if (newest?.status !== state) throw refusal;
    return newest.pipeline_id ?? null;
  }

  return { setCheck };
}

/** The targets to try in order. A commit of a fork is on no branch of the project, only on the ref of the merge request. */
function listTargets(target: StatusTarget, { pr_number }: PullRequestRef, { head_sha }: CheckUpdate): StatusTarget[] {
  const plain = { sha: head_sha };
  const on_ref = { sha: head_sha, ref: `refs/merge-requests/${pr_number}/head` };
  return target.pipeline_id === undefined ? [plain, on_ref] : [target, plain, on_ref];
}

function parseCheckId(check_id: string): StatusTarget | null {
  const [sha = '', pipeline_id = ''] = check_id.split(':');
  return pipeline_id === '' ? null : { sha, pipeline_id: Number(pipeline_id) };
}

function toState({ conclusion }: CheckUpdate): State {
  if (conclusion === null) return 'running';
  return conclusion === 'failure' || conclusion === 'action_required' ? 'failed' : 'success';
}

/** GitLab has no neutral status, so the text says that there is no verdict. */
function describe({ conclusion, title }: CheckUpdate): string {
  const text = conclusion === 'neutral' ? `Neutral: ${title}` : title;
  const characters = [...text];
  return characters.length <= MAX_DESCRIPTION ? text : `${characters.slice(0, MAX_DESCRIPTION - 1).join('')}…`;
}
