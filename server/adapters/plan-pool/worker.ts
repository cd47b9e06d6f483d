/** Runs on a worker thread: the only place of the service where plan text is parsed. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { createAnalysis, type PlanAnalysis } from '../../../engine/index.ts';
import { compileRules, dryRun, previewRules, type RunContext } from '../../../engine/rules/index.ts';
import { repoOf } from '../../lib/repo.ts';
import { faultOf } from './fault.ts';
import { HTTP_LIMITS, intake, unpack } from './intake.ts';
import type { AnalyzeReply, AnalyzeTask, IntakeReply, PlanTask } from './tasks.ts';

export default function run(task: PlanTask): unknown {
  switch (task.task) {
    case 'intake':
      return handOver(intake(task.raw));
    case 'analyze':
      return analyze(task);
    case 'dry-run': {
      const stored = readStored(task.result_text);
      return dryRun(stored.changes, task.rule, contextOf(stored));
    }
    case 'preview': {
      const stored = readStored(task.result_text);
      return previewRules(stored, task.rules, contextOf(stored));
    }
  }
}

/** A stored result: the engine's own, and the scan run it belongs to. */
type StoredAnalysis = PlanAnalysis & {
  scan_run: { repo_owner: string | null; repo_name: string | null; branch: string | null };
};

function readStored(result_text: string): StoredAnalysis {
  return JSON.parse(result_text) as StoredAnalysis;
}

function contextOf({ scan_run: { repo_owner, repo_name, branch } }: StoredAnalysis): RunContext {
  return { repo: repoOf(repo_owner, repo_name), branch, now: new Date() };
}

/** Gives the plan's bytes to the event loop instead of copying them. */
function handOver(reply: IntakeReply): unknown {
  if (!('plan' in reply) || reply.plan === null || 'fault' in reply.plan) return reply;
  // A Buffer may be a view of a shared pool, which cannot be transferred.
  const payload = Uint8Array.from(reply.plan.payload);
  return move({ [transferableSymbol]: [payload.buffer], [valueSymbol]: { ...reply, plan: { payload } } });
}

function analyze({ payload, judgement: { noise_key, rules, context } }: AnalyzeTask): AnalyzeReply {
  try {
    const book = compileRules(rules, context);
    const analysis = createAnalysis({ noise_key, book, limits: HTTP_LIMITS });
    analysis.write(unpack(payload));
    const result = analysis.end();
    return {
      text: JSON.stringify(result),
      provider: mainProvider(result),
      resource_count: result.summary.total,
      occurrences: analysis.occurrences(),
    };
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return { fault };
  }
}

const CLOUDS = ['aws', 'gcp', 'azure'] as const;

/** The cloud of most changes; null when that is none of the three, or there are no changes. */
function mainProvider({ summary }: PlanAnalysis): (typeof CLOUDS)[number] | null {
  const [top] = Object.entries(summary.by_provider).sort(([, a], [, b]) => b - a);
  return CLOUDS.find((cloud) => cloud === top?.[0]) ?? null;
}
