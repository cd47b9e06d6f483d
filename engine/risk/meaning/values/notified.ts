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
  const [from, to] = [listHandles(keepAlertText(before)), listHandles(keepAlertText(after))];
  const lost = from.filter((handle) => !to.includes(handle));
  if (lost.length === 0) return null;
  if (to.length === 0) return { ...FINDING, level: 'high', consequence: 'Nobody is notified any more' };
  const pages = lost.some((handle) => PAGES.test(handle)) && !to.some((handle) => PAGES.test(handle));
  return pages ? { ...FINDING, level: 'medium', consequence: 'Nobody is called out any more' } : null;
}

const FINDING = { rule: 'R-VAL-NOTIFIED', direction: 'weakening' } as const;

const TAG = /\{\{([#^/])(is_\w{1,40})(?:[^{}]{0,100})\}\}/g;
/** Sections that are written when an alert begins. */
const ALERTING = listWords('is_alert is_match is_exact_match is_alert_to_warning is_priority is_renotify');

/** Leaves out what a message says only in other states, such as `{{#is_recovery}}…{{/is_recovery}}`. */
function keepAlertText(message: string): string {
  const text = message.slice(0, MAX_CHARS);
  let kept = '';
  let from = 0;
  const hidden: string[] = [];
  for (const { 0: tag, 1: sign, 2: state, index } of text.matchAll(TAG)) {
    if (hidden.length === 0) kept += text.slice(from, index);
    from = index + tag.length;
    if (sign === '/') {
      if (hidden.at(-1) === state) hidden.pop();
    } else if ((sign === '#') !== ALERTING.has(state!)) hidden.push(state!);
  }
  return hidden.length === 0 ? kept + text.slice(from) : kept;
}

function listHandles(text: string): string[] {
  return [...text.matchAll(HANDLE)].map(([, handle]) => handle!.toLowerCase());
}
