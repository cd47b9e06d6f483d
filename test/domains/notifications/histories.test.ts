import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareLevels, type RiskLevel } from '../../../engine/index.ts';
import { decideStep, type Episode, NO_EPISODE } from '../../../server/domains/notifications/episode.ts';
import { GROUP_MS, isResolved, planThread, type Thread } from '../../../server/domains/notifications/thread.ts';
import type { AccountDrift, DeliveryAction, TargetKind } from '../../../server/domains/notifications/types.ts';

const LEVELS: readonly RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical'];
const START = Date.UTC(2026, 0, 1);
/** For each of the four laws, so 10,000 histories in total. */
const RUNS = 2_500;

/** What one scan of an account found. Items have names; the same name is the same difference. */
interface Scan {
  account: number;
  after_ms: number;
  outcome: 'failed' | 'partial' | 'complete';
  items: { name: string; level: RiskLevel }[];
}

const scan: fc.Arbitrary<Scan> = fc.record({
  account: fc.integer({ min: 0, max: 2 }),
  after_ms: fc.constantFrom(1_000, 60_000, GROUP_MS, GROUP_MS + 1, 86_400_000),
  outcome: fc.constantFrom('failed', 'partial', 'complete', 'complete', 'complete', 'complete'),
  items: fc.uniqueArray(
    fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), level: fc.constantFrom(...LEVELS.slice(1)) }),
    { maxLength: 3, selector: ({ name }) => name },
  ),
});
const history = fc.record({
  scans: fc.array(scan, { minLength: 1, maxLength: 14 }),
  kind: fc.constantFrom<TargetKind>('slack', 'teams', 'email'),
  min_level: fc.constantFrom<RiskLevel>('low', 'medium', 'high'),
});

interface Sent {
  at: number;
  account: number;
  action: DeliveryAction;
  thread: number;
}

type Items = Scan['items'];

const worst = (items: Items): RiskLevel =>
  items.reduce<RiskLevel>((most, { level }) => (compareLevels(level, most) > 0 ? level : most), 'none');

/** Items that `before` does not have at this level or a higher one. */
const findAdded = (items: Items, before: Items) =>
  items.filter(({ name, level }) => !before.some((old) => old.name === name && compareLevels(old.level, level) >= 0));

const isSame = (a: Items, b: Items) => JSON.stringify([...a].sort(byName)) === JSON.stringify([...b].sort(byName));
const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/** Replays a history with the functions of the service; every message is posted at once. */
function replay({ scans, kind, min_level }: { scans: Scan[]; kind: TargetKind; min_level: RiskLevel }) {
  const episodes = new Map<number, { episode: Episode; items: Items }>();
  const threads: Thread[] = [];
  const sent: Sent[] = [];
  let time = START;
  for (const { account, after_ms, outcome, items } of scans) {
    time += after_ms;
    if (outcome === 'failed') continue;
    const known = episodes.get(account) ?? { episode: NO_EPISODE, items: [] };
    const added = findAdded(items, known.items);
    const { step, episode } = decideStep(known.episode, {
      observed_at: new Date(time),
      item_count: items.length,
      risk_level: worst(items),
      gaps: outcome === 'partial' ? ['unread'] : [],
      is_same: isSame(items, known.items),
      added: added.length,
      removed: known.items.filter(({ name }) => !items.some((item) => item.name === name)).length,
      worst_added: worst(added),
    });
    episodes.set(account, { episode, items: step === 'held' ? known.items : items });
    const open = threads.filter((thread) => !isResolved(thread)).reverse();
    const drift = toDrift(account, items, step === 'resolved', time);
    const plan = planThread(open, { kind, min_level }, { account: drift, step, at: new Date(time) });
    if (plan === null) continue;
    const number = plan.thread.id === null ? threads.length : Number(plan.thread.id);
    threads[number] = { ...plan.thread, id: String(number), is_sent: true, is_current: true };
    if (plan.action !== null) sent.push({ at: time, account, action: plan.action, thread: number });
  }
  return { sent, threads, open: [...episodes.values()].filter(({ episode }) => episode.opened_at !== null).length };
}

