/** Runs on a worker thread, the only place of the service where plan text is parsed. */
import { setPriority } from 'node:os';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { documentParsers } from '../../../engine/documents/index.ts';
import {
  addConcerns,
  addExplanation,
  applyFixReading,
  applyProposals,
  buildFixPrompt,
  buildPrompt,
  type Prompt,
  readAnswer,
  readFixAnswer,
  type SendValues,
} from '../../../engine/explain/index.ts';
import {
  createAnalysis,
  fixOptions,
  fixSubject,
  type LinkCandidate,
  type PlanAnalysis,
  type RiskLevel,
  writeNarrative,
} from '../../../engine/index.ts';
import {
  compileRules,
  createPolicyAdjuster,
  dryRun,
  previewRules,
  type RunContext,
} from '../../../engine/rules/index.ts';
import { formatRepo } from '../../lib/repo.ts';
import { resultDocument } from '../../pages/result/result-page.ts';
import { markBegin } from '../../threads/thread-clock.ts';
import type { Marked } from '../../threads/threads.ts';
import { toLiveResource } from '../drift-pool/lives.ts';
import { openArchive } from './archive.ts';
import { toPlanFault } from './fault.ts';
import { HTTP_LIMITS, intake, unpack } from './intake.ts';
import type {
  AdviseReply,
  AdviseTask,
  AnalyzeReply,
  AnalyzeTask,
  ExplainReply,
  ExplainTask,
  ExposuresReply,
  ExposuresTask,
  FixReply,
  FixTask,
  IntakeReply,
  ListedLive,
  OpenedArchive,
  PlanTask,
  UnexplainedTask,
} from './tasks.ts';
import { trimJson } from './trim-json.ts';

/** The event loop, which serves all requests, has priority. */
const LOW_PRIORITY = 10;
// On Linux, each thread has its own priority; elsewhere this would change the whole process.
if (process.platform === 'linux') setPriority(LOW_PRIORITY);

export default function run(task: Marked<PlanTask>): unknown {
  markBegin(task.mark);
  switch (task.task) {
    case 'intake':
      return handOver(intake(task.raw));
    case 'trim':
      return trimJson(task.raw);
    case 'archive':
      return openArchive(task).then(handOverPlans);
    case 'analyze':
      return analyze(task);
    case 'explain':
      return explain(task);
    case 'unexplained':
      return markUnexplained(task);
    case 'fix':
      return fix(task);
    case 'advise':
      return advise(task);
    case 'dry-run': {
      const stored = readStored(task.result_text);
      return dryRun(stored.changes, task.rule, toRunContext(stored));
    }
    case 'preview': {
      const stored = readStored(task.result_text);
      return previewRules(stored, task.rules, toRunContext(stored));
    }
    case 'page':
      return resultDocument(readStored(task.result_text), task.run);
    case 'exposures':
      return judgeExposures(task);
  }
}

/** A stored result: the engine's result and its scan run. */
type StoredAnalysis = PlanAnalysis & {
  scan_run: { repo_owner: string | null; repo_name: string | null; branch: string | null };
};

function readStored(result_text: string): StoredAnalysis {
  return JSON.parse(result_text) as StoredAnalysis;
}

function toRunContext({ scan_run: { repo_owner, repo_name, branch } }: StoredAnalysis): RunContext {
  return { repo: formatRepo(repo_owner, repo_name), branch, now: new Date() };
}

/** Transfers the plan's bytes to the event loop instead of copying them. */
function handOver(reply: IntakeReply): unknown {
  if (!('plan' in reply) || reply.plan === null || 'fault' in reply.plan) return reply;
  // A Buffer may be a view of a shared pool, which cannot be transferred.
  const payload = Uint8Array.from(reply.plan.payload);
  return move({ [transferableSymbol]: [payload.buffer], [valueSymbol]: { ...reply, plan: { payload } } });
}

function handOverPlans(opened: OpenedArchive): unknown {
  const payloads = opened.plans.flatMap(({ payload }) => (payload === undefined ? [] : [payload.buffer]));
  return move({ [transferableSymbol]: payloads, [valueSymbol]: opened });
}

