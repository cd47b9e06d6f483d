/** Names, reasons and texts of strangers in everything that goes to Slack besides notifications. */
import { describe, expect, test } from '@jest/globals';
import { renderDriftCard, renderPackCard, renderRunCard } from '../../../server/domains/chat/card-blocks.ts';
import { renderDialog, renderDialogText } from '../../../server/domains/chat/dialog-blocks.ts';
import {
  type AccountPosture,
  type ExplainedDrift,
  renderExplanation,
  renderHelp,
  renderLine,
  renderPosture,
} from '../../../server/domains/chat/posture-blocks.ts';
import {
  type CheckedMessage,
  findBlockKitProblems,
  findViewProblems,
  listShown,
  listUrls,
} from '../../helpers/block-kit.ts';
import { HOSTILE_NAMES } from '../notifications/hostile-names.ts';

const NAMES = HOSTILE_NAMES.map((name): [string, string] => [name.slice(0, 40), name]);
const OWN_LINK = 'https://app.example.com/orgs/acme/scans/1';
const AT = new Date('2026-01-02T03:04:05.678Z');

function buildItem(name: string): ExplainedDrift['items'][number] {
  return {
    ...{ id: 'i', drift_type: 'missing', resource_address: name, provider_resource_id: name, name, level: 'critical' },
    ...{ resource_type: name, provider_type: name, normalized_type: name, suppressed: false },
    reasons: [{ message: name }],
  };
}

/** Everything that people can see outside of dialogs, with `name` wherever a stranger chooses the text. */
function listMessages(name: string): CheckedMessage[] {
  const account: AccountPosture = {
    ...{ cloud_account_id: '1', provider: name, display_name: name, undeclared_count: 1, changed_count: 1 },
    ...{ missing_count: 1, coverage_pct: 91.4, risk_level: 'high', last_scan_at: AT, drift_snapshot_id: null },
  };
  const snapshot = { narrative: name, rules_narrative: name, scan_run_id: '1' };
  const drift = { snapshot, items: Array.from({ length: 10 }, () => buildItem(name)), items_total: 12 };
  const counts = { changed_count: 1, missing_count: 1, extra_count: 1, coverage_pct: 91.4 };
  const run = { id: '1', kind: 'analysis' as const, status: 'done' as const, risk_level: 'high' as const };
  const place = { repo_owner: name, repo_name: name, pr_number: 1, branch: name, created_at: AT };
  const driftCard = {
    scan_run_id: '1',
    display_name: name,
    provider: name,
    risk_level: 'high' as const,
    created_at: AT,
  };
  const cards = [
    renderRunCard({ ...run, ...place }),
    renderRunCard({ ...run, ...place, repo_name: null }),
    renderDriftCard({ ...driftCard, ...counts }),
    renderPackCard({ status: 'done', period_start: AT, period_end: AT, created_at: AT }),
  ];
  return [
    renderPosture(name, [account, { ...account, risk_level: 'none' }], () => 'signed'),
    renderPosture(
      name,
      Array.from({ length: 60 }, () => account),
      null,
    ),
    renderExplanation(account, drift, OWN_LINK),
    renderLine(name),
    renderLine(`A scan of ${name} has started.`),
    renderHelp(),
    ...cards.map(({ blocks }) => ({ text: 'card', blocks })),
  ];
}

function listDialogs(name: string): object[] {
  const item = {
    drift_type: 'changed' as const,
    resource_address: name,
    provider_resource_id: name,
    level: 'high' as const,
  };
  const items = Array.from({ length: 100 }, () => item);
  const preview = { match_count: 120, protected_count: 1, items_total: 200, items };
  const groups = [{ display_name: name, options: [{ value: 'a', name }] }];
  const chosen = { value: 'a', scope: 'type' as const, type: name, preview };
  return [
    renderDialog({ state: 'signed', groups, chosen: null }),
    renderDialog({ state: 'signed', groups, chosen }),
    renderDialog({ state: 'signed', groups, chosen: { ...chosen, preview: { ...preview, match_count: 0 } } }),
    renderDialogText(name),
  ];
}

/** Slack reads mentions, links and dates from angle brackets, and formats only where a text says so. */
function expectInert(part: unknown): void {
  for (const shown of listShown(part)) {
    if (shown.type === 'plain_text') continue;
    expect(shown['verbatim']).toBe(true);
    expect(shown.text).not.toMatch(/[<>]/);
    for (const line of shown.text.split('\n')) expect((line.match(/`/g) ?? []).length % 2).toBe(0);
  }
  for (const { text } of listShown(part)) expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  expect(listUrls(part).filter((url) => url !== OWN_LINK)).toEqual([]);
}

describe('a hostile text', () => {
  test.each(NAMES)('%j is only text in answers, the home tab and cards', (_title, name) => {
    for (const message of listMessages(name)) {
      expect(findBlockKitProblems(message)).toEqual([]);
      expect(message.text).not.toMatch(/[<>]/);
      expectInert(message.blocks);
    }
  });

  test.each(NAMES)('%j is only text in dialogs', (_title, name) => {
    for (const view of listDialogs(name)) {
      expect(findViewProblems(view)).toEqual([]);
      expectInert(view);
    }
  });
});
