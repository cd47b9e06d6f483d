/** What people did about drift, as the messages about it show it. */
import { showTime } from '../../lib/slack-text.ts';
import { isWorse, type Observation, type Step } from './episode.ts';
import type { Attention } from './handled-store.ts';
import type { MessageSection } from './types.ts';

const SNOOZED_DAYS = 7;
/** Older entries are forgotten. */
const MOST_ENTRIES = 5;
const DAY_MS = 86_400_000;

export interface Handled {
  action: 'scanned' | 'snoozed' | 'acknowledged' | 'ignored' | 'woken';
  /** The display name of a member; null for the service. */
  by: string | null;
  /** ISO 8601. */
  at: string;
  /** ISO 8601: when it ends; null = never, or it does not end. */
  until: string | null;
  /** What it is about, such as the names of accounts. */
  what: string;
}

export function addHandled(handled: readonly Handled[], entry: Handled): Handled[] {
  return [...handled, entry].slice(-MOST_ENTRIES);
}

/** The part of a message that says who did what; nothing before anybody did. */
export function describeHandled(handled: readonly Handled[]): MessageSection[] {
  if (handled.length === 0) return [];
  return [{ heading: 'Handled', lines: handled.map((entry) => ({ name: '', text: describeEntry(entry) })) }];
}

function describeEntry({ action, by, at, until, what }: Handled): string {
  const who = by ?? 'the service';
  const end = until === null ? '' : ` until ${showTime(until)}`;
  switch (action) {
    case 'acknowledged':
      return `Acknowledged by ${who}, ${showTime(at)}`;
    case 'snoozed':
      return `Snoozed${end} by ${who}, unless it becomes worse`;
    case 'woken':
      return `No longer snoozed, because it is worse, ${showTime(at)}`;
    case 'scanned':
      return `Scan of ${what} started by ${who}, ${showTime(at)}`;
    case 'ignored':
      return `Ignored from the next scan on${end} by ${who}: ${what}`;
  }
}

export function snoozeEnd(at: Date): Date {
  return new Date(at.getTime() + SNOOZED_DAYS * DAY_MS);
}

export function isSnoozed({ snoozed_until }: Pick<Attention, 'snoozed_until'>, at: Date): boolean {
  return snoozed_until !== null && snoozed_until > at;
}

/** Whether the drift of an account has become worse than it was when somebody snoozed it. */
export function isWorseThanSnoozed(
  { snoozed_level }: Attention,
  step: Step,
  since_snoozed: Pick<Observation, 'risk_level' | 'added' | 'worst_added'>,
): boolean {
  return step === 'worse' && isWorse({ risk_level: snoozed_level ?? 'none' }, since_snoozed);
}
