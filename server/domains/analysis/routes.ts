import type { PlanIntake, PlanPool } from '../../adapters/plan-pool/types.ts';
import type { Handlers } from '../../contract/operation.ts';
import { pollAt } from '../jobs/index.ts';
import type { Fixes } from './fix-service.ts';
import type { RuleBooks } from './rule-book-service.ts';
import type { Analysis, Submitted } from './service.ts';

export function analysisRoutes(
  analysis: Analysis,
  fixes: Fixes,
  ruleBooks: RuleBooks,
): Pick<Handlers, 'analyzePlan' | 'generateNoiseFix' | 'getRuleBook'> {
  return {
    async getRuleBook({ org }) {
      const { noise_key, rules } = await ruleBooks.get(org.id);
      return { status: 200, body: { fingerprint_key: Buffer.from(noise_key).toString('base64'), ...rules } };
    },

    async analyzePlan({ org, principal, body, attachment, once }) {
      const submission = { ci: body.ci, plan: attachment as PlanIntake };
      return once(
        (handle: Submitted) => ({ status: 202, body: handle, headers: pollAt(org.id, handle.job_id) }),
        (keep) => analysis.submit(org, principal, submission, keep),
      );
    },

    async generateNoiseFix({ org, principal, path, once }) {
      return once(
        ({ job_id }: { job_id: string }) => ({
          status: 202,
          body: { job_id, status: 'pending' },
          headers: pollAt(org.id, job_id),
        }),
        (keep) => fixes.submit(org.id, principal, path.fingerprint, keep),
      );
    },
  };
}

/** Reads the bodies that hold plans; `attachment` of the request is the PlanIntake. */
export function analysisBodyReaders(pool: Pick<PlanPool, 'intake'>) {
  return {
    analyzePlan: async ({ org_id }: { org_id: string | null }) => ({
      async end(raw: Buffer) {
        const { body, plan } = await pool.intake(org_id ?? '', raw);
        return { body, attachment: plan };
      },
    }),
  };
}
