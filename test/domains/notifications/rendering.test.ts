import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { renderEmail } from '../../../server/domains/notifications/email-text.ts';
import type { Handled } from '../../../server/domains/notifications/handled.ts';
import {
  renderIssue,
  renderIssueComment,
  renderIssueNotice,
} from '../../../server/domains/notifications/issue-text.ts';
import {
  describeAnalysis,
  describeApproval,
  describeFailedScan,
  describeStep,
  describeThread,
} from '../../../server/domains/notifications/message.ts';
import { renderSlack, renderSlackLine, type SlackMessage } from '../../../server/domains/notifications/slack-blocks.ts';
import { renderTeams, type TeamsMessage } from '../../../server/domains/notifications/teams-card.ts';
import type { AccountDrift, Message } from '../../../server/domains/notifications/types.ts';
import { findBlockKitProblems, listTexts, listUrls } from '../../helpers/block-kit.ts';
import { HOSTILE_NAMES } from './hostile-names.ts';
import { buildAccount } from './samples.ts';

/** With a beginning that is short enough for a title. */
const NAMES = HOSTILE_NAMES.map((name): [string, string] => [name.slice(0, 40), name]);
const OWN_LINK = 'https://app.example.com/orgs/acme/scans/1';

const BUTTONS = [{ action_id: 'snooze' as const, label: 'Snooze for 7 days', value: 'signed' }];

/** What people did, in which `name` is everywhere somebody chooses the text. */
const listHandled = (name: string): Handled[] =>
  (['scanned', 'snoozed', 'acknowledged', 'ignored', 'woken'] as const).map((action) => ({
    ...{ action, by: name, what: name, at: '2026-01-02T03:04:05.678Z', until: '2026-01-09T03:04:05.678Z' },
  }));

/** Messages of every kind in which `name` is everywhere a stranger chooses the text. */
function listMessages(name: string): Message[] {
  const item = {
    drift_type: 'missing',
    resource_address: name,
    resource_type: name,
    name,
    risk_level: 'high',
  } as const;
  const other = { ...item, resource_address: null };
  const account: AccountDrift = { ...buildAccount(), display_name: name, top_items: [item, other], url: OWN_LINK };
  const second = { ...account, cloud_account_id: '2', status: 'resolved' as const };
  return [
    describeThread([account], 'acme', listHandled(name)),
    describeThread([account, second], 'acme'),
    describeThread([second], 'acme'),
    describeFailedScan({ display_name: name, provider: 'aws', error: name, url: OWN_LINK }, 'acme'),
    describeApproval(
      {
        ...{ action: 'merged', repo: name, pr_number: 1, branch: name, risk_level: 'critical', url: OWN_LINK },
      },
      'acme',
    ),
    describeAnalysis({ repo: name, pr_number: 1, branch: name, risk_level: 'critical', url: OWN_LINK }, 'acme'),
  ];
}

const listSlack = (name: string): SlackMessage[] => [
  ...listMessages(name).map((message) => renderSlack(message, BUTTONS)),
  renderSlackLine(describeStep({ ...buildAccount(), display_name: name })),
];

/** Issues and comments as GitHub and GitLab render them. */
function listIssueTexts(name: string): { title: string; html: string }[] {
  const schedule = { id: '1', name };
  const texts = [
    ...listMessages(name).map((message) => renderIssue(message, schedule)),
    ...listMessages(name).map((message) => ({ title: '', body: renderIssueNotice(message, '2') })),
    { title: '', body: renderIssueComment(describeStep({ ...buildAccount(), display_name: name }), '2') },
  ];
  return texts.map(({ title, body }) => {
    expect(Buffer.byteLength(body)).toBeLessThan(65_536);
    expect([...title].length).toBeLessThanOrEqual(255);
    expect(body).toMatch(/^<!-- dpa:(schedule 1|delivery 2) -->\n\n/);
    const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] };
    return { title, html: micromark(body, options) };
  });
}

function listRuns({ attachments: [{ content }] }: TeamsMessage) {
  return content.body.flatMap(({ inlines }) => inlines);
}

