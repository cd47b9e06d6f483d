/** Runs on a worker thread: the only place of the service where plan text is parsed. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { createAnalysis, type PlanAnalysis } from '../../../engine/index.ts';
import { faultOf } from './fault.ts';
import { HTTP_LIMITS, intake, unpack } from './intake.ts';
import type { AnalyzeReply, AnalyzeTask, IntakeReply, IntakeTask } from './tasks.ts';

export default function run(task: IntakeTask | AnalyzeTask): unknown {
  return task.task === 'intake' ? handOver(intake(task.raw)) : analyze(task);
}

/** Gives the plan's bytes to the event loop instead of copying them. */
function handOver(reply: IntakeReply): unknown {
  if (!('plan' in reply) || reply.plan === null || 'fault' in reply.plan) return reply;
  // A Buffer may be a view of a shared pool, which cannot be transferred.
  const payload = Uint8Array.from(reply.plan.payload);
  return move({ [transferableSymbol]: [payload.buffer], [valueSymbol]: { ...reply, plan: { payload } } });
}

function analyze({ payload, noise_key }: AnalyzeTask): AnalyzeReply {
  try {
    const analysis = createAnalysis({ noise_key, limits: HTTP_LIMITS });
    analysis.write(unpack(payload));
    const result = analysis.end();
    return { text: JSON.stringify(result), provider: mainProvider(result), resource_count: result.summary.total };
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
