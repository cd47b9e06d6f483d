import {
  compareLevels,
  formatVerdict,
  type PlanAnalysis,
  type RiskLevel,
  renderMarkdown,
  renderText,
} from '../../../engine/index.ts';
import type { Submission, SubmittedPlan } from './types.ts';

export type ReportFormat = 'text' | 'json' | 'markdown';

export interface ReportOptions {
  /** Number of changes to show in each part of text and markdown. */
  top: number;
  color: boolean;
  width: number;
}

/** GitHub rejects a step summary above 1 MiB; beyond this size, plans are listed by name and level only. */
const MAX_MARKDOWN_BYTES = 900_000;

export function buildSubmission(plans: SubmittedPlan[]): Submission {
  const levels = plans.flatMap(({ result }) => (result === null ? [] : [result.risk_level]));
  return { risk_level: levels.reduce(pickHigher, null), plans };
}

export function writeReport(submission: Submission, format: ReportFormat, options: ReportOptions): string {
  if (format === 'json') return `${JSON.stringify(submission, null, 2)}\n`;
  const { plans } = submission;
  if (format === 'markdown') return renderMarkdownReport(plans, options);
  const parts = plans.map((plan) => renderPlanText(plan, plans, options));
  return plans.length === 1 ? parts.join('') : [renderHeadline(submission, options), ...parts].join('\n');
}

/** `BLOCKED  HIGH RISK  3 plans, 1 not analyzed`: the first line has the verdict for all plans. */
function renderHeadline({ risk_level, plans }: Submission, { color }: ReportOptions): string {
  const blocked = plans.some(({ result }) => result?.risk.blocked === true);
  const verdict = risk_level === null ? 'NO VERDICT' : formatVerdict({ level: risk_level, blocked }, color);
  const unjudged = plans.filter(({ result }) => result === null).length;
  return `${verdict}  ${plans.length} plans${unjudged === 0 ? '' : `, ${unjudged} not analyzed`}\n`;
}

function pickHigher(level: RiskLevel | null, other: RiskLevel): RiskLevel {
  return level === null || compareLevels(other, level) > 0 ? other : level;
}

function renderPlanText(plan: SubmittedPlan, { length }: SubmittedPlan[], options: ReportOptions): string {
  const title = length === 1 ? '' : `== ${plan.path}\n`;
  const remarks = buildRemarks(plan).map((line) => `${line}\n`);
  if (plan.result === null) return title + remarks.join('');
  // The verdict is always in the first line.
  return [title + renderText(plan.result, options), ...(remarks.length === 0 ? [] : [remarks.join('')])].join('\n');
}

function renderMarkdownReport(plans: SubmittedPlan[], options: ReportOptions): string {
  let bytes = 0;
  return plans
    .map((plan) => {
      const text = renderPlanMarkdown(plan, plans.length, options);
      bytes += Buffer.byteLength(text);
      return bytes > MAX_MARKDOWN_BYTES ? `${toCodeSpan(plan.path)}: ${plan.result?.risk_level ?? plan.state}\n` : text;
    })
    .join('\n');
}

function renderPlanMarkdown(plan: SubmittedPlan, count: number, options: ReportOptions): string {
  const title = count === 1 ? '' : `## ${toCodeSpan(plan.path)}\n\n`;
  const remarks = buildRemarks(plan).map((line) => `> ${toCodeSpan(line)}\n`);
  const result = plan.result === null ? '' : renderMarkdown(plan.result, options);
  return `${title}${remarks.join('>\n')}${remarks.length > 0 && result !== '' ? '\n' : ''}${result}`;
}

/** Remarks about a plan in addition to its result. */
function buildRemarks({ state, job_id, note, retry_at, path }: SubmittedPlan): string[] {
  if (state === 'queued') return [`queued as job ${job_id}; run \`dpa jobs ${job_id} --wait\` to see the verdict`];
  if (state === 'failed') return [`${path} was not analyzed: ${note}`];
  if (state !== 'deferred') return [];
  const later = retry_at === null ? '' : `; you can submit it again at ${retry_at}`;
  return [
    `${note}`,
    `analyzed on this machine with the rules of the organization; only the explanation of a language model is missing${later}`,
  ];
}

/** As a code span, so that no markup in the text takes effect. */
function toCodeSpan(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ').trim()}\``;
}

/** Whether all plans were analyzed or queued. */
export function isComplete({ plans }: Submission): boolean {
  return plans.every(({ state }) => state !== 'failed');
}

export function collectResults({ plans }: Submission): PlanAnalysis[] {
  return plans.flatMap(({ result }) => (result === null ? [] : [result]));
}
