import { dryRun, previewRules } from '../../../engine/rules/index.ts';
import type { PlanPool } from '../../../server/adapters/plan-pool/types.ts';
import { createRules, type Rules } from '../../../server/domains/rules/index.ts';
import { createScans, type Scans } from '../../../server/domains/scans/index.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { type OrgsUnderTest, setUpOrgs } from '../orgs/setup.ts';

export interface RulesUnderTest extends OrgsUnderTest {
  rules: Rules;
  scans: Scans;
  /** Results that the pool received. */
  judged: string[];
  /** An organization with its owner, and a run with this `status`. */
  makeOwner(plan?: 'free' | 'team' | 'enterprise'): Promise<{ owner: Principal; org: string }>;
  makeRun(org: string, result: object | null, status?: 'pending' | 'done' | 'error'): Promise<string>;
}

/** Evaluates on this thread; the service uses other threads. */
function directPool(judged: string[], now: () => Date): Pick<PlanPool, 'dryRun' | 'preview'> {
  const read = (text: string) => {
    judged.push(text);
    return JSON.parse(text);
  };
  const context = ({ scan_run: { repo_owner, repo_name, branch } }: { scan_run: Record<string, string | null> }) => ({
    repo: repo_owner && repo_name ? `${repo_owner}/${repo_name}` : null,
    branch: branch ?? null,
    now: now(),
  });
  return {
    async dryRun(_org_id, text, rule) {
      const stored = read(text);
      return dryRun(stored.changes, rule, context(stored));
    },
    async preview(_org_id, text, rules) {
      const stored = read(text);
      return previewRules(stored, rules, context(stored));
    },
  };
}

export async function setUpRules(): Promise<RulesUnderTest> {
  const base = await setUpOrgs();
  const { database, clock, orgs, audit } = base;
  const now = () => clock.now;
  const judged: string[] = [];
  const scans = createScans({ db: database.db, sweep_db: database.sweeper_db, now, getOrgPlan: async () => 'free' });
  const rules = createRules({ db: database.db, orgs, audit, scans, pool: directPool(judged, now), now });

  async function makeOwner(plan: 'free' | 'team' | 'enterprise' = 'free') {
    const owner = await makeUser(database.admin_db);
    return { owner, org: await makeOrg(database.admin_db, { owner, plan }) };
  }

  async function makeRun(org: string, result: object | null, status: 'pending' | 'done' | 'error' = 'done') {
    const ci = { repo_owner: 'acme', repo_name: 'infra', repo_url: null, pr_number: null, branch: 'main' };
    const { id } = await database.db.inOrg(org, (trx) =>
      scans.analysisRun.create(trx, org, { ...ci, commit_sha: null }),
    );
    const finished_at = status === 'pending' ? null : clock.now;
    const result_json = result && JSON.stringify({ ...result, scan_run: ci });
    await database.admin_db('scan_runs').where({ id }).update({ status, finished_at, result_json });
    return id;
  }

  return { ...base, rules, scans, judged, makeOwner, makeRun };
}

export const NOISE_CONFIG = {
  version: 1,
  match: { resource_types: ['aws_ecs_service'] },
  attributes: ['desired_count'],
  severity: 'harmless',
};
export const RISK_CONFIG = {
  version: 1,
  match: { resource_types: ['aws_db_instance'] },
  effect: 'raise',
  level: 'critical',
  message: 'Ask the owners of the data.',
};
