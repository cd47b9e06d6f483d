import { JsonText } from '../../contract/json-text.ts';
import type { Handlers } from '../../contract/operation.ts';
import type { Analysis } from './service.ts';
import type { PlanIntake, PlanPool } from './types.ts';

const POLL_AFTER_S = 5;

export function analysisRoutes(analysis: Analysis): Pick<Handlers, 'analyzePlan' | 'getLlmJob'> {
  return {
    async analyzePlan({ org, principal, body, attachment }) {
      const handle = await analysis.submit(org, principal, { ci: body.ci, plan: attachment as PlanIntake });
      const headers = {
        Location: `/api/v2/orgs/${org.id}/llm-jobs/${handle.job_id}`,
        'Retry-After': String(POLL_AFTER_S),
      };
      return { status: 202, body: handle, headers };
    },

    async getLlmJob({ org, path }) {
      const { text, ended } = await analysis.poll(org.id, path.job_id);
      const headers = ended ? {} : { 'Retry-After': String(POLL_AFTER_S) };
      return { status: 200, body: new JsonText(text), headers };
    },
  };
}

/** Reads the bodies that hold plans; `attachment` of the request is the PlanIntake. */
export function analysisBodyReaders(pool: Pick<PlanPool, 'intake'>) {
  return {
    async analyzePlan(raw: Buffer) {
      const { body, plan } = await pool.intake(raw);
      return { body, attachment: plan };
    },
  };
}
