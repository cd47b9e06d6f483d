import type { DryRun, Preview } from '../../../engine/rules/index.ts';
import type { PlanPool } from '../../adapters/plan-pool/types.ts';
import type { OrgDatabase } from '../../db/index.ts';
import { assertFound, Gone, ServiceError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scans } from '../scans/index.ts';
import { parseConfig, parsePolicy } from './config.ts';
import { findRulesInForce } from './in-force-store.ts';
import type { PreviewInput, RulesInForce, RuleType } from './types.ts';

export interface TrialsDeps {
  db: OrgDatabase;
  scans: { analysisRun: Pick<Scans['analysisRun'], 'result'> };
  pool: Pick<PlanPool, 'dryRun' | 'preview'>;
}

/** Tests rules on a stored analysis; nothing is written. */
export function createTrials({ db, scans, pool }: TrialsDeps) {
  /** @throws InvalidInput `invalid_config`; NotFound, ServiceError 404 `analysis_unfinished`, Gone `result_expired` */
  async function testRule(
    orgId: string,
    input: { rule_type: RuleType; config: unknown; scan_run_id: string },
  ): Promise<DryRun> {
    const rule = parseConfig(input.rule_type, input.config);
    return pool.dryRun(orgId, await getResult(orgId, input.scan_run_id), rule);
  }

  /** Throws the same errors. */
  async function preview(orgId: string, input: PreviewInput): Promise<Preview> {
    const rules = input.rules === undefined ? undefined : parsePolicy(input.rules);
    const custom = input.custom_rules && parseAll(input.custom_rules);
    const result_text = await getResult(orgId, input.scan_run_id);
    const { noise_rules, risk_rules, policy } = await db.readInOrg(orgId, (read) => findRulesInForce(read, orgId));
    return pool.preview(orgId, result_text, {
      ...(custom ?? { noise_rules, risk_rules }),
      policy: { version: policy.version, rules: rules ?? policy.rules },
    });
  }

  async function getResult(orgId: string, scan_run_id: string): Promise<string> {
    const run = assertFound(await scans.analysisRun.result(orgId, scan_run_id));
    if (run.status !== 'done') {
      const why = run.status === 'error' ? 'has failed; use another one' : 'is not finished; try again later';
      throw new ServiceError(404, 'analysis_unfinished', `the analysis ${why}`);
    }
    if (run.result_text === null) {
      throw new Gone('the result of this analysis has expired; use a newer one', 'result_expired');
    }
    return run.result_text;
  }

  return { testRule, preview };
}

export type Trials = ReturnType<typeof createTrials>;

type CustomRulesInForce = Pick<RulesInForce, 'noise_rules' | 'risk_rules'>;

function parseAll(rules: NonNullable<PreviewInput['custom_rules']>): CustomRulesInForce {
  const parsed: CustomRulesInForce = { noise_rules: [], risk_rules: [] };
  for (const [index, { rule_type, name, config }] of rules.entries()) {
    const rule = parseConfig(rule_type, config, `/body/custom_rules/${index}/config`);
    if (rule.rule_type === 'noise') parsed.noise_rules.push({ id: newId(), config: rule.config });
    else parsed.risk_rules.push({ id: newId(), name, config: rule.config });
  }
  return parsed;
}
