import { createHash } from 'node:crypto';
import type { PlanAnalysis } from '../model/result.ts';
import { buildCheck } from './check.ts';
import { writeMark } from './mark.ts';
import { type PageOptions, writePage } from './page.ts';
import { formatLinks } from './section.ts';
import type { RenderedReview, Review } from './types.ts';
import { computeVerdict } from './verdict.ts';
import { hasNothingToReport, isJudged } from './weights.ts';

export interface MarkdownOptions {
  /** Rows of destroyed resources, and of other changes, in the open table; the rest are collapsed. */
  top: number;
}

/**
 * GitHub rejects comments over 65,536 characters; this is below that limit however it is counted, and on GitLab too.
 */
const MAX_BYTES = 60_000;
/** Space for the mark and the footer. */
const FRAME_BYTES = 1_000;
const PAGE = { limit: MAX_BYTES - FRAME_BYTES, top: 25 };

/**
 * Renders the comment and the check of a pull request.
 *
 * The verdict comes first, then for each module destroyed resources, other important changes, and the rest in collapsed
 * sections. Names from plans are inert: no HTML, links, images, mentions, references or quick actions.
 *
 * @returns a comment of at most 60,000 UTF-8 bytes that lists or counts every destroyed resource; deterministic for
 *   equal reviews
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
 * Renders an analysis like a pull request comment.
 *
 * @returns at most 60,000 UTF-8 bytes of GitHub-flavored Markdown
 */
export function renderMarkdown(analysis: PlanAnalysis, { top }: MarkdownOptions): string {
  const options: PageOptions = { limit: PAGE.limit, top, dated: true, sha: false };
  const outcome = { state: 'analyzed' as const, analysis, model: null, trace_ids: [] };
  const plan = { key: '', head_sha: '', outcome, previous: null, url: null, run_url: null };
  const input = { dialect: 'gitlab' as const, head_sha: '', state: 'open' as const, history: new Map() };
  return `${writePage({ ...input, plans: [plan] }, options)}\n`;
}

/** Hash of the comment without commit, run, links, traces, noise history and the comparison with the previous push. */
function hashPage(review: Review): string {
  const undated = writePage(review, { ...PAGE, dated: false, sha: false });
  return createHash('sha256').update(undated).digest('hex');
}

function isUnremarkable({ plans }: Review): boolean {
  return plans.every((plan) => plan.outcome.state === 'waiting' || (isJudged(plan) && hasNothingToReport(plan)));
}

function formatFooter({ plans }: Review): string {
  const parts = ['`/drift help`', ...formatLinks(plans, true), 'updated only when the result changes'];
  return `<sub>${parts.join(' · ')}</sub>`;
}
