import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyzePlan } from '../../../engine/index.ts';
import { renderMarkdown } from '../../../engine/review/render.ts';
import { aDiff } from '../noise/builders.ts';
import { aChange, aDelete, anAnalysis, aReason, aReplace, HOSTILE_NAMES } from '../render/builders.ts';

const MAX_BYTES = 60_000;
const render = (analysis: Parameters<typeof renderMarkdown>[0], top = 50) => renderMarkdown(analysis, { top });

describe('a comment', () => {
  test('shows the verdict, then changes that need review by level and action, then the rest', () => {
    const text = render(
      anAnalysis([
        aReplace('aws_db_instance.main', {
          level: 'critical',
          replace_paths: ['storage_encrypted'],
          action_reason: 'replace_because_cannot_update',
        }),
        aChange('aws_security_group.web'),
        aDelete('aws_instance.worker[2]', { level: 'medium', action_reason: 'delete_because_count_index' }),
        aReplace('aws_ecs_task_definition.api', { level: 'low' }),
        aChange('aws_lb.public', { level: 'low' }),
      ]),
    );

    expect(
      text.startsWith('### 🔴 Plan review: **critical risk**\n\n**1 to delete, 2 to replace** · 2 to update\n'),
    ).toBe(true);
    expect(text).toContain(
      '| 🔴\u00a0**Critical** | **replace**<br>`aws_db_instance.main` | It matters.<br>Replaced because of a change to `storage_encrypted`; the old one is destroyed first |',
    );
    const order = [
      '`aws_db_instance.main` | It',
      '`aws_security_group.web` | It',
      '`aws_instance.worker[2]` | It',
      'aws_ecs_task_definition.api',
      '<details>',
      'aws_lb.public',
    ];
    expect(order.map((part) => text.indexOf(part))).toEqual(
      order.map((part) => text.indexOf(part)).toSorted((a, b) => a - b),
    );
    expect(order.every((part) => text.includes(part))).toBe(true);
  });

  test('states that an empty plan has no changes', () => {
    expect(render(anAnalysis([]))).toContain('### ⚪ Plan review: **no risk**\n\nNo changes to resources\n');
  });

  test('shows unevaluated parts and escalations first', () => {
    const analysis = anAnalysis([aChange('a.b')], {}, { plan_errored: true });
    analysis.risk.escalations = [aReason('3 changes weaken security at level high or above.')];

    const text = render(analysis);

    expect(text).toContain('> **3 changes weaken security at level high or above.**');
    expect(text).toMatch(/> \*\*Planning ended with an error, .*\| Risk \| Change \|/s);
  });

  test('shows noise in one line and lists it below', () => {
    const noisy = aChange('aws_sns_topic.a', { level: 'low' });
    noisy.noise.classification = 'likely_benign';
    const analysis = anAnalysis([noisy], {
      plan_noise: {
        known_benign: 1,
        novel: 0,
        suppressed: 0,
        total: 1,
        addresses: { known_benign: ['aws_sns_topic.a'], suppressed: [] },
      },
    });

    const text = render(analysis);

    expect(text).toContain('1 of 1 change ignored as noise');
    expect(text).toContain('<details><summary>Ignored as noise (1)</summary>');
    expect(text).toContain('| likely benign | 1 | `aws_sns_topic.a` |\n\n</details>');
    expect(text).not.toContain('Other changes');
  });

  test('shows reversals outside collapsed sections, even of the lowest level or noise', () => {
    const change = aChange('aws_lb.a', {
      level: 'none',
      reverts_drift: { kind: 'revert', paths: ['idle_timeout', 'tags["a|b"]'], paths_total: 2 },
    });
    change.noise.classification = 'likely_benign';

    const text = render(anAnalysis([change], { resource_drift: [aChange('aws_lb.a')] }, { drift_detected: 4 }));

    expect(text).toContain(
      '**This apply reverts a change made outside of IaC:** `aws_lb.a` (`idle_timeout`, `tags["a|b"]`).',
    );
    expect(text.indexOf('This apply reverts')).toBeLessThan(text.indexOf('<details>'));
    expect(text).toContain(
      '| ⚪\u00a0None | update<br>`aws_lb.a` | It matters.<br>**Reverts a change made outside of IaC**: `idle_timeout`, <code>tags',
    );
    expect(text).toContain(
      '<summary>Drift: 4 resources changed outside of IaC since the last apply, 1 of which affects this plan</summary>',
    );
    expect(text).toContain('| 🟠\u00a0**High** | update<br>`aws_lb.a` | This apply reverts it |');
  });

  test('does not mention drift if there is none', () => {
    expect(render(anAnalysis([aChange('a.b')]))).not.toMatch(/drift|outside/i);
  });

  test('shows noise of a relevant level with the other changes', () => {
    const noisy = aChange('aws_kms_key.a', { level: 'medium' });
    noisy.noise.classification = 'likely_benign';

    expect(render(anAnalysis([noisy]))).toContain('| 🟡\u00a0**Medium** | update<br>`aws_kms_key.a` |');
  });

  test('shows no value of an attribute that decides nothing', () => {
    const change = aChange('a.b', { level: 'low', attributes_total: 1 });
    change.attributes = [aDiff(['size'], 'value-before', 'value-after')];

    expect(render(anAnalysis([change]))).toMatch(/changes `size`/i);
    expect(render(anAnalysis([change]))).not.toContain('value-');
  });

  test.each(HOSTILE_NAMES)('keeps the name %j inert', (name) => {
    const reverts_drift = { kind: 'revert' as const, paths: [name], paths_total: 1 };
    const change = aDelete(name, { type: name, replace_paths: [name], reverts_drift });
    change.risk.reasons = [aReason(name)];
    const text = render(
      anAnalysis(
        [change, aChange(name, { previous_address: name })],
        {
          resource_drift: [aChange(name)],
          output_changes: [
            { name, action: 'create', before: null, after: null, sensitive: false, after_unknown: false },
          ],
        },
        { drift_detected: 1, terraform_version: name },
      ),
    );
    const outside = text.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '').replace(/<code>[^<]*<\/code>|\\./g, '');

    expect(outside.replace(/<\/?(details|summary)>|<br>/g, '')).not.toMatch(/</);
    expect(outside).not.toMatch(/@[\w"]|:\/\/|!\[|\]\(/);
    expect(text.replaceAll('\n', '').replaceAll('\u200b', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    for (const row of text.split('\n').filter((line) => line.startsWith('| '))) {
      expect(row.replace(/\\./g, '').match(/\|/g)).toHaveLength(4);
    }
    expect(text.split('\n').filter((line) => /^ {0,3}(\/|#(?!## 🟠 Plan))/.test(line))).toEqual([]);
  });

  test('stays within its limit and lists or counts every destroyed resource', () => {
    const address = fc.string({ unit: 'binary', maxLength: 700 }).map((text) => `a.${text}`);
    fc.assert(
      fc.property(fc.array(address, { maxLength: 8 }), fc.integer({ min: 1, max: 120 }), (names, copies) => {
        const changes = names.flatMap((name) => Array.from({ length: copies }, () => aDelete(name)));
        const text = render(anAnalysis(changes));
        const listed = text.match(/^\| [^|]* \| \*\*delete\*\*<br>/gm)?.length ?? 0;
        const counted = Number(/\+ (\d+) more destroyed or replaced/.exec(text)?.[1] ?? 0);

        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
        expect(listed + counted).toBe(changes.length);
      }),
      { numRuns: 25 },
    );
  });

  test('leaves room for opened access next to a thousand destroyed resources', () => {
    const destroyed = Array.from({ length: 1000 }, (_, i) =>
      aDelete(`aws_instance.worker[${i}]`, { level: 'critical' }),
    );

    const text = render(anAnalysis([...destroyed, aChange('aws_security_group.bastion')]));

    expect(text).toContain('`aws_security_group.bastion`');
    expect(text).toMatch(/\*\*\+ \d+ more destroyed or replaced\*\* \(\d+ `aws_thing`\)/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('counts destroyed resources that the result does not list', () => {
    const analysis = anAnalysis(
      [aDelete('a.b')],
      { changes_total: 31, changes_truncated: true },
      { delete: 21, total: 31 },
    );

    const text = render(analysis);

    expect(text).toContain('**21 to delete**');
    expect(text).toContain('**+ 20 more destroyed or replaced**, not listed in the result');
    expect(text).toContain('+ 10 more changes of lower risk.');
  });

  test('of the bundled plan matches the snapshot', () => {
    const plan = readFileSync(new URL('../../../cli/demo/plan.json', import.meta.url));

    expect(render(analyzePlan(plan))).toMatchSnapshot();
  });
});
