import { type CheckUpdate, type Platform, PlatformError, type PullRequestRef } from '../types.ts';
import type { Host } from './host.ts';
import { splitRepo } from './repo.ts';
import { truncateBody, truncateDescription } from './sizes.ts';

export const CHECK_NAME = 'drift/plan';

type Checks = Pick<Platform, 'setCheck'>;

/** Check runs, which only Apps can write. */
export function createCheckRuns(host: Host, app_id: number): Checks {
  /** Finds a check run whose creation was not confirmed; otherwise two check runs would have the same name. */
  async function findCheck(repo: string, ref: string): Promise<string | null> {
    const params = { ...splitRepo(repo), ref, check_name: CHECK_NAME, app_id, per_page: 1 };
    const { check_runs } = await host.ask('read', 'list check runs', ({ rest }) => rest.checks.listForRef(params));
    const id = check_runs[0]?.id;
    return id === undefined ? null : String(id);
  }

  async function createCheck(repo: string, update: CheckUpdate): Promise<{ id: string }> {
    const params = { ...splitRepo(repo), name: CHECK_NAME, head_sha: update.head_sha, ...toCheckFields(update) };
    const { id } = await host.ask('create', 'create a check run', ({ rest }) => rest.checks.create(params));
    return { id: String(id) };
  }

  async function updateCheck(repo: string, id: string, update: CheckUpdate): Promise<boolean> {
    const params = { ...splitRepo(repo), check_run_id: Number(id), ...toCheckFields(update) };
    try {
      await host.ask('write', 'change a check run', ({ rest }) => rest.checks.update(params));
      return true;
    } catch (error) {
      if (error instanceof PlatformError && error.error_class === 'gone') return false;
      throw error;
    }
  }

  return {
    async setCheck({ repo }, check_id, update) {
      const id = check_id ?? (await findCheck(repo, update.head_sha));
      return id !== null && (await updateCheck(repo, id, update)) ? { id } : createCheck(repo, update);
    },
  };
}

const STATES = { success: 'success', neutral: 'success', failure: 'failure', action_required: 'error' } as const;

/** Commit statuses: the latest status of a context counts. There is no neutral status. */
export function createCommitStatuses(host: Host): Checks {
  return {
    async setCheck({ repo }: PullRequestRef, _check_id, { head_sha, conclusion, title, url }) {
      const neutral = conclusion === 'neutral';
      const state = conclusion === null ? 'pending' : STATES[conclusion];
      const params = {
        ...splitRepo(repo),
        sha: head_sha,
        context: CHECK_NAME,
        state,
        description: truncateDescription(neutral ? `neutral: ${title}` : title),
        ...(url !== null && { target_url: url }),
      } as const;
      const { id } = await host.ask('write', 'set a commit status', ({ rest }) =>
        rest.repos.createCommitStatus(params),
      );
      return { id: String(id) };
    },
  };
}

function toCheckFields({ conclusion, title, summary, text, url }: CheckUpdate) {
  return {
    ...(conclusion === null ? ({ status: 'in_progress' } as const) : ({ status: 'completed', conclusion } as const)),
    ...(url !== null && { details_url: url }),
    output: { title, summary: truncateBody(summary), text: truncateBody(text) },
  };
}
