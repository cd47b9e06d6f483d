import { describe, expect, test } from '@jest/globals';
import {
  type Change,
  type Explanation,
  type PlanAnalysis,
  readMark,
  renderReview,
  toSnapshot,
} from '../../../engine/index.ts';
import type { Review, ReviewedPlan } from '../../../engine/review/types.ts';
import { aChange, aDelete, anAnalysis, aReplace } from '../render/builders.ts';
import { analyzed, aPlan, aReview, HEAD, OLDER } from './builders.ts';

const DELETE = analyzed(anAnalysis([aDelete('aws_db_instance.a')]));
const UNCHANGED = analyzed(anAnalysis([]));
const renderComment = (plans: ReviewedPlan[], more: Partial<Review> = {}) => renderReview(aReview(plans, more)).comment;
const explained = (changes: Change[], more: Partial<Explanation>): PlanAnalysis =>
  anAnalysis(changes, {
    narrative_status: 'ready',
    explanation: { what_will_happen: 'The database moves.', why_it_matters: '', what_to_check: [], notes: [], ...more },
  });
const renderHash = (plans: ReviewedPlan[], more: Partial<Review> = {}) => renderReview(aReview(plans, more)).hash;

describe('a comment on a pull request', () => {
  test('starts with a mark that can be parsed, and shows the verdict for its commit', () => {
    const { comment, hash } = renderReview(aReview([aPlan(DELETE)]));

    expect(readMark(comment)).toEqual({ key: '0'.repeat(32), head_sha: HEAD, run: 7, hash });
    expect(comment.split('\n').slice(1, 4)).toEqual([
      '### 🟠 Plan review: **high risk** · `aaaaaaa`',
      '',
      '**1 to delete**',
    ]);
  });

  test('is recognized only by an exact mark in its first line', () => {
    const mark = renderComment([aPlan(DELETE)]).split('\n')[0] ?? '';

    expect(readMark(mark)).not.toBeNull();
    for (const body of [`\n${mark}`, ` ${mark}`, `> ${mark}`, `${mark} x`, mark.replace('"k"', ' "k"'), '']) {
      expect(readMark(body)).toBeNull();
    }
  });

  test('shows the riskiest module first and modules without changes in one line', () => {
    const text = renderComment([
      aPlan(UNCHANGED, { key: 'dns' }),
      aPlan(analyzed(anAnalysis([aChange('a.b', { level: 'low' })])), { key: 'low' }),
      aPlan(DELETE, { key: 'db' }),
      aPlan({ state: 'waiting' }, { key: 'slow' }),
      aPlan({ state: 'failed', note: 'It is a state.' }, { key: 'odd' }),
    ]);

    expect(text).toContain('### 🟠 Plan review: **high risk** · 5 modules · `aaaaaaa`');
    expect(text).toContain('**1 to delete** · 1 to update · 1 plan not analyzed · waiting for 1 plan');
    expect(text.indexOf('#### 🟠 `db`: **high risk**')).toBeLessThan(text.indexOf('#### 🟢 `low`: **low risk**'));
    expect(text).toContain('**No changes:** `dns`');
    expect(text).toContain('**Waiting for:** `slow`');
    expect(text).toContain('> **`odd` was not analyzed:** It is a state. Fix the problem');
  });

  test('shows what is new since the previous push', () => {
    const before = anAnalysis([aChange('aws_lb.a', { level: 'medium' })]);
    before.plan_noise.known_benign = 3;
    const after = anAnalysis([aReplace('aws_db_instance.a'), aChange('aws_lb.a', { level: 'medium' })]);

    expect(renderComment([aPlan(analyzed(after), { previous: toSnapshot(before) })])).toContain(
      '**Since the previous push:** medium → high (+1 replace, −3 noise); new: `aws_db_instance.a`',
    );
    expect(renderComment([aPlan(analyzed(after), { previous: toSnapshot(after) })])).not.toContain('push before');
  });

  test('shows a model’s explanation without repeating facts from the table', () => {
    const notes = [{ address: 'aws_db_instance.a', note: 'Holds the orders.' }];
    const analysis = explained([aDelete('aws_db_instance.a')], { notes });
    const text = renderComment([aPlan({ state: 'analyzed', analysis, model: 'gpt', trace_ids: ['t-1'] })]);

    expect(text).toContain('- `aws_db_instance.a`: Holds the orders.\n\nThe database moves.');
    expect(text).not.toContain('Most important');
    expect(text).not.toContain('<summary>Summary');
    expect(text).toContain('- Model: `gpt`.\n- Traces: `t-1`.');
  });

  test('states what was not evaluated once if a model explained the plan', () => {
    const analysis = explained([aDelete('aws_db_instance.a')], {});
    const gap = { address: 'aws_x.later', reason: 'deferred' as const, paths: [], paths_total: 0 };
    analysis.not_evaluated = { ...analysis.not_evaluated, resources: [gap], resources_total: 1 };

    expect(renderComment([aPlan(analyzed(analysis))]).match(/Not evaluated/g)).toHaveLength(1);
  });

  test('shows the result of built-in rules at once, and the time of the full analysis', () => {
    const due_at = new Date('2026-01-02T03:04:05Z');
    const { analysis } = DELETE as Extract<typeof DELETE, { state: 'analyzed' }>;
    const text = renderComment([
      aPlan({ state: 'deferred', by: 'builtin_rules', analysis, note: 'The quota of the month is used up.', due_at }),
    ]);

    expect(text).toContain('Analyzed with built-in rules only');
    expect(text).toContain(
      'The quota of the month is used up. The full analysis is scheduled for 2026-01-02 03:04 UTC.',
    );
    expect(text).toContain('| 🟠\u00a0**High** | **delete**<br>`aws_db_instance.a`');
  });

  test('shows noise of the organization without internal ids', () => {
    const noisy = aChange('aws_x.a', { level: 'low' });
    const matched_custom_rule_id = '019b7a10-0000-7000-8000-000000000023';
    noisy.noise = { ...noisy.noise, classification: 'known_benign', matched_custom_rule_id };
    const analysis = anAnalysis([noisy]);
    analysis.plan_noise.known_benign = 1;
    const { comment } = renderReview(aReview([aPlan(analyzed(analysis))]));
    expect(comment).toContain('| rule of your organization | 1 | `aws_x.a` |');
  });

  test('shows the rule that matches noise, and since when', () => {
    const noisy = aChange('aws_sns_topic.a', { level: 'low' });
    noisy.noise = { ...noisy.noise, classification: 'likely_benign', matched_rule_id: 'N-1', fingerprints: ['f'] };
    const analysis = anAnalysis([noisy]);
    analysis.plan_noise.known_benign = 1;
    const history = new Map([['f', { occurrence_count: 12, first_seen: '2026-01-02T03:04:05.000Z' }]]);

    expect(renderComment([aPlan(analyzed(analysis))], { history })).toContain(
      '| `N-1`, seen 12 times since 2026-01-02 | 1 | `aws_sns_topic.a` |',
    );
  });

  test('states that the head moved and how the pull request ended', () => {
    expect(renderComment([aPlan(DELETE, { head_sha: OLDER })])).toContain(
      '**high risk** · for an older commit `bbbbbbb`',
    );
    expect(renderComment([aPlan(DELETE, { key: 'a', head_sha: OLDER }), aPlan(DELETE, { key: 'b' })])).toContain(
      '#### 🟠 `a`: **high risk** · **1 to delete** · for an older commit\n',
    );
    expect(renderComment([aPlan(DELETE)], { state: 'merged' })).toContain('`aaaaaaa` · merged\n');
  });

  test('links to the CI run and the full result if all modules share them', () => {
    const links = { url: 'https://dpa.example.com/r', run_url: 'https://ci.example.com/7' };

    expect(renderComment([aPlan(DELETE, links)])).toContain(
      '<sub>`/drift help` · [full result](https://dpa.example.com/r) · [CI run](https://ci.example.com/7) · updated',
    );
    const text = renderComment([
      aPlan(DELETE, { key: 'a', ...links, url: 'https://dpa.example.com/a' }),
      aPlan(DELETE, { key: 'b', ...links, url: 'https://dpa.example.com/b' }),
    ]);
    expect(text).toContain('**1 to delete** · [full result](https://dpa.example.com/a) · [CI run](');
    expect(text).toContain('<sub>`/drift help` · [CI run](https://ci.example.com/7) · updated');
  });

  test('lists the checks above the table, including those of a model', () => {
    const changes = [aDelete('aws_db_instance.a', { categories: ['stateful'] })];
    const own = '- Check that the data in `aws_db_instance.a` is backed up elsewhere, or no longer needed.';
    const plain = renderComment([aPlan(analyzed(anAnalysis(changes)))]);
    const what_to_check = [{ text: 'Ask the owners of the queue.', addresses: [] }];
    const both = renderComment([aPlan(analyzed(explained(changes, { what_to_check })))]);

    expect(plain).toContain(`**Before approving:**\n\n${own}\n\n| Risk |`);
    expect(both).toContain(`**Before approving:**\n\n${own}\n- Ask the owners of the queue.\n\nThe database moves.`);
  });
});

