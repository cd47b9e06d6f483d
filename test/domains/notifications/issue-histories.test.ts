/** Random histories of scans, replayed with the functions that decide about an issue. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareLevels, type RiskLevel } from '../../../engine/index.ts';
import type { Step } from '../../../server/domains/notifications/episode.ts';
import { planIssue } from '../../../server/domains/notifications/issue-thread.ts';
import { isResolved, type Thread } from '../../../server/domains/notifications/thread.ts';
import type { DeliveryAction } from '../../../server/domains/notifications/types.ts';
import { buildAccount } from './samples.ts';

const RUNS = 1_000;
const AT = new Date('2026-01-02T03:04:05.678Z');

/** What one scan of the schedule finds; `is_lost` if the delivery fails for good. */
interface Scan {
  account: string;
  level: RiskLevel;
  is_lost: boolean;
}

const history = fc.array(
  fc.record({
    account: fc.constantFrom('1', '2', '3'),
    level: fc.constantFrom<RiskLevel>('none', 'none', 'low', 'high', 'critical'),
    is_lost: fc.boolean(),
  }),
  { minLength: 1, maxLength: 20 },
);

function findStep(before: RiskLevel, after: RiskLevel): Step {
  if (before === after) return 'unchanged';
  if (before === 'none') return 'opened';
  if (after === 'none') return 'resolved';
  return compareLevels(after, before) > 0 ? 'worse' : 'better';
}

function replay(scans: readonly Scan[]) {
  const levels = new Map<string, RiskLevel>();
  const sent: { scan: Scan; action: DeliveryAction; before: RiskLevel; was_open: boolean; was_current: boolean }[] = [];
  let thread: Thread | undefined;
  for (const scan of scans) {
    const before = levels.get(scan.account) ?? 'none';
    const was_open = [...levels.values()].some((level) => level !== 'none');
    levels.set(scan.account, scan.level);
    const status = scan.level === 'none' ? ('resolved' as const) : ('open' as const);
    const account = { ...buildAccount(), cloud_account_id: scan.account, risk_level: scan.level, status };
    const plan = planIssue(thread, { account, step: findStep(before, scan.level), at: AT });
    if (plan === null) continue;
    const was_current = thread?.is_current ?? true;
    const shown = { is_sent: thread?.is_sent === true || !scan.is_lost, is_current: !scan.is_lost };
    thread = { ...plan.thread, id: 'the issue', ...shown };
    if (plan.action !== null) sent.push({ scan, action: plan.action, before, was_open, was_current });
  }
  return { thread, sent, is_drifted: [...levels.values()].some((level) => level !== 'none') };
}

test('an issue is open exactly while an account of its schedule has drift', () => {
  fc.assert(
    fc.property(history, (scans) => {
      const { thread, is_drifted } = replay(scans);

      expect(thread === undefined ? false : !isResolved(thread)).toBe(is_drifted);
    }),
    { numRuns: RUNS },
  );
});

test('nothing is written for a scan that found the same, unless something could not be written before', () => {
  fc.assert(
    fc.property(history, (scans) => {
      const { sent } = replay(scans);

      expect(sent.filter(({ scan, before, was_current }) => scan.level === before && was_current)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('people are notified of every drift with high or critical risk that is new or worse', () => {
  fc.assert(
    fc.property(history, (scans) => {
      const { sent } = replay(scans);
      const notifying = sent.filter(({ action }) => action === 'open' || action === 'alert');
      const dangers = sent.filter(
        ({ scan, before }) => compareLevels(scan.level, 'high') >= 0 && compareLevels(scan.level, before) > 0,
      );

      for (const danger of dangers) expect(notifying).toContain(danger);
    }),
    { numRuns: RUNS },
  );
});
