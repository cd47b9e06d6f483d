import { createCommands } from '../../../bot/commands/answer.ts';
import { readCommand } from '../../../bot/commands/parse.ts';
import type { CommandContext, CommandPlan } from '../../../bot/commands/types.ts';
import type { Change } from '../../../engine/index.ts';
import type { Client, Schemas } from '../../../sdk/src/index.ts';
import { aChange, anAnalysis } from '../../engine/render/builders.ts';

export const FINGERPRINT = '664a69e7e545b4c8e35ec397685030a1';
export const NOW = new Date('2026-01-02T03:04:05.678Z');

/** A service with these responses by operation; an error is thrown. */
export function aClient(answers: Record<string, (params: never) => unknown>): Client {
  const call = async (operation: string, params: unknown) => answers[operation]?.(params as never);
  return { call, waitForJob: (job: unknown) => call('waitForJob', job) } as unknown as Client;
}

export function aContext(plans: CommandPlan[], more: Partial<CommandContext> = {}): CommandContext {
  const org = { id: '019b7a10-0000-7000-8000-000000000003', slug: 'acme' };
  return { dpa: aClient({}), org, dialect: 'github', plans, ...more };
}

export function aPlan(changes: Change[], key = 'infra/plan.json'): CommandPlan {
  return { key, analysis: anAnalysis(changes) };
}

/** An update with these patterns. */
export function aNoisyChange(
  address: string,
  fingerprints: string[],
  more: Parameters<typeof aChange>[1] = {},
): Change {
  const { noise, ...change } = aChange(address, more);
  return { ...change, noise: { ...noise, fingerprints } };
}

export function aPattern(more: Partial<Schemas['NoisePattern']> = {}): Schemas['NoisePattern'] {
  return {
    fingerprint: FINGERPRINT,
    resource_address: 'aws_s3_bucket.logs',
    resource_type: 'aws_s3_bucket',
    attribute: 'tags_all',
    action: 'update',
    classification: 'likely_benign',
    matched_rule: null,
    matched_custom_rule_id: null,
    suppressed: false,
    occurrence_count: 7,
    first_seen: '2025-12-02T03:04:05.678Z',
    last_seen: '2026-01-01T03:04:05.678Z',
    repo_owner: 'acme',
    repo_name: 'infra',
    ...more,
  };
}

/** A response to `listPlanNoise`. */
export function answerPatterns(...patterns: Schemas['NoisePattern'][]) {
  return { listPlanNoise: () => ({ patterns, settings: { recurrence_threshold: 3, window_days: 30 } }) };
}

export function anOption(more: Partial<Schemas['FixOption']> = {}): Schemas['FixOption'] {
  return {
    kind: 'fix',
    rank: 1,
    label: 'Write what is there',
    summary: 'Set `timeout` to 80.',
    detail: 'Both sides are equal then.',
    pros: ['It ends at once'],
    cons: ['None known'],
    patch: { language: 'hcl', before: 'timeout = 90', after: 'timeout = 80' },
    target: { resource_type: 'aws_glue_job', resource_address: 'aws_glue_job.a', attribute: 'timeout' },
    min_provider_version: null,
    references: [],
    ...more,
  };
}

/** A service that returns these options. */
export function answerFixes(...fixes: Schemas['FixOption'][]) {
  return {
    generateNoiseFix: () => ({ job_id: 'j', status: 'pending' }),
    waitForJob: () => ({ result: { fixes, confidence: 0.9, trace_id: 'trc-000000000000000000000000' } }),
  };
}

/** The reply to a command line. */
export function answerLine(line: string, context: CommandContext, app_url: string | null = 'https://dpa.example.com') {
  return createCommands({ now: () => NOW, app_url }).answer(readCommand(line), context);
}
