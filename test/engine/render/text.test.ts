import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import { renderText } from '../../../engine/render/text.ts';
import { aDiff } from '../noise/builders.ts';
import { aChange, aDelete, anAnalysis, aReason, aReplace, HOSTILE_NAMES } from './builders.ts';

const plain = { color: false, top: 20 };

describe('the terminal view', () => {
  test('shows the verdict, the checks, then the changes by level and action with their marks', () => {
    const text = renderText(
      anAnalysis([
        aChange('a.opened', { level: 'critical' }),
        aReplace('a.db', { replace_paths: ['engine_version'] }),
        aReplace('a.version', { level: 'low' }),
      ]),
      plain,
    );

    expect(text.split('\n')).toEqual([
      'CRITICAL RISK  3 changes: 2 to replace, 1 to update',
      '',
      'Before approving:',
      '  - Check that nothing uses a.db, or that an interruption is acceptable.',
      '',
      'Needs review (3)',
      '  ~ update   !!! critical a.opened',
      '                          It matters.',
      '  ± replace  !!  high     a.db',
      '                          It matters.',
      '                          Replaced because of a change to engine_version; the old one is destroyed',
      '                          first',
      '  ± replace      low      a.version',
      '                          It matters.',
      '                          Replaced; the old one is destroyed first',
      '',
    ]);
  });

  test('is one line for an empty plan', () => {
    expect(renderText(anAnalysis([]), plain)).toBe('NO RISK  No changes to resources.\n');
  });

  test('shows noise, outputs and irrelevant drift in one line each', () => {
    const noisy = ['a.a', 'a.b', 'a.c', 'a.d'].map((address) => aChange(address, { level: 'low' }));
    for (const { noise } of noisy) noise.classification = 'known_benign';
    if (noisy[0] !== undefined) noisy[0].noise.suppression_id = 's';
    const analysis = anAnalysis(
      noisy,
      {
        plan_noise: {
          known_benign: 4,
          novel: 0,
          suppressed: 1,
          total: 4,
          addresses: { known_benign: ['a.a', 'a.b', 'a.c', 'a.d'], suppressed: [] },
        },
        output_changes: [
          { name: 'url', action: 'create', before: null, after: null, sensitive: false, after_unknown: true },
        ],
      },
      { drift_detected: 1 },
    );

    expect(renderText(analysis, plain)).toContain(
      [
        'Ignored as noise: 4 of 4 changes, 1 of them suppressed: a.a, a.b, a.c and 1 more',
        'Drift: 1 resource changed outside of IaC since the last apply, and does not affect this plan.',
        'Outputs: 1 changed: url',
      ].join('\n'),
    );
  });

  test('shows reversals first, and drift after planned changes', () => {
    const paths = ['size', 'tags.a', 'tags.b', 'tags.c'];
    const reverting = aChange('a.b', { level: 'low', reverts_drift: { kind: 'revert', paths, paths_total: 7 } });
    const again = aChange('a.c', {
      id: 'chg_00000000000000c0',
      reverts_drift: { kind: 'recreate', paths: [], paths_total: 0 },
    });
    const read = aChange('a.r', { id: 'chg_00000000000000d0', level: 'none' });

    const text = renderText(
      anAnalysis(
        [again, reverting],
        { resource_drift: [aDelete('a.c', { id: again.id }), read] },
        { drift_detected: 9 },
      ),
      plain,
    );

    expect(text.split('\n')).toEqual([
      'HIGH RISK  2 changes: 2 to update',
      '  ! This apply recreates a resource deleted outside of IaC: a.c.',
      '  ! This apply reverts a change made outside of IaC: a.b (size, tags.a, tags.b and 4 more).',
      '',
      'Before approving:',
      '  - Confirm with the person who changed a.c and a.b outside of IaC that the change can be undone.',
      '',
      'Needs review (1)',
      '  ~ update   !!  high     a.c',
      '                          It matters.',
      '                          Recreates a resource deleted outside of IaC',
      '',
      'Other changes (1)',
      '  ~ update       low      a.b',
      '                          It matters.',
      '                          Reverts a change made outside of IaC (3 more): size, tags.a, tags.b,',
      '                          tags.c',
      '',
      'Drift: 9 resources changed outside of IaC since the last apply, 2 of which affect this plan. The',
      'plan does not show who made these changes.',
      '  - delete   !!  high     a.c',
      '                          This apply recreates it',
      '  ~ update       none     a.r',
      '',
    ]);
  });

  test('lists three reversals and counts the rest', () => {
    const many = Array.from({ length: 5 }, (_, i) =>
      aChange(`a.u[${i}]`, { reverts_drift: { kind: 'overwrite', paths: ['x'], paths_total: 1 } }),
    );

    const text = renderText(anAnalysis(many), plain);

    expect(text.match(/! This apply overwrites/g)).toHaveLength(3);
    expect(text).toContain('  ! This apply undoes changes made outside of IaC to 2 more resources.');
  });

  test('warns about parts that were not evaluated', () => {
    expect(renderText(anAnalysis([aChange('a.b')], {}, { plan_complete: false }), plain)).toContain(
      '  ! The plan is partial, for example targeted, and the omitted changes were not evaluated.',
    );
  });

  test('lists the requested number of changes and counts the rest by type, but always lists destructive ones', () => {
    const updates = Array.from({ length: 30 }, (_, i) => aChange(`a.u[${i}]`, { level: 'low' }));
    const deletes = Array.from({ length: 60 }, (_, i) => aDelete(`a.d[${i}]`));

    const text = renderText(anAnalysis([...deletes, ...updates]), { color: false, top: 3 });

    expect(text.match(/ - delete /g)).toHaveLength(50);
    expect(text).toContain('  … and 10 more: 10 aws_thing');
    expect(text.match(/ ~ update /g)).toHaveLength(3);
    expect(text).toContain('  … and 27 more: 27 aws_thing');
  });

  test('shows the deciding values, unevaluated parts and failed checks', () => {
    const change = aChange('a.b');
    change.risk.reasons = [aReason('It is open.', { path: 'open' })];
    change.attributes = [aDiff(['open'], false, true)];
    const analysis = anAnalysis(
      [change],
      {
        checks: [
          { address: 'check.health', status: 'error', problems: [] },
          { address: 'check.later', status: 'unknown', problems: [] },
        ],
        not_evaluated: {
          resources: [{ address: 'a.c', reason: 'known_after_apply', paths: ['policy'], paths_total: 2 }],
          resources_total: 7,
          unknown_attributes: 9,
          values_withheld: true,
        },
      },
      { checks: { pass: 0, fail: 0, error: 1, unknown: 1 } },
    );

    const text = renderText(analysis, plain);

    expect(text).toContain('  ! Check check.health could not be evaluated.');
    expect(text).toContain('                          It is open.\n                            open: false -> true\n');
    expect(text).toContain(
      'Not evaluated (7 resources and 1 check)\n' +
        '  a.c: policy and 1 more unknown until apply\n' +
        '  check.later: result unknown until apply\n' +
        '  … and 6 more\n' +
        '  ! This plan was exported without its values',
    );
  });

  test('is colored only on request', () => {
    const analysis = anAnalysis([aDelete('a.b')]);

    expect(renderText(analysis, { color: true, top: 5 })).toContain('\u001b[31mHIGH RISK\u001b[0m');
    expect(renderText(analysis, plain)).not.toContain('\u001b');
  });

  test.each([20, 80, 100, 500])('has 80 to 120 columns on a terminal of %d', (width) => {
    const long = aDelete(`module.${'very_long_name_'.repeat(20)}.a`, { replace_paths: ['x'.repeat(300)] });
    long.risk.reasons = [aReason('many words '.repeat(60))];

    const longest = Math.max(
      ...renderText(anAnalysis([long]), { ...plain, width })
        .split('\n')
        .map((line) => line.length),
    );

    expect(longest).toBeLessThanOrEqual(Math.min(120, Math.max(80, width)));
  });

  test.each(HOSTILE_NAMES)('keeps the name %j inert', (name) => {
    const reverts_drift = { kind: 'revert' as const, paths: [name], paths_total: 1 };
    const change = aDelete(name, { replace_paths: [name], reverts_drift });
    change.risk.reasons = [aReason(name)];

    const text = renderText(anAnalysis([change], { resource_drift: [aChange(name)] }, { drift_detected: 1 }), plain);

    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(text).not.toMatch(/^(#|\/)/m);
  });

  test('of the bundled plan matches the snapshot', () => {
    const plan = readFileSync(new URL('../../../cli/demo/plan.json', import.meta.url));

    expect(renderText(analyzePlan(plan), plain)).toMatchSnapshot();
  });
});
