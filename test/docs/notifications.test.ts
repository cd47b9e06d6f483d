/** The samples in docs/notifications.md are what the service sends. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { renderDriftCard } from '../../server/domains/chat/card-blocks.ts';
import { renderDialog } from '../../server/domains/chat/dialog-blocks.ts';
import { listAnalysisButtons, listButtons } from '../../server/domains/notifications/buttons.ts';
import { renderEmail } from '../../server/domains/notifications/email-text.ts';
import type { Handled } from '../../server/domains/notifications/handled.ts';
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
const at = '2026-01-02T04:05:06.789Z';
const handled: Handled[] = [
  { action: 'acknowledged', by: 'Ana Ortiz', at, until: null, what: '' },
  { action: 'snoozed', by: 'Ben Okoro', at, until: '2026-01-09T04:05:06.789Z', what: '' },
  { action: 'scanned', by: 'Ana Ortiz', at, until: null, what: 'prod' },
];
const value = '019b7a10-0000-7000-8000-000000000061:019b7a10-0000-7000-8000-000000000062';
const name = 'aws_security_group.web, high';
const groups = [{ display_name: 'prod', options: [{ value, name }] }];
const choice = { value, scope: 'one' as const, type: 'aws_security_group' };
const found = {
  ...{ drift_type: 'changed' as const, resource_address: 'aws_security_group.web' },
  ...{ provider_resource_id: 'sg-1', level: 'high' as const },
};
const preview = { match_count: 1, protected_count: 0, items_total: 6, items: [found] };
const card = {
  ...{ scan_run_id: '1', display_name: 'prod', provider: 'aws', risk_level: 'critical' as const, coverage_pct: 91.4 },
  ...{ changed_count: 2, missing_count: 1, extra_count: 3, created_at: new Date(at) },
};
const url = 'https://app.example.com/orgs/acme/scans/019b7a10-0000-7000-8000-000000000054';

const SAMPLES: Record<string, string> = {
  'slack-open': format(
    renderSlack(
      drift,
      listButtons({ resolved_at: null }, () => '<signed>'),
    ),
  ),
  'slack-handled': format(renderSlack(describeThread([account], 'acme', handled)).blocks[2] ?? {}),
  'slack-dialog': format(renderDialog({ state: '<signed>', groups, chosen: { ...choice, preview } })),
  'slack-card': format(renderDriftCard(card)),
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
      listAnalysisButtons({ type: 'analysis.completed', data: { scan_run_id: 'x' } }, () => '<signed>'),
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
