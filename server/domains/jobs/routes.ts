import { JsonText } from '../../contract/json-text.ts';
import type { Handlers } from '../../contract/operation.ts';
import type { Jobs } from './service.ts';

const POLL_AFTER_S = 5;

export function jobRoutes({ poll }: Pick<Jobs, 'poll'>): Pick<Handlers, 'getLlmJob'> {
  return {
    async getLlmJob({ org, path }) {
      const { text, ended } = await poll(org.id, path.job_id);
      const headers = ended ? {} : { 'Retry-After': String(POLL_AFTER_S) };
      return { status: 200, body: new JsonText(text), headers };
    },
  };
}

/** Headers that say where to poll a job, and when to poll it first. */
export function pollAt(orgId: string, job_id: string) {
  return { Location: `/api/v2/orgs/${orgId}/llm-jobs/${job_id}`, 'Retry-After': String(POLL_AFTER_S) };
}
