import type { Handlers } from '../../contract/operation.ts';
import { PayloadTooLarge } from '../../lib/errors.ts';
import type { Analysis, Submitted } from '../analysis/index.ts';
import { pollAt } from '../jobs/index.ts';
import { ciContext } from './ci-context.ts';
import type { PullRequests } from './service.ts';

export interface PullRequestRoutesDeps {
  pullRequests: Pick<PullRequests, 'getPlan'>;
  analysis: Pick<Analysis, 'submit'>;
  /** Whether a pruned and compressed plan is small enough for an analysis. */
  fitsAnalysis: (payload: Uint8Array) => Promise<boolean>;
}

export function pullRequestRoutes({
  pullRequests,
  analysis,
  fitsAnalysis,
}: PullRequestRoutesDeps): Pick<Handlers, 'analyzePullRequestPlan'> {
  return {
    async analyzePullRequestPlan({ org, principal, path, once }) {
      return once(
        (handle: Submitted) => ({ status: 202, body: handle, headers: pollAt(org.id, handle.job_id) }),
        async (keep) => {
          const { payload, ...plan } = await pullRequests.getPlan(org.id, path.plan_id);
          if (!(await fitsAnalysis(payload))) {
            throw new PayloadTooLarge('the plan is larger than 5 MiB; split the configuration into smaller ones');
          }
          return analysis.submit(org, principal, { ci: ciContext(plan), plan: { payload } }, keep);
        },
      );
    },
  };
}
