import type { CiRun, HostedPullRequest } from '../../server/adapters/scm/types.ts';
import type { PullRequests } from '../../server/domains/pull-requests/index.ts';
import type { FindPlans } from '../artifacts/index.ts';
import type { ConnectedSource, OrgPolicy } from '../ports.ts';

export interface CollectPlansDeps {
  pullRequests: Pick<PullRequests, 'addPlans' | 'find' | 'findPlans' | 'track'>;
  orgs: Pick<OrgPolicy, 'getSettings'>;
  findPlans: FindPlans;
}

/**
 * Stores the plans that runs of the head commit have created.
 *
 * @param options `again`: known plans are analyzed again
 * @returns whether there were any plans
 */
export type CollectPlans = (
  connected: ConnectedSource,
  pr: HostedPullRequest,
  runs: readonly CiRun[],
  options?: { again?: boolean },
) => Promise<boolean>;

/** Settings of a repository. */
const SETTINGS_FILE = '.drift.yml';

export function createCollectPlans({ pullRequests, orgs, findPlans }: CollectPlansDeps): CollectPlans {
  return async (connected, pr, runs, options = {}) => {
    const { org_id, source, platform } = connected;
    const { fork_pr_policy } = await orgs.getSettings(org_id);
    if (pr.is_fork && fork_pr_policy === 'ignore') return false;

    const unread = options.again === true ? runs : await filterUnread(connected, pr, runs);
    if (unread.length === 0) return true;
    // Read from the target branch, so that a pull request cannot change its own settings.
    const settings = await platform.readFile(pr.repo, SETTINGS_FILE, pr.base_sha);
    const found = [];
    for (const run of unread) {
      const plans = await findPlans(platform, { org_id, path: pr.repo }, run, settings);
      if (plans.length > 0) found.push({ run, plans });
    }
    if (found.length === 0) return false;

    const { id } = await pullRequests.track(org_id, source, pr, { enqueues: false });
    for (const { run, plans } of found) {
      // The commit of a run can be a temporary merge commit of the head.
      const known = { id: run.id, number: run.number, head_sha: pr.head_sha, url: run.url };
      await pullRequests.addPlans(org_id, id, known, plans, options);
    }
    return true;
  };

  /** Git hosts report a run again when our own check of it has ended; its artifacts have been read by then. */
  async function filterUnread(
    { org_id, source }: ConnectedSource,
    { repo, pr_number, head_sha }: HostedPullRequest,
    runs: readonly CiRun[],
  ) {
    const known = await pullRequests.find(org_id, source, repo, pr_number);
    if (known === undefined) return runs;
    const plans = await pullRequests.findPlans(org_id, known.id);
    const read = new Set(plans.filter((plan) => plan.head_sha === head_sha).map(({ run_number }) => run_number));
    return runs.filter(({ number }) => !read.has(number));
  }
}