describe('the hash of a comment', () => {
  const plan = aPlan({ ...DELETE, trace_ids: ['1'] } as typeof DELETE);

  test('does not change for another commit, run, trace, link or previous push', () => {
    const previous = toSnapshot(anAnalysis([]));
    const later = aPlan({ ...DELETE, trace_ids: ['2'] } as typeof DELETE, {
      head_sha: OLDER,
      previous,
      url: 'https://x.y/2',
      run_url: 'https://x.y/run',
    });

    expect(renderHash([later], { head_sha: OLDER, run: 8 })).toBe(renderHash([plan]));
  });

  test('changes for another result, a moved head and a merge', () => {
    const hashes = [
      renderHash([plan]),
      renderHash([aPlan(UNCHANGED)]),
      renderHash([{ ...plan, head_sha: OLDER }]),
      renderHash([plan], { state: 'merged' }),
    ];

    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('plans without changes have nothing to report', () => {
    const hasNothingToReport = (plans: ReviewedPlan[]) => renderReview(aReview(plans)).nothing_to_report;
    const drifted = analyzed(anAnalysis([], {}, { drift_detected: 1 }));
    const partial = analyzed(anAnalysis([], {}, { plan_complete: false }));

    expect(hasNothingToReport([aPlan(UNCHANGED), aPlan({ state: 'waiting' })])).toBe(true);
    for (const outcome of [DELETE, drifted, partial, { state: 'failed' as const, note: 'x' }]) {
      expect(hasNothingToReport([aPlan(UNCHANGED), aPlan(outcome)])).toBe(false);
    }
  });
});
