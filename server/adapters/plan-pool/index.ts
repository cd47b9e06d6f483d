import { join } from 'node:path';
import type { DryRun, Preview } from '../../../engine/rules/index.ts';
import { InvalidInput, Unprocessable } from '../../lib/errors.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { createThreads, type TaskOutcome, TaskOverrun } from '../../threads/threads.ts';
import { analysisBudget, intakeBudget, LARGEST_ARCHIVE_BYTES, unpackedBytes } from './budgets.ts';
import type {
  AdviseReply,
  AnalyzeReply,
  AnalyzeTask,
  ArchiveTask,
  ExplainReply,
  ExposuresReply,
  FixReply,
  IntakeReply,
  IntakeTask,
  ListedLive,
  PlanFault,
  PlanTask,
} from './tasks.ts';
import type { PlanPool } from './types.ts';

export { createPlanReader, fitsAnalysis } from './reader.ts';
export type { PlanPool } from './types.ts';

// Threads load the build also when this file runs from source: Node cannot load TypeScript there.
const WORKER = join(packageRoot(), 'dist/server/adapters/plan-pool/worker.js');

export interface PlanPoolSettings {
  /** Threads for analyses and other slow tasks. */
  threads: number;
  /** Threads for the check of a body before the 202, which never waits behind analyses. */
  intake_threads: number;
  /** Maximum heap of a thread in MB; threads for small inputs get less. */
  heap_mb: number;
  /** Called at the end of each task. */
  onEnd?: (task: PlanTask['task'], outcome: TaskOutcome) => void;
  /** The file that the threads run; for tests. */
  worker?: string;
}

/** Threads start when the first plan comes. */
export function createPlanPool({
  threads,
  intake_threads,
  heap_mb,
  worker = WORKER,
  ...rest
}: PlanPoolSettings): PlanPool {
  const judging = createThreads<PlanTask>({ threads, worker, ...rest });
  const intake = createThreads<PlanTask>({ threads: intake_threads, worker, ...rest });

  /** Runs a task with an input of this size; `beyond` supplies its result if it exceeds its budget. */
  async function judge<T>(
    key: string,
    task: PlanTask,
    options: { bytes: number; signal?: AbortSignal; transferList?: ArrayBuffer[] },
    onOverrun: (overrun: TaskOverrun) => T | Promise<T>,
  ): Promise<T> {
    const { bytes, ...rest } = options;
    const run = judging.run(task, { key, budget: analysisBudget(bytes, heap_mb), ...rest });
    return catchOverrun(run as Promise<T>, onOverrun);
  }

  const pool: PlanPool = {
    async intake(key, raw) {
      const bytes = ownBytes(raw);
      const task: IntakeTask = { task: 'intake', raw: bytes };
      const budget = intakeBudget(bytes.length, heap_mb);
      const run = intake.run(task, { key, budget, transferList: [bytes.buffer] }) as Promise<IntakeReply>;
      const reply = await catchOverrun(run, refuseBody);
      if ('refused' in reply) throw new InvalidInput(reply.refused.message, reply.refused.error_class);
      return reply;
    },

    trimJson: (key, raw) =>
      judge<Uint8Array | null>(key, { task: 'trim', raw: Uint8Array.from(raw) }, { bytes: raw.length }, () => null),

    openArchive(key, zip, options, signal) {
      const bytes = ownBytes(zip);
      const task: ArchiveTask = { task: 'archive', zip: bytes, options };
      const { max_bytes } = options;
      return judge(key, task, { bytes: max_bytes, signal, transferList: [bytes.buffer] }, (overrun) => {
        const refused = `The archive was not read: opening it ${overrun.message}.`;
        return { plans: [], skipped: 0, unpacked_bytes: max_bytes, refused };
      });
    },

    analyze(key, payload, { judgement, link_mark = null, live = [], from_archive = false, ...rest }, signal) {
      const bytes = ownBytes(payload);
      const noise_key = Uint8Array.from(judgement.noise_key);
      const own = { ...judgement, noise_key };
      const task: AnalyzeTask = { ...rest, task: 'analyze', payload: bytes, judgement: own, link_mark, live };
      const unpacked = unpackedBytes(bytes, from_archive ? LARGEST_ARCHIVE_BYTES : undefined);
      return judge<AnalyzeReply>(
        key,
        task,
        { bytes: unpacked, signal, transferList: [bytes.buffer] },
        toComplexityFault,
      );
    },

    explain: (key, task) =>
      judge<ExplainReply>(
        key,
        { task: 'explain', ...task },
        { bytes: task.text.length + task.answer.length },
        toUnusable,
      ),

    markUnexplained: (key, text, why) => judge(key, { task: 'unexplained', text, why }, { bytes: text.length }, raise),

    fix(key, task) {
      const bytes = task.result_text?.length ?? 0;
      return judge<FixReply>(key, { task: 'fix', ...task }, { bytes }, (overrun) =>
        task.result_text === null ? raise(overrun) : pool.fix(key, { ...task, result_text: null }),
      );
    },

    advise: (key, task) =>
      judge<AdviseReply>(
        key,
        { task: 'advise', ...task },
        { bytes: task.user.length + task.answer.length },
        toUnusable,
      ),

    dryRun: (key, result_text, rule) =>
      judge<DryRun>(key, { task: 'dry-run', result_text, rule }, { bytes: result_text.length }, refuseRules),

    preview: (key, result_text, rules) =>
      judge<Preview>(key, { task: 'preview', result_text, rules }, { bytes: result_text.length }, refuseRules),

    findExposures(key, accounts) {
      const bytes = accounts.reduce((sum, one) => sum + countBytes(one.resources) + countBytes(one.neighbors), 0);
      return judge<ExposuresReply>(key, { task: 'exposures', accounts }, { bytes }, () => ({}));
    },

    resultPage: (key, result_text, run) =>
      judge<string>(key, { task: 'page', result_text, run }, { bytes: result_text.length }, refusePage),

    async check() {
      if (intake.isStuck() || judging.isStuck()) throw new Error('the plan threads are not making progress');
    },

    close: async () => void (await Promise.all([judging.close(), intake.close()])),
  };
  return pool;
}

