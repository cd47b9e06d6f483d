/** Runs on a worker thread: the only place of the service where plan text is parsed. */
import { move } from 'piscina';
import { createAnalysis, type PlanAnalysis } from '../../../engine/index.ts';
import { faultOf } from './fault.ts';
import { HTTP_LIMITS, intake, unpack } from './intake.ts';
import type { AnalyzeReply, AnalyzeTask, IntakeReply, IntakeTask } from './tasks.ts';

export default function run(task: IntakeTask | AnalyzeTask): IntakeReply | AnalyzeReply {
  return task.task === 'intake' ? transferPlan(intake(task.raw)) : analyze(task);
}

function transferPlan(reply: IntakeReply): IntakeReply {
  if (!('plan' in reply) || reply.plan === null || 'fault' in reply.plan) return reply;
  // A Buffer may be a view of a shared pool, which cannot be transferred.
  const payload = move(Uint8Array.from(reply.plan.payload)) as Uint8Array;
  return { body: reply.body, plan: { payload } };
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
