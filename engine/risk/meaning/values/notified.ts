import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const TEXT = listWords('message escalation body text notification');
const ALARM = listWords('monitor alarm alert detector synthetic check slo rule');
const HANDLE = /@([a-z][a-z0-9._-]{1,80})/gi;
/** Who is called out, unlike channels that people may read later. */
const PAGES =
  /^(?:pagerduty|opsgenie|oncall|on-call|victorops|splunk-oncall|incident|xmatters|squadcast|betterstack|ilert|webhook-page)/;
const MAX_CHARS = 20_000;

/** Judges the people and services that the text of a monitor mentions, which Datadog and others notify. */
export function judgeNotified({ words, type, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, TEXT) || !hasAny(type, ALARM)) return null;
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const [from, to] = [listHandles(before), listHandles(after)];
  const lost = from.filter((handle) => !to.includes(handle));
  if (lost.length === 0) return null;
  if (to.length === 0) return { ...FINDING, level: 'high', consequence: 'Nobody is notified any more' };
  const pages = lost.some((handle) => PAGES.test(handle)) && !to.some((handle) => PAGES.test(handle));
  return pages ? { ...FINDING, level: 'medium', consequence: 'Nobody is called out any more' } : null;
}

const FINDING = { rule: 'R-VAL-NOTIFIED', direction: 'weakening' } as const;

function listHandles(text: string): string[] {
  return [...text.slice(0, MAX_CHARS).matchAll(HANDLE)].map(([, handle]) => handle!.toLowerCase());
}