async function analyze(task: AnalyzeTask): Promise<AnalyzeReply> {
  const { payload, judgement, send_values, likely_benign, link_mark, live } = task;
  const { noise_key, rules, context } = judgement;
  try {
    const book = compileRules(rules, context);
    const analysis = createAnalysis({
      noise_key,
      book,
      likely_benign: new Set(likely_benign),
      limits: HTTP_LIMITS,
      parsers: () => documentParsers,
      // Only organizations with an inventory need the names of all types.
      ...(link_mark === null ? {} : { listNames: (await loadDrift()).listObjectNames }),
      live: new Map(live),
    });
    analysis.write(unpack(payload));
    const result = analysis.end();
    const prompt = send_values === null ? null : toPrompt(result, send_values);
    const link_candidates = link_mark === null ? [] : analysis.linkCandidates();
    return {
      text: JSON.stringify(link_mark === null ? result : markChanges(result, link_candidates, link_mark)),
      provider: mainProvider(result),
      resource_count: result.summary.total,
      occurrences: analysis.occurrences(),
      owners: analysis.owners(),
      link_candidates,
      unknown_patterns: analysis.unknownPatterns(),
      prompt,
    };
  } catch (error) {
    const fault = toPlanFault(error);
    if (fault === undefined) throw error;
    return { fault };
  }
}

const loadDrift = () => import('../../../engine/drift/index.ts');

async function judgeExposures({ accounts }: ExposuresTask): Promise<ExposuresReply> {
  const { findExposures } = await loadDrift();
  const found = accounts.flatMap(({ account, resources, neighbors }) => {
    const toLive = (listed: ListedLive) => toLiveResource(listed, account.provider);
    const options = { account, neighbors: neighbors.map(toLive), parsers: () => documentParsers };
    return [...findExposures(resources.map(toLive), options)];
  });
  return Object.fromEntries(found);
}

/** Adds to each candidate where the ID of its live resource belongs. */
function markChanges(result: PlanAnalysis, candidates: readonly LinkCandidate[], mark: string): PlanAnalysis {
  const marked = new Set(candidates.map(({ change_id }) => change_id));
  const changes = result.changes.map((change) =>
    marked.has(change.id) ? { ...change, live_resource_id: `${mark}${change.id}` } : change,
  );
  return { ...result, changes };
}

/** The facts that a response can mention stay here and are computed again when the response arrives. */
function toPrompt(result: PlanAnalysis, send_values: SendValues): Prompt {
  const { known: _, ...prompt } = buildPrompt(result, { send_values });
  return prompt;
}

function explain({ text, answer, prompt_version, send_values, count_concerns, judgement }: ExplainTask): ExplainReply {
  const analysis = JSON.parse(text) as PlanAnalysis;
  const { known } = buildPrompt(analysis, { send_values, prompt_version });
  const reading = readAnswer(answer, analysis, known);
  if ('unusable' in reading) return reading;
  const { proposals, overall, concerns = [] } = reading;
  const applyOrgPolicy = createPolicyAdjuster(compileRules(judgement.rules, judgement.context));
  const raised = applyProposals(analysis, proposals, overall, applyOrgPolicy);
  const concerned = addConcerns(raised, concerns, count_concerns ? applyOrgPolicy : null);
  const explained = addExplanation(concerned, reading);
  return { text: JSON.stringify(explained), parsed: reading, raised: listRaised(explained) };
}

function listRaised({ changes }: PlanAnalysis): Record<string, RiskLevel> {
  const raised = changes.filter(({ risk }) => risk.raised_by === 'llm');
  return Object.fromEntries(raised.map(({ id, risk }) => [id, risk.level]));
}

function fix({ pattern, result_text, send_values }: FixTask): FixReply {
  const subject = fixSubject(pattern, result_text === null ? [] : readStored(result_text).changes);
  const proposal = fixOptions(subject);
  return { proposal, prompt: send_values === null ? null : buildFixPrompt(subject, proposal, { send_values }) };
}

function advise({ proposal, user, answer }: AdviseTask): AdviseReply {
  const reading = readFixAnswer(answer, user);
  if ('unusable' in reading) return reading;
  return { proposal: applyFixReading(proposal, reading), parsed: reading };
}

function markUnexplained({ text, why }: UnexplainedTask): string {
  const analysis = JSON.parse(text) as PlanAnalysis;
  const marked: PlanAnalysis =
    'reason' in why
      ? { ...analysis, fallback_reason: why.reason }
      : { ...analysis, narrative_status: 'skipped', skip_reason: why.skip_reason };
  return JSON.stringify({ ...marked, narrative: writeNarrative(marked) });
}

const CLOUDS = ['aws', 'gcp', 'azure'] as const;

/** The cloud of most changes; null if it is none of the three, or if there are no changes. */
function mainProvider({ summary }: PlanAnalysis): (typeof CLOUDS)[number] | null {
  const [top] = Object.entries(summary.by_provider).sort(([, a], [, b]) => b - a);
  return CLOUDS.find((cloud) => cloud === top?.[0]) ?? null;
}
