import { plural } from '../model/counts.ts';
import { name, names, sentence } from '../render/cells.ts';
import { LEVEL_MARKS } from '../render/levels.ts';
import { type Block, fixedBytes, type Item, type Piece, pack, RANKS, type Tally } from './pack.ts';
import { DESTROYED } from './rows.ts';
import { buildSection, formatLinks, originFold } from './section.ts';
import type { Review, ReviewedPlan } from './types.ts';
import { computeVerdict, describeLevel, formatGaps, noiseShare, plannedSha, type Verdict } from './verdict.ts';
import { countDestroyed, hasNothingToReport, type JudgedPlan, judgedPlans } from './weights.ts';

export interface PageOptions {
  /** UTF-8 bytes, at least 50,000. */
  limit: number;
  top: number;
  /** Whether to include the commit, links, traces and other details of this run. */
  dated: boolean;
  /** Whether the title contains the short hash of the commit. */
  sha: boolean;
}

/** Space for the headings of modules and their tallies. */
const TITLES_BYTES = 20_000;
const MAX_NOTED = 300;
const NEXT_STEP = 'Fix the problem and push again, or comment `/drift rescan`.';

type PageInput = Pick<Review, 'dialect' | 'plans' | 'head_sha' | 'state' | 'history'>;

/** The comment about the plans of a pull request, without the mark and the footer. */
export function writePage(review: PageInput, options: PageOptions): string {
  const verdict = computeVerdict(review);
  const judged = judgedPlans(review);
  const unremarkable =
    review.plans.length > 1 ? judged.filter((plan) => hasNothingToReport(plan) && plan.previous === null) : [];
  const shown = judged.filter((plan) => !unremarkable.includes(plan));
  const { items, left } = sections(shown, review, options);
  return pack(
    [
      title(review, verdict, options),
      counts(verdict),
      ...failures(review.plans),
      ...items,
      ...unshownModules(left, review, options),
      formatModuleLine('No changes', unremarkable),
      verdict.level === null ? '' : formatModuleLine('Waiting for', waiting(review.plans)),
      ...originFold(judged, options.dated),
    ],
    options.limit,
  );
}

function title(review: PageInput, verdict: Verdict, { dated, sha }: PageOptions): string {
  const commit = dated && sha ? `\`${plannedSha(review).slice(0, 7)}\`` : '';
  const parts = [
    `### ${formatSymbol(verdict)}Plan review: **${describeLevel(verdict)}**`,
    review.plans.length > 1 ? plural(review.plans.length, 'module') : '',
    verdict.stale ? `for an older commit ${commit}`.trim() : commit,
    review.state === 'open' ? '' : review.state,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function formatSymbol({ level }: Verdict): string {
  return level === null ? '' : `${LEVEL_MARKS[level].symbol} `;
}

function counts(verdict: Verdict): string {
  const { level, total, destructive, constructive } = verdict;
  const parts = [
    level !== null && total === 0 ? 'No changes to resources' : '',
    destructive.length > 0 ? `**${destructive.join(', ')}**` : '',
    constructive.join(', '),
    noiseShare(verdict),
    ...formatGaps(verdict),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function failures(plans: readonly ReviewedPlan[]): Item[] {
  const pieces = plans.flatMap(({ key, outcome }): Piece[] => {
    if (outcome.state !== 'failed') return [];
    const module = plans.length > 1 ? `${name(key)} was` : 'This plan was';
    const write = () => `> **${module} not analyzed:** ${sentence(outcome.note)} ${NEXT_STEP}`;
    return [{ rank: RANKS.judged, kind: 'plans not analyzed', write }];
  });
  const shown = pieces.slice(0, MAX_NOTED).map((piece): Block => ({ open: '', close: '', pieces: [piece] }));
  return shown.length === 0 ? [] : [...shown, countTally(shown, 'plans not analyzed', pieces.length - shown.length)];
}

/** Sections of as many modules as fit; the rest are returned in `left`. */
function sections(shown: JudgedPlan[], review: PageInput, options: PageOptions): { items: Item[]; left: JudgedPlan[] } {
  const items: Item[] = [];
  let bytes = 0;
  for (const [index, plan] of shown.entries()) {
    const section = [
      ...(review.plans.length > 1 ? [`#### ${formatModule(plan, review, options)}`] : []),
      ...buildSection(plan, { ...options, dialect: review.dialect, history: review.history, is_first: index === 0 }),
    ];
    bytes += section.reduce((total, item) => total + fixedBytes(item), 0);
    if (bytes > TITLES_BYTES) return { items, left: shown.slice(index) };
    items.push(...section);
  }
  return { items, left: [] };
}

/** `modules/db: **high risk** · **1 to delete**` */
function formatModule(plan: JudgedPlan, { plans, head_sha }: PageInput, { dated }: PageOptions): string {
  const verdict = computeVerdict({ plans: [plan], head_sha: plan.head_sha });
  const { destructive, constructive } = verdict;
  const parts = [
    `${formatSymbol(verdict)}${name(plan.key)}: **${describeLevel(verdict)}**`,
    destructive.length > 0 ? `**${destructive.join(', ')}**` : '',
    constructive.join(', '),
    // If all plans are for an older commit, the title says so once.
    plan.head_sha !== head_sha && plans.some((other) => other.head_sha === head_sha) ? 'for an older commit' : '',
    ...formatLinks([plan], dated),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function unshownModules(left: JudgedPlan[], review: PageInput, options: PageOptions): Item[] {
  if (left.length === 0) return [];
  const pieces = left.map((plan): Piece => {
    const write = () => `- ${formatModule(plan, review, { ...options, dated: false })}`;
    return { rank: RANKS.security, kind: 'modules', write };
  });
  const destroyed = left.reduce((total, plan) => total + countDestroyed(plan), 0);
  const inside = destroyed > 0 ? `, including ${destroyed} more ${DESTROYED}` : '';
  const block = { open: '', close: '', pieces };
  return [
    `**${plural(left.length, 'more module')}, changes not shown${inside}**`,
    block,
    countTally([block], 'modules'),
  ];
}

function countTally(blocks: readonly Block[], kind: string, more = 0): Tally {
  const write = (cut: readonly Piece[]) => (cut.length + more > 0 ? `+ ${cut.length + more} more ${kind}` : '');
  return { blocks, bytes: 60, write };
}

function waiting(plans: readonly ReviewedPlan[]): ReviewedPlan[] {
  return plans.length > 1 ? plans.filter(({ outcome }) => outcome.state === 'waiting') : [];
}

function formatModuleLine(what: string, plans: readonly ReviewedPlan[]): string {
  if (plans.length === 0) return '';
  return `**${what}:** ${names(plans.map(({ key }) => key))}`;
}