function countBytes(resources: readonly ListedLive[]): number {
  return resources.reduce((sum, { properties }) => sum + (properties?.length ?? 0), 0);
}

async function catchOverrun<T>(run: Promise<T>, onOverrun: (overrun: TaskOverrun) => T | Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof TaskOverrun) return onOverrun(error);
    throw error;
  }
}

function raise(overrun: TaskOverrun): never {
  throw overrun;
}

function toUnusable({ message }: TaskOverrun): { unusable: string } {
  return { unusable: `verifying the response against the plan ${message}` };
}

function toComplexityFault({ message }: TaskOverrun): { fault: PlanFault } {
  const advice = 'Split the configuration into smaller ones, or report the plan to the maintainers.';
  return { fault: { error_class: 'plan_too_complex', message: `Analyzing the plan ${message}. ${advice}` } };
}

function refuseBody({ message }: TaskOverrun): never {
  const advice = 'Send the plan exactly as `terraform show -json` prints it.';
  throw new Unprocessable(`Checking the request body ${message}. ${advice}`, 'body_too_complex');
}

function refuseRules({ message }: TaskOverrun): never {
  const advice = 'Try fewer or simpler rules, or a smaller analysis.';
  throw new Unprocessable(`Testing the rules on that analysis ${message}. ${advice}`, 'rule_too_complex');
}

function refusePage({ message }: TaskOverrun): never {
  const advice = 'Read it as JSON instead: GET /api/v2/orgs/{id}/scans/{scan_id}.';
  throw new Unprocessable(`Rendering the page of this result ${message}. ${advice}`, 'plan_too_complex');
}

/** Bytes that can be transferred: small Buffers are views of a shared pool. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return new Uint8Array(buffer);
  return Uint8Array.from(bytes);
}
