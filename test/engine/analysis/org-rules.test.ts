import { describe, expect, test } from '@jest/globals';
import { createAnalysis } from '../../../engine/index.ts';
import type { JsonObject, PlanAnalysis } from '../../../engine/model/result.ts';
import { NO_RULES, type RuleBook } from '../../../engine/model/rule-book.ts';
import type { NoiseOccurrence } from '../../../engine/noise/occurrence.ts';
import type { RawChange } from '../../../engine/plan/types.ts';
import { entry, planText } from './plans.ts';

function analyze(changes: unknown[], more: Partial<RuleBook> = {}): PlanAnalysis & { occurrences: NoiseOccurrence[] } {
  const analysis = createAnalysis({ noise_key: Buffer.alloc(32, 1), book: { ...NO_RULES, ...more } });
  analysis.write(Buffer.from(planText({ resource_changes: changes })));
  return { ...analysis.end(), occurrences: analysis.occurrences() };
}

const update = (name: string, before: JsonObject, after: JsonObject, more: Partial<RawChange> = {}) =>
  entry('aws_glue_job', name, { before, after, ...more });

describe('an analysis with the rules of an organization', () => {
  test('counts suppressed changes as known noise', () => {
    const changes = [update('a', { timeout: 1 }, { timeout: 2 }), update('b', { timeout: 1 }, { timeout: 2 })];
    const address = 'aws_glue_job.a';
    const { plan_noise } = analyze(changes, {
      hasSuppressions: (at) => at === address,
      suppression: (_fingerprint, at) => (at === address ? 'x' : null),
    });

    expect(plan_noise).toEqual({
      known_benign: 1,
      novel: 1,
      suppressed: 1,
      total: 2,
      addresses: { known_benign: [address], suppressed: [address] },
    });
  });

  test('is blocked by a policy rule and lists it once with the number of changes', () => {
    const policyRules: RuleBook['policyRules'] = () => [
      { id: 'freeze', name: 'Freeze', effect: 'block', level: null, reason: 'Quarter end', path: null },
    ];
    const changes = ['b', 'a', 'c'].map((name) => update(name, { timeout: 1 }, { timeout: 2 }));

    const { risk, narrative } = analyze(changes, { policyRules, policy_version: 7 });

    expect(risk).toMatchObject({ blocked: true, policy_version: 7 });
    expect(narrative).toContain('Blocked by the policy');
    expect(risk.block_reasons).toEqual([
      {
        rule_id: 'freeze',
        kind: 'policy',
        effect: 'block',
        level: 'low',
        path: null,
        message: 'Blocked by the policy "Freeze": Quarter end (aws_glue_job.a and 2 more)',
      },
    ]);
  });

  test('returns the patterns it found, except for a change that contains a secret', () => {
    const open = update('open', { timeout: 1, notes: 'x' }, { timeout: 2, notes: 'x' });
    const marked = update(
      'marked',
      { default_arguments: 'p4ss-of-the-harbour' },
      { default_arguments: 'q4ss-of-the-harbour' },
      { before_sensitive: { default_arguments: true }, after_sensitive: { default_arguments: true } },
    );
    const leaking = update('leaking', { notes: 'p4ss-of-the-harbour' }, { notes: 'q4ss-of-the-harbour' });

    const { occurrences } = analyze([open, leaking, marked]);

    expect(occurrences.map(({ address, attribute }) => [address, attribute])).toEqual([
      ['aws_glue_job.open', 'timeout'],
    ]);
    expect(occurrences[0]).toMatchObject({ resource_type: 'aws_glue_job', action: 'update', classification: 'novel' });
  });
});
