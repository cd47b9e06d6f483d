import { describe, expect, test } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { readMark, renderReview } from '../../../engine/index.ts';
import type { PlanAnalysis } from '../../../engine/model/result.ts';
import type { Review } from '../../../engine/review/types.ts';
import { aDiff } from '../noise/builders.ts';
import { aChange, aDelete, anAnalysis, aReason } from '../render/builders.ts';
import { analyzed, aPlan, aReview } from './builders.ts';
import { PAYLOADS } from './payloads.ts';

const OURS =
  /^(h[34]|p|strong|table|thead|tbody|tr|th|td|code|br|details|summary|blockquote|ul|li|sub|pre)( align="right")?$/;

/** The text in every place that external authors control. */
function buildAnalysis(text: string): PlanAnalysis {
  const reverts_drift = { kind: 'revert' as const, paths: [text], paths_total: 1 };
  const change = aDelete(text, { type: text, replace_paths: [text], reverts_drift });
  change.risk.reasons = [aReason(text)];
  const noisy = aChange(text, { level: 'low' });
  noisy.noise = { ...noisy.noise, classification: 'known_benign', matched_rule_id: text };
  const drifted = aChange(text);
  const output = { name: text, action: 'create' as const, before: null, after: null, sensitive: false };
  const analysis = anAnalysis(
    [change, aChange(text, { previous_address: text, type: text }), noisy],
    { resource_drift: [drifted], output_changes: [{ ...output, after_unknown: false }] },
    { drift_detected: 1, terraform_version: text },
  );
  analysis.plan_noise.known_benign = 1;
  change.risk.reasons.push(aReason(`${text} `, { path: text }));
  change.attributes = [aDiff([text], text, `${text}2`)];
  analysis.summary.checks = { pass: 0, fail: 1, error: 0, unknown: 1 };
  analysis.checks = [
    { address: text, status: 'fail', problems: [text] },
    { address: text, status: 'unknown', problems: [] },
  ];
  analysis.not_evaluated = {
    resources: [{ address: text, reason: 'known_after_apply', paths: [text], paths_total: 1 }],
    resources_total: 1,
    unknown_attributes: 1,
    values_withheld: false,
  };
  analysis.risk.escalations = [aReason(text)];
  return { ...analysis, fallback_reason: text };
}

function buildReview(text: string, more: Partial<Review> = {}): Review {
  const analysis = buildAnalysis(text);
  const previous = { risk_level: 'low' as const, total: 0, by_action: {}, known_noise: 0, notable: [] };
  return aReview(
    [
      aPlan({ state: 'analyzed', analysis, model: text, trace_ids: [text] }, { key: text, previous }),
      aPlan({ state: 'deferred', by: 'organization_rules', analysis, note: text, due_at: null }, { key: text }),
      aPlan({ state: 'failed', note: text }, { key: text }),
      aPlan({ state: 'waiting' }, { key: text }),
      aPlan(analyzed(anAnalysis([])), { key: text }),
    ],
    more,
  );
}

function toHtml(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

const collectTags = (html: string) => html.match(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>|<[!?][^>]*>/gi) ?? [];

function readProse(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<code>[\s\S]*?<\/code>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}

/** Some places omit blank text and cut long text. */
const isShort = (text: string) => text.trim() !== '' && text.length < 200;

const HARMLESS = collectTags(toHtml(renderReview(buildReview('harmless')).comment)).slice(1);

describe('external text in a comment', () => {
  test.each(PAYLOADS.map((payload) => [payload]))('is inert and changes no structure, payload %#', (payload) => {
    const { comment } = renderReview(buildReview(payload, { dialect: 'gitlab' }));
    const html = toHtml(comment);
    const [mark, ...tags] = collectTags(html);

    expect(readMark(comment)).not.toBeNull();
    expect(mark).toBe(comment.split('\n')[0]);
    expect(tags.filter((tag) => !OURS.test(tag.replace(/^<\/?|>$/g, '')))).toEqual([]);
    if (isShort(payload)) expect(tags).toEqual(HARMLESS);
    expect(readProse(html)).not.toMatch(/[@#!%~$](?=[\p{L}\p{N}"])|&\d|\[\w+:|\*iteration|:\/\/|www\./u);
    expect(comment.split('\n').filter((line) => /^\s*\//.test(line))).toEqual([]);
    expect(comment.replace(/[\n\u200b]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  });

  test('is covered by a large corpus', () => {
    expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(60);
  });

  test('in a link can only be a plain address', () => {
    const with_url = (url: string) => renderReview(aReview([aPlan(analyzed(buildAnalysis('a.b')), { url })])).comment;

    expect(toHtml(with_url('https://dpa.example.com/r/1'))).toContain('<a href="https://dpa.example.com/r/1">');
    for (const url of ['javascript:alert(1)', 'https://x.example) @all', 'https://x.example/<b>', '//x.example']) {
      expect(toHtml(with_url(url))).not.toContain('<a ');
    }
  });

  test('is not a GitLab quick action if a model wrote it at the start of a line', () => {
    const analysis = anAnalysis([aDelete('a.b')], {
      narrative_status: 'ready',
      explanation: { what_will_happen: 'Text.', why_it_matters: '/merge\n/approve', what_to_check: [], notes: [] },
    });
    const { comment } = renderReview(aReview([aPlan(analyzed(analysis))], { dialect: 'gitlab' }));

    expect(comment).toContain('\\/merge\n\\/approve');
  });
});
