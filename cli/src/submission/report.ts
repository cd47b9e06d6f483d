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
  /** How many changes each part of text and markdown shows. */
  top: number;
  color: boolean;
  width: number;
}

/** GitHub takes no summary of a step above 1 MiB; what comes after this many is named only. */
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

/** `BLOCKED  HIGH RISK  3 plans, 1 not judged`: the verdict over all plans in the first line. */
function renderHeadline({ risk_level, plans }: Submission, { color }: ReportOptions): string {
  const blocked = plans.some(({ result }) => result?.risk.blocked === true);
  const verdict = risk_level === null ? 'NO VERDICT' : formatVerdict({ level: risk_level, blocked }, color);
  const unjudged = plans.filter(({ result }) => result === null).length;
  return `${verdict}  ${plans.length} plans${unjudged === 0 ? '' : `, ${unjudged} not judged`}\n`;
}

function pickHigher(level: RiskLevel | null, other: RiskLevel): RiskLevel {
  return level === null || compareLevels(other, level) > 0 ? other : level;
}

function renderPlanText(plan: SubmittedPlan, { length }: SubmittedPlan[], options: ReportOptions): string {
  const title = length === 1 ? '' : `== ${plan.path}\n`;
  const remarks = buildRemarks(plan).map((line) => `${line}\n`);
  if (plan.result === null) return title + remarks.join('');
  // The verdict stands in the first line, whoever came to it.
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

/** What is to be said of a plan besides its result. */
function buildRemarks({ state, job_id, note, retry_at, path }: SubmittedPlan): string[] {
  if (state === 'queued') return [`queued as job ${job_id}; \`dpa jobs ${job_id} --wait\` shows the verdict`];
  if (state === 'failed') return [`${path} was not judged: ${note}`];
  if (state !== 'deferred') return [];
  const later = retry_at === null ? '' : `; the service may take it from ${retry_at} on`;
  return [
    `${note}`,
    `judged on this machine by the rules of the organization: only the text of a model is missing${later}`,
  ];
}

/** As code nothing in it can act. */
function toCodeSpan(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ').trim()}\``;
}

/** Whether all plans were judged or queued. */
export function isComplete({ plans }: Submission): boolean {
  return plans.every(({ state }) => state !== 'failed');
}

export function collectResults({ plans }: Submission): PlanAnalysis[] {
  return plans.flatMap(({ result }) => (result === null ? [] : [result]));
}