function toDrift(account: number, items: Items, resolved: boolean, time: number): AccountDrift {
  const at = new Date(time).toISOString();
  return {
    ...{ cloud_account_id: String(account), display_name: '', provider: 'aws', coverage_pct: 100, url: null },
    ...{ counts: { new: 0, changed: items.length, missing: 0 }, delta: { added: 0, removed: 0 }, top_items: [] },
    ...{ status: resolved ? 'resolved' : 'open', risk_level: worst(items), scan_run_id: '', opened_at: at },
    resolved_at: resolved ? at : null,
  };
}

/** An independent account of the same history: which scans begin, end, or worsen something that people hear of. */
function walk({ scans, min_level }: { scans: Scan[]; min_level: RiskLevel }) {
  const accounts = new Map<number, { items: Items; had_gap: boolean; is_reported: boolean; message: number }>();
  const messages: { opened: number; live: number }[] = [];
  const [openings, quiet, dangers, endings]: [number[], number[], number[], number[]] = [[], [], [], []];
  let time = START;
  for (const { account, after_ms, outcome, items } of scans) {
    time += after_ms;
    const now = accounts.get(account) ?? { items: [], had_gap: false, is_reported: false, message: -1 };
    const ends = now.items.length > 0 && items.length === 0 && !(outcome === 'partial' && !now.had_gap);
    if (outcome === 'failed' || isSame(items, now.items) || (items.length === 0 && !ends)) {
      quiet.push(time);
      // What a scan with the same differences could not read is known from then on.
      const observed = outcome !== 'failed' && items.length > 0;
      accounts.set(account, observed ? { ...now, had_gap: outcome === 'partial' } : now);
      continue;
    }
    if (ends) {
      const message = messages[now.message];
      if (now.is_reported && message !== undefined) message.live -= 1;
      if (now.is_reported && message?.live === 0) endings.push(time);
      accounts.set(account, { items: [], had_gap: false, is_reported: false, message: -1 });
      continue;
    }
    const next = { ...now, items, had_gap: outcome === 'partial' };
    if (!now.is_reported && compareLevels(worst(items), min_level) >= 0) {
      next.is_reported = true;
      next.message = messages.findLastIndex(({ opened, live }) => live > 0 && time - opened <= GROUP_MS);
      if (next.message < 0) next.message = messages.push({ opened: time, live: 0 }) - 1;
      (messages[next.message] as { live: number }).live += 1;
      if (messages[next.message]?.opened === time) openings.push(time);
    }
    if (findAdded(items, now.items).some(({ level }) => compareLevels(level, 'high') >= 0)) dangers.push(time);
    accounts.set(account, next);
  }
  return { openings, quiet, dangers, endings };
}

describe('any history of scans', () => {
  test('has one first message for each opening after grouping', () => {
    fc.assert(
      fc.property(history, (given) => {
        const opened = replay(given).sent.filter(({ action }) => action === 'open');

        expect(opened.map(({ at }) => at)).toEqual(walk(given).openings);
      }),
      { numRuns: RUNS },
    );
  });

  test('sends nothing for a scan that failed or found the same', () => {
    fc.assert(
      fc.property(history, (given) => {
        const sent = new Set(replay(given).sent.map(({ at }) => at));

        expect(walk(given).quiet.filter((at) => sent.has(at))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('notifies people of every high and critical difference that was added', () => {
    fc.assert(
      fc.property(history, (given) => {
        const alerted = replay(given).sent.filter(({ action }) => action === 'open' || action === 'alert');
        const times = new Set(alerted.map(({ at }) => at));

        expect(walk(given).dangers.filter((at) => !times.has(at))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('resolves a message once, when a scan that read enough finds none of its differences', () => {
    fc.assert(
      fc.property(history, (given) => {
        const resolved = replay(given).sent.filter(({ action }) => action === 'resolve');

        expect(resolved.map(({ at }) => at)).toEqual(walk(given).endings);
        expect(new Set(resolved.map(({ thread }) => thread)).size).toBe(resolved.length);
      }),
      { numRuns: RUNS },
    );
  });
});
