import { describe, expect, test } from '@jest/globals';
import { type Change, type LiveFacts, renderMarkdown, renderReview } from '../../../engine/index.ts';
import { aChange, aDelete, anAnalysis, HOSTILE_NAMES } from '../render/builders.ts';
import { analyzed, aPlan, aReview } from './builders.ts';

const AS_OF = '2026-05-10T12:00:00.000Z';

function exposed(group_id: string | null = null): LiveFacts {
  const facts = { rule_id: 'R-NET-OPEN', message: 'Anyone on the internet can reach port 22.', group_id };
  const exposure = { ...facts, seen_at: '2026-05-10T10:00:00.000Z', later_scan_failed: false };
  return { as_of: AS_OF, drift: null, exposure };
}

function gone(): LiveFacts {
  const drift = {
    ...{ drift_item_id: 'a', scan_run_id: 'b', drift_type: 'missing' as const, certainty: 'confirmed' as const },
    ...{ first_detected_at: '2026-05-07T11:00:00.000Z', scanned_at: '2026-05-10T11:00:00.000Z' },
    ...{ later_scan_failed: false, paths: [], paths_total: 0 },
  };
  return { as_of: AS_OF, drift, exposure: null };
}

const review = (...changes: Change[]) =>
  renderReview(aReview([aPlan(analyzed(anAnalysis(changes)), { url: 'https://dpa.example.com/r' })]));

describe('a comment about resources that scans know', () => {
  test('says on one line what is gone and what is public, with a link to the result', () => {
    const { comment, check } = review(aDelete('a.gone', { live: gone() }), aChange('a.open', { live: exposed() }));
    const [line, ...others] = comment.split('\n').filter((text) => text.startsWith('**In the cloud:**'));

    expect(others).toEqual([]);
    expect(line).toBe(
      '**In the cloud:** `a.gone` already gone in the cloud (first seen missing 3 days ago); `a.open` public right now (seen 2 hours ago) · [full result](https://dpa.example.com/r)',
    );
    expect(check.title).toContain('1 resource already public; 1 resource already gone');
    expect(check.summary).toContain('**In the cloud:**');
  });

  test('names at most three resources on the line, and all of them in their rows', () => {
    const changes = [1, 2, 3, 4, 5].map((n) => aChange(`a.r${n}`, { live: exposed() }));
    const { comment, check } = review(...changes);

    expect(comment).toMatch(/^\*\*In the cloud:\*\* .* and 2 more · /m);
    expect(comment.match(/Public right now/g)).toHaveLength(5);
    expect(check.title).toContain('5 resources already public');
  });

  test('says nothing about the cloud without an inventory', () => {
    const { comment, check } = review(aChange('a.b'));

    expect(comment).not.toContain('In the cloud');
    expect(check.title).not.toContain('already');
  });

  test('shows a change as such even if it is noise', () => {
    const noise = { ...aChange('a.b').noise, classification: 'known_benign' as const };
    const change = aChange('a.noisy', { level: 'none', noise, live: exposed() });

    expect(renderMarkdown(anAnalysis([change]), { top: 10 })).toMatch(/\| .*a\.noisy.*Public right now/);
  });

  test.each(HOSTILE_NAMES)('with the name %j is inert', (hostile) => {
    const comment = (text: string) => {
      const drift = { ...gone().drift!, drift_type: 'changed' as const, paths: [text], paths_total: 1 };
      return review(aChange(`a.${text}`, { live: exposed(text) }), aChange('a.c', { live: { ...gone(), drift } }))
        .comment;
    };
    const withoutCode = comment(hostile).replace(/(`+)[^`\n].*?\1(?!`)/g, '');

    expect(comment(hostile).split('\n')).toHaveLength(comment('plain').split('\n').length);
    expect(withoutCode.match(/(?<!\\)\]\(/g)).toHaveLength(2);
    expect(withoutCode).not.toMatch(/^\/|@[a-z]|<(?!\/?(?:details|summary|br|code|sub|!--))/m);
  });
});
