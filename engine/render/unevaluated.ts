import { capitalize } from '../lib/capitalize.ts';
import { plural } from '../model/counts.ts';
import type { PlanAnalysis, UnevaluatedResource } from '../model/result.ts';
import { findOmissions } from '../risk/incomplete-plan.ts';

/** A part of the plan that the verdict does not cover: `policy` of `aws_iam_policy.ci` is `unknown until apply`. */
export interface Gap {
  name: string;
  paths: string[];
  /** Number of paths that are not listed. */
  more: number;
  why: string;
}

export interface Gaps {
  /** `2 resources and 1 check`; empty without gaps. */
  sentence: string;
  /** Gaps with a known address. */
  listed: Gap[];
  total: number;
  values_withheld: boolean;
}

export const WITHHELD = 'This plan was exported without its values: rules that need them could not be applied.';

/** What the plan leaves out as a whole, except what its escalations already state. */
export function describeOmissions({ summary, risk }: Pick<PlanAnalysis, 'summary' | 'risk'>): string[] {
  const { plan_errored: errored, plan_complete: complete, deferred: deferred_count } = summary;
  const escalated = new Set(risk.escalations.map(({ rule_id }) => rule_id));
  return findOmissions({ errored, complete, deferred_count }).flatMap(({ rule_id, why }) =>
    escalated.has(rule_id) ? [] : [`${capitalize(why)}.`],
  );
}

const MAX_PATHS = 3;

/** Resources and checks that could not be evaluated, riskiest first. */
export function collectGaps({ checks, not_evaluated, summary }: Omit<PlanAnalysis, 'narrative'>): Gaps {
  // Results of older engines lack both fields.
  const { resources = [], resources_total = 0, values_withheld = false } = not_evaluated ?? {};
  const unknown = (checks ?? []).filter(({ status }) => status === 'unknown');
  const listed = [
    ...resources.map(({ address, reason, paths, paths_total }): Gap => {
      const shown = paths.slice(0, MAX_PATHS);
      return { name: address, paths: shown, more: paths_total - shown.length, why: describeReason(reason) };
    }),
    ...unknown.map(({ address }): Gap => ({ name: address, paths: [], more: 0, why: 'result unknown until apply' })),
  ];
  const counts = [formatCount(resources_total, 'resource'), formatCount(summary.checks.unknown, 'check')];
  return {
    sentence: counts.filter((text) => text !== '').join(' and '),
    listed,
    total: resources_total + summary.checks.unknown,
    values_withheld,
  };
}

function describeReason(reason: UnevaluatedResource['reason']): string {
  if (reason === 'deferred') return 'deferred to a later plan';
  return reason === 'too_large' ? 'too large to be read' : 'unknown until apply';
}

function formatCount(count: number, noun: string): string {
  return count === 0 ? '' : plural(count, noun);
}

const MAX_CHECKS = 5;

/** One sentence for each failed check with its problems; the last sentence counts the remaining checks. */
export function failedCheckLines({ checks, summary }: Pick<PlanAnalysis, 'checks' | 'summary'>): string[] {
  const named = (checks ?? []).filter(({ status }) => status !== 'unknown').slice(0, MAX_CHECKS);
  const lines = named.map(({ address, status, problems }) => {
    const how = status === 'error' ? 'could not be evaluated' : 'failed';
    return `Check ${address} ${how}${problems.length === 0 ? '.' : `: ${problems.join(' ')}`}`;
  });
  const more = summary.checks.fail + summary.checks.error - named.length;
  if (more > 0)
    lines.push(`${plural(more, named.length > 0 ? 'more check' : 'check')} of the configuration did not pass.`);
  return lines;
}
