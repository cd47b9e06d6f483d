import {
  createAnalysis,
  PlanError,
  type PlanOutcome,
  type PlanSnapshot,
  type Review,
  type ReviewedPlan,
  renderReview,
  toSnapshot,
} from '../../../engine/index.ts';
import { createParserLoader } from '../document-parsers.ts';
import { EXIT_NOT_JUDGED } from '../exit-codes.ts';
import { readInput } from '../input.ts';

export interface PreviewOptions {
  /** Plans of the previous push, in the order of the plans. */
  previous: string[];
  gitlab?: boolean;
  check?: boolean;
  html?: boolean;
}

/** The preview has no pull request, so it uses an example commit and key. */
const EXAMPLE_SHA = 'abc1234'.padEnd(40, '0');
const EXAMPLE_KEY = '0'.repeat(32);

/**
 * Prints the comment on a pull request with these plans, without a server or network access. Sets the exit code if a file
 * is not a plan.
 */
export async function previewPullRequest(
  paths: string[],
  { previous, gitlab = false, check = false, html = false }: PreviewOptions,
): Promise<void> {
  const plans: ReviewedPlan[] = [];
  for (const [index, path] of paths.entries()) plans.push(await readPlan(path, previous[index]));
  if (plans.some(({ outcome }) => outcome.state === 'failed')) process.exitCode = EXIT_NOT_JUDGED;
  const rendered = renderReview(buildReview(plans, gitlab));
  const text = check ? renderCheck(rendered.check) : rendered.comment;
  process.stdout.write(html ? await (await import('../preview-page.ts')).renderPreviewPage(text) : text);
}

function buildReview(plans: ReviewedPlan[], gitlab: boolean): Review {
  return {
    dialect: gitlab ? 'gitlab' : 'github',
    key: EXAMPLE_KEY,
    head_sha: EXAMPLE_SHA,
    run: 1,
    state: 'open',
    plans,
    history: new Map(),
    fail_on: null,
  };
}

async function readPlan(path: string, before: string | undefined): Promise<ReviewedPlan> {
  const outcome = await judge(path);
  return { key: path, head_sha: EXAMPLE_SHA, outcome, previous: await readSnapshot(before), url: null, run_url: null };
}

/** An invalid plan is an outcome that the comment reports. */
async function judge(path: string): Promise<PlanOutcome> {
  const { observe, parsers } = createParserLoader();
  const analysis = createAnalysis({ parsers });
  try {
    for await (const chunk of readInput(path)) {
      await observe(chunk);
      analysis.write(chunk);
    }
    return { state: 'analyzed', analysis: analysis.end(), model: null, trace_ids: [] };
  } catch (error) {
    if (error instanceof PlanError) return { state: 'failed', note: error.message };
    throw error;
  }
}

async function readSnapshot(path: string | undefined): Promise<PlanSnapshot | null> {
  if (path === undefined) return null;
  const outcome = await judge(path);
  return outcome.state === 'analyzed' ? toSnapshot(outcome.analysis) : null;
}

function renderCheck({ conclusion, title, summary, text }: ReturnType<typeof renderReview>['check']): string {
  return `**Check \`drift/plan\`: ${conclusion ?? 'in progress'}** · ${title}\n\n${summary}\n\n${text}`;
}
