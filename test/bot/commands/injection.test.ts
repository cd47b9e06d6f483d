import { describe, expect, test } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { CommandContext, CommandReply } from '../../../bot/commands/types.ts';
import { answerComment } from '../../../bot/reviews/answers.ts';
import { aDiff } from '../../engine/noise/builders.ts';
import { aReason } from '../../engine/render/builders.ts';
import { PAYLOADS } from '../../engine/review/payloads.ts';
import {
  aClient,
  aContext,
  aNoisyChange,
  anOption,
  answerFixes,
  answerLine,
  answerPatterns,
  aPattern,
  aPlan,
  FINGERPRINT,
} from './fixtures.ts';

const OURS = /^(p|strong|table|thead|tbody|tr|th|td|code( class="language-(hcl|sh)")?|ul|li|pre)$/;

/** Puts the text into every part of plans and responses that external authors control. */
function buildContext(text: string): CommandContext {
  const change = aNoisyChange(text, [FINGERPRINT, text], {
    previous_address: text,
    deposed: text,
    action_reason: text,
    replace_paths: [text],
    reverts_drift: { kind: 'revert', paths: [text], paths_total: 1 },
    attributes: [aDiff([text], text, text)],
    attributes_total: 1,
  });
  change.risk.reasons = [aReason(text, { rule_id: text, path: text })];
  change.noise.matched_custom_rule_id = text;
  const pattern = aPattern({ attribute: text, matched_custom_rule_id: text, first_seen: text });
  const option = anOption({
    label: text,
    patch: { language: 'hcl', before: text, after: text },
    target: { resource_type: text, resource_address: text, attribute: text },
    min_provider_version: text,
  });
  const cut = aPlan([change], text);
  if (cut.analysis !== null) cut.analysis.changes_truncated = true;
  const dpa = aClient({ ...answerPatterns(pattern), ...answerFixes(option, anOption({ rank: 2, patch: null })) });
  return aContext([cut, { key: text, analysis: null }, aPlan([aNoisyChange('aws_x.y', [FINGERPRINT])])], {
    dpa,
    dialect: 'gitlab',
  });
}

function replies(text: string): Promise<CommandReply[]> {
  const context = buildContext(text);
  const line = text.replace(/\n/g, ' ');
  const lines = [
    line,
    `/drift ${line}`,
    `/drift explain ${line}`,
    `/drift explain ${line}.none`,
    '/drift noise',
    `/drift suppress ${FINGERPRINT} 30d ${line}`,
    `/drift suppress ${line} 30d why`,
    `/drift suppress ${FINGERPRINT} ${line} why`,
    `/drift fix ${FINGERPRINT}`,
    `/drift fix ${line}`,
    `/drift quiet ${line}`,
  ];
  return Promise.all([
    ...lines.map((asked) => answerLine(asked, context)),
    // Builds the command directly, past the checks of the parser.
    explained(text, context),
  ]);
}

async function explained(address: string, context: CommandContext): Promise<CommandReply> {
  const { createCommands } = await import('../../../bot/commands/answer.ts');
  return createCommands({ now: () => new Date(0), app_url: null }).answer({ verb: 'explain', address }, context);
}

const toHtml = (markdown: string) =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
const extractTags = (html: string) => html.match(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>|<[!?][^>]*>/gi) ?? [];

function extractText(html: string): string {
  return html
    .replace(/<code[^>]*>[\s\S]*?<\/code>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}

describe('untrusted text in an answer', () => {
  test.each(PAYLOADS.map((payload) => [payload]))('has no effect, payload %#', async (payload) => {
    for (const { body } of await replies(payload)) {
      const html = toHtml(body);

      expect(extractTags(html).filter((tag) => !OURS.test(tag.replace(/^<\/?|>$/g, '')))).toEqual([]);
      expect(extractText(html)).not.toMatch(/[@#!%~$](?=[\p{L}\p{N}"])|&\d|\[\w+:|\*iteration|:\/\/|www\./u);
      expect(body.split('\n').filter((line) => /^\s*\//.test(line))).toEqual([]);
      expect(body.replace(/[\n\u200b]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8_000);
    }
  });

  test('mentions the author of the command, and is not a command itself', async () => {
    for (const { title, body } of await replies('@everyone /drift help')) {
      const comment = answerComment('<!-- mark -->', { comment_id: '1', author: 'dev', title, body }, 'gitlab');

      expect(extractText(toHtml(comment)).match(/@[\w]+/g)).toEqual(['@dev']);
      expect(comment.split('\n').filter((line) => /^\s*\//.test(line))).toEqual([]);
    }
  });

  test('in place of a login mentions no one', () => {
    const answer = { comment_id: '1', title: '/drift help', body: 'x' };
    for (const author of ['a @everyone', '<b>', '', '@x', '\n/close']) {
      const html = toHtml(answerComment('<!-- mark -->', { ...answer, author }, 'gitlab'));
      expect(extractText(html)).not.toMatch(/@/);
    }
  });
});