describe('a message with a hostile name', () => {
  test('there are 60 names', () => {
    expect(HOSTILE_NAMES.length).toBeGreaterThanOrEqual(60);
  });

  test.each(NAMES)('%j has no mention, reference, link or markup in an issue', (_title, name) => {
    for (const { title, html } of listIssueTexts(name)) {
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
      const tags = html.match(/<\/?[a-z0-9]+/g) ?? [];
      const outside = html
        .replace(/<code>[\s\S]*?<\/code>/g, '')
        .replace(/<[^>]*>/g, '\n')
        .replace(/&quot;/g, '"');

      for (const href of links) expect(href).toBe(OWN_LINK);
      for (const tag of tags) expect(tag).toMatch(/^<\/?(p|strong|ul|li|code|a|sub|h4|br)$/);
      expect(outside).not.toMatch(/[@#!]\w|:\/\/|www\.\w|^\s*\/\w/m);
      expect(title).not.toMatch(/[@#!]\w|:\/\/|www\.\w/);
    }
  });

  test.each(NAMES)('%j has no mention, link or broken block at Slack', (_title, name) => {
    for (const message of listSlack(name)) {
      const texts = listTexts(message);

      expect(findBlockKitProblems(message)).toEqual([]);
      expect(listUrls(message.blocks).filter((url) => url !== OWN_LINK)).toEqual([]);
      // Slack reads mentions, links and dates only from angle brackets.
      for (const text of texts.slice(0, 1)) expect(text).not.toMatch(/[<>]/);
      for (const block of message.blocks) {
        if (block.type === 'header') expect(block.text.type).toBe('plain_text');
        if (block.type === 'section' && 'text' in block) {
          expect(block.text.text).not.toMatch(/[<>]/);
          expect(block.text.verbatim).toBe(true);
          for (const line of block.text.text.split('\n')) expect((line.match(/`/g) ?? []).length % 2).toBe(0);
        }
      }
    }
  });

  test.each(NAMES)('%j is only in text runs of a card for Teams, which have no markup', (_title, name) => {
    for (const card of listMessages(name).map(renderTeams)) {
      const [{ content }] = card.attachments;

      expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThanOrEqual(28_000);
      expect(content.body.every(({ type }) => type === 'RichTextBlock')).toBe(true);
      expect(listRuns(card).every(({ type }) => type === 'TextRun')).toBe(true);
      expect(content.actions.every(({ url }) => url === OWN_LINK)).toBe(true);
    }
  });

  test.each(NAMES)('%j adds no header and no link to an email', (_title, name) => {
    for (const { subject, text } of listMessages(name).map(renderEmail)) {
      expect(subject).not.toMatch(/[\r\n]/);
      expect(subject.length).toBeLessThanOrEqual(150 * 2);
      const links = text.match(/\w+:\/\/[\x21-\x7e]+|www\.[\x21-\x7e]+|[\w.]+@[\w]+/gi) ?? [];
      expect(links.filter((link) => link !== OWN_LINK)).toEqual([]);
    }
  });
});

describe('a message about any number of accounts', () => {
  test('fits into the limits of Slack and Teams, and says what it does not show', () => {
    const item = fc.record({
      drift_type: fc.constantFrom('new' as const, 'changed' as const, 'missing' as const),
      resource_address: fc.string({ unit: 'binary', maxLength: 400 }),
      resource_type: fc.constant('aws_instance'),
      name: fc.string({ maxLength: 100 }),
      risk_level: fc.constantFrom('low' as const, 'high' as const),
    });
    const account = fc
      .record({
        display_name: fc.string({ unit: 'binary', maxLength: 200 }),
        top_items: fc.array(item, { maxLength: 10 }),
      })
      .map((given): AccountDrift => ({ ...buildAccount(), ...given }));

    fc.assert(
      fc.property(fc.array(account, { minLength: 1, maxLength: 80 }), (accounts) => {
        const message = describeThread(accounts, 'acme');

        expect(findBlockKitProblems(renderSlack(message))).toEqual([]);
        expect(Buffer.byteLength(JSON.stringify(renderTeams(message)))).toBeLessThanOrEqual(28_000);
      }),
      { numRuns: 60 },
    );
  });

  test('shows the most dangerous differences first', () => {
    const risky = { ...buildAccount().top_items[0], risk_level: 'critical' as const, resource_address: 'aws_db.main' };
    const low = { ...risky, risk_level: 'low' as const, resource_address: 'aws_tag.x' };
    const account = { ...buildAccount(), top_items: [low, risky] as AccountDrift['top_items'] };

    const text = listTexts(renderSlack(describeThread([account], 'acme'))).join('\n');

    expect(text.indexOf('aws_db.main')).toBeLessThan(text.indexOf('aws_tag.x'));
  });
});
