import { buildFixPrompt, type FixReading, readFixAnswer, type SendValues } from '../../../engine/explain/index.ts';
import { fixOptions } from '../../../engine/fix/options.ts';
import type { FixProposal, FixSubject } from '../../../engine/fix/types.ts';
import { aDiff } from '../noise/builders.ts';

/** A service whose count an autoscaler changes; no rule matches it, and it may be ignored. */
export function aSubject(more: Partial<FixSubject> = {}): FixSubject {
  return {
    resource_type: 'aws_ecs_service',
    resource_address: 'module.shop.aws_ecs_service.api["eu"]',
    attribute: 'desired_count',
    classification: 'novel',
    matched_rule_id: null,
    diff: aDiff('desired_count', 2, 5),
    categories: ['other'],
    ...more,
  };
}

export interface FixAnswerFields {
  order?: unknown;
  options?: unknown;
  confidence?: unknown;
}

export interface FixQuestion {
  proposal: FixProposal;
  user: string;
  names: string[];
  /** A valid answer with plain texts for each option and the given overrides. */
  buildAnswer(fields: FixAnswerFields): string;
  read(fields: FixAnswerFields): FixReading;
}

export function ask(subject: FixSubject, send_values: SendValues = 'redacted'): FixQuestion {
  const proposal = fixOptions(subject);
  const { user } = buildFixPrompt(subject, proposal, { send_values });
  const names = ['a', 'b', 'c'].slice(0, proposal.fixes.length);
  const plain = names.map((option) => buildOption(option));
  const buildAnswer = (fields: FixAnswerFields) =>
    JSON.stringify({ order: names, options: plain, confidence: 0.7, ...fields });
  const read = (fields: FixAnswerFields) => {
    const reading = readFixAnswer(buildAnswer(fields), user);
    if ('unusable' in reading) throw new TypeError(reading.unusable);
    return reading;
  };
  return { proposal, user, names, buildAnswer, read };
}

export function buildOption(option: string, more: Record<string, unknown> = {}) {
  return {
    option,
    summary: 'Write the value that stands there now.',
    detail: 'Both sides are then equal.',
    pros: ['It stays visible.'],
    cons: ['It has to be kept up.'],
    ...more,
  };
}
