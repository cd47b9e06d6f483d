import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { SendValues } from '../../../engine/explain/index.ts';
import type { DryRun, Preview, ProposedRules, RuleToTry } from '../../../engine/rules/index.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { packageRoot } from '../../lib/package-root.ts';
import type {
  AdviseReply,
  AdviseTask,
  AnalyzeReply,
  AnalyzeTask,
  ArchiveOptions,
  ArchiveTask,
  ExplainReply,
  ExplainTask,
  Fault,
  FixReply,
  FixTask,
  IntakeReply,
  IntakeTask,
  OpenedArchive,
  OrgJudgement,
  PlanReply,
  PlanTask,
  UnexplainedTask,
} from './tasks.ts';

export { createPlanReader } from './reader.ts';

export interface PlanPoolSettings {
  threads: number;
  /** Heap of one thread in MB; a plan that needs more ends its job, not the process. */
  heap_mb: number;
}

type Intake = Extract<IntakeReply, { body: unknown }>;
type Analyzed = Exclude<AnalyzeReply, { fault: Fault }>;

export interface PlanPool {
  intake(raw: Buffer): Promise<Intake>;
  openArchive(zip: Uint8Array, options: ArchiveOptions, signal: AbortSignal): Promise<OpenedArchive>;
  analyze(
    payload: Uint8Array,
    options: { judgement: OrgJudgement; send_values: SendValues | null; likely_benign: string[] },
    signal: AbortSignal,
  ): Promise<Analyzed | { fault: Fault }>;
  /** The result with what of a model's answer stands. */
  explain(task: Omit<ExplainTask, 'task'>): Promise<ExplainReply>;
  /** The result with the reason why no model wrote its text. */
  unexplained(text: string, why: UnexplainedTask['why']): Promise<string>;
  fix(task: Omit<FixTask, 'task'>): Promise<FixReply>;
  /** The ways to be rid of a pattern with what of a model's answer stands. */
  advise(task: Omit<AdviseTask, 'task'>): Promise<AdviseReply>;
  /** @param result_text a stored result */
  dryRun(result_text: string, rule: RuleToTry): Promise<DryRun>;
  preview(result_text: string, rules: ProposedRules): Promise<Preview>;
  close(): Promise<void>;
}

/** The threads on which plans are read; started when the first plan comes. */
export function createPlanPool({ threads, heap_mb }: PlanPoolSettings): PlanPool {
  const piscina = new Piscina<PlanTask, PlanReply>({
    // Threads load the build also when this file runs from source: Node cannot load TypeScript there.
    filename: join(packageRoot(), 'dist/server/adapters/plan-pool/worker.js'),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: heap_mb },
  });

  return {
    async intake(raw) {
      const bytes = ownBuffer(raw);
      const task: IntakeTask = { task: 'intake', raw: bytes };
      const reply = (await piscina.run(task, { transferList: [bytes.buffer] })) as IntakeReply;
      if ('refused' in reply) throw new InvalidInput(reply.refused.message, reply.refused.error_class);
      return reply;
    },

    async openArchive(zip, options, signal) {
      const bytes = ownBuffer(zip);
      const task: ArchiveTask = { task: 'archive', zip: bytes, options };
      return (await piscina.run(task, { signal, transferList: [bytes.buffer] })) as OpenedArchive;
    },

    async analyze(payload, { judgement, send_values, likely_benign }, signal) {
      const bytes = ownBuffer(payload);
      const noise_key = Uint8Array.from(judgement.noise_key);
      const own = { ...judgement, noise_key };
      const task: AnalyzeTask = { task: 'analyze', payload: bytes, judgement: own, send_values, likely_benign };
      return (await piscina.run(task, { signal, transferList: [bytes.buffer] })) as AnalyzeReply;
    },

    async explain(task) {
      return (await piscina.run({ task: 'explain', ...task })) as ExplainReply;
    },

    async unexplained(text, why) {
      return (await piscina.run({ task: 'unexplained', text, why })) as string;
    },

    async fix(task) {
      return (await piscina.run({ task: 'fix', ...task })) as FixReply;
    },

    async advise(task) {
      return (await piscina.run({ task: 'advise', ...task })) as AdviseReply;
    },

    async dryRun(result_text, rule) {
      return (await piscina.run({ task: 'dry-run', result_text, rule })) as DryRun;
    },

    async preview(result_text, rules) {
      return (await piscina.run({ task: 'preview', result_text, rules })) as Preview;
    },

    close: () => piscina.close({ force: true }),
  };
}

/** Bytes that may be transferred: small Buffers are views of a pool that others share. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return new Uint8Array(buffer);
  return Uint8Array.from(bytes);
}
