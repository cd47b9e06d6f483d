import { createHash } from 'node:crypto';
import type { PlanAnalysis } from '../result.ts';
import { buildCheck } from './check.ts';
import { writeMark } from './mark.ts';
import { type PageOptions, writePage } from './page.ts';
import { formatLinks } from './section.ts';
import type { RenderedReview, Review } from './types.ts';
import { computeVerdict } from './verdict.ts';
import { hasNothingToReport, isJudged } from './weights.ts';

export interface MarkdownOptions {
  /** How many changes the open table lists of what is destroyed, and of what else matters; the others are folded. */
  top: number;
}

/** GitHub refuses a comment beyond 65,536 characters; this is below every reading of that limit, on GitLab too. */
const MAX_BYTES = 60_000;
/** For the mark and the last line. */
const FRAME_BYTES = 1_000;
const PAGE = { limit: MAX_BYTES - FRAME_BYTES, top: 25 };

/**
 * The one comment of a pull request and its check.
 *
 * The verdict stands first, then of each module what is destroyed and why, what else matters, and folded below it the
 * rest. Names of the plans can do nothing in it: no HTML, links, images, mentions, references or quick actions.
 *
 * @returns a comment of at most 60,000 UTF-8 bytes in which each destroyed resource is listed or counted; equal reviews
 *   give an equal one
 */
export function renderReview(review: Review): RenderedReview {
  const verdict = computeVerdict(review);
  const page = writePage(review, { ...PAGE, dated: true, sha: true });
  const hash = hashPage(review);
  const { key, head_sha, run } = review;
  return {
    comment: `${writeMark({ key, head_sha, run, hash })}\n${page}\n\n${formatFooter(review)}\n`,
    hash,
    nothing_to_report: isUnremarkable(review),
    risk_level: verdict.level,
    check: buildCheck(review, verdict, page),
  };
}

/**
 * An analysis as the comment on a pull request would show it.
 *
 * @returns at most 60,000 UTF-8 bytes of GitHub-flavoured Markdown
 */
export function renderMarkdown(analysis: PlanAnalysis, { top }: MarkdownOptions): string {
  const options: PageOptions = { limit: PAGE.limit, top, dated: true, sha: false };
  const outcome = { state: 'analyzed' as const, analysis, model: null, trace_ids: [] };
  const plan = { key: '', head_sha: '', outcome, previous: null, url: null, run_url: null };
  const input = { dialect: 'gitlab' as const, head_sha: '', state: 'open' as const, history: new Map() };
  return `${writePage({ ...input, plans: [plan] }, options)}\n`;
}

/** Over what is said, but for commit, run, calls, links, times seen, and the comparison with what was before. */
function hashPage(review: Review): string {
  const undated = writePage(review, { ...PAGE, dated: false, sha: false });
  return createHash('sha256').update(undated).digest('hex');
}

function isUnremarkable({ plans }: Review): boolean {
  return plans.every((plan) => plan.outcome.state === 'waiting' || (isJudged(plan) && hasNothingToReport(plan)));
}

function formatFooter({ plans }: Review): string {
  const parts = ['`/drift help`', ...formatLinks(plans, true), 'updates only when the result changes'];
  return `<sub>${parts.join(' · ')}</sub>`;
}
