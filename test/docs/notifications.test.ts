/** The samples in docs/notifications.md are what the service sends. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { renderEmail } from '../../server/domains/notifications/email-text.ts';
import { renderIssue } from '../../server/domains/notifications/issue-text.ts';
import {
  describeAnalysis,
  describeFailedScan,
  describeStep,
  describeThread,
} from '../../server/domains/notifications/message.ts';
import { renderSlack, renderSlackLine } from '../../server/domains/notifications/slack-blocks.ts';
import { renderTeams } from '../../server/domains/notifications/teams-card.ts';
import { buildAccount } from '../domains/notifications/samples.ts';

const account = buildAccount();
const drift = describeThread([account], 'acme');
const ended = { ...account, status: 'resolved' as const, resolved_at: '2026-01-05T07:04:05.678Z' };
const url = 'https://app.example.com/orgs/acme/scans/019b7a10-0000-7000-8000-000000000054';

const SAMPLES: Record<string, string> = {
  'slack-open': format(renderSlack(drift)),
  'slack-worse': format(renderSlackLine(describeStep(account))),
  'slack-resolved': format(renderSlack(describeThread([ended], 'acme'))),
  'slack-scan-failed': format(
    renderSlack(
      describeFailedScan({ display_name: 'prod', provider: 'aws', error: 'AWS rejects the credentials.', url }, 'acme'),
    ),
  ),
  'slack-analysis': format(
    renderSlack(
      describeAnalysis(
        { repo: 'acme/shop', pr_number: 42, branch: 'resize-database', risk_level: 'critical', url },
        'acme',
      ),
    ),
  ),
  'issue-open': renderIssue(drift, { id: '019b7a10-0000-7000-8000-000000000055', name: 'nightly' }).body,
  'teams-open': format(renderTeams(drift)),
  'email-open': `Subject: ${renderEmail(drift).subject}\n\n${renderEmail(drift).text.trimEnd()}`,
};

function format(message: object): string {
  return JSON.stringify(message, null, 2);
}

const page = await readFile('docs/notifications.md', 'utf8');

test.each(Object.keys(SAMPLES))('the sample %s is what the service sends', (name) => {
  const [, rest = ''] = page.split(`<!-- sample: ${name} -->\n`);
  const [, shown = ''] = /^```\w*\n([\s\S]*?)\n```/.exec(rest) ?? [];

  expect(shown).toBe(SAMPLES[name]);
});

test('the page lists every event of the contract', async () => {
  const { webhooks } = parse(await readFile('openapi.yaml', 'utf8'));

  for (const type of Object.keys(webhooks)) expect(page).toContain(`| \`${type}\` |`);
});
