import { splitWords } from '../../../effects/words.ts';
import { list, text } from '../../attributes/values.ts';
import { readSwitch } from '../switch.ts';
import { isUnlimited, isUnset, readNumber, readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const MUTES = listWords('suppress suppressed mute muted silence silenced silent snooze snoozed');
const EVERYTHING = listWords('catch all default global root');
const RECEIVERS = listWords(
  'receiver contact point channel responder recipient assignee escalation notification pager target output destination ' +
    'path file',
);
const ALERTS = listWords(
  'alert alarm notification contact pagerduty opsgenie monitor incident escalation receiver responder oncall route routing ' +
    'event log logging sink diagnostic audit',
);
const NOWHERE = listWords('null sink blackhole devnull noop void discard nowhere drop dropped trash dummy');

/** Judges what keeps alerts from people: switches that mute, incidents that close by themselves, and dead ends. */
export function judgeMuting(argument: Argument): ValueFinding | null {
  return (
    judgeSwitch(argument) ??
    judgeNever(argument) ??
    judgeAutoResolve(argument) ??
    judgeReceiver(argument) ??
    judgeEndOfSilence(argument) ??
    judgeMutedUntil(argument)
  );
}

function judgeSwitch({ words, outer, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, MUTES)) return null;
  const [was, is] = [readSwitch(before) ?? false, readSwitch(after)];
  if (is === undefined || is === was) return null;
  if (!is) return { ...FINDING, level: 'low', direction: 'strengthening', consequence: 'Alerts are sent again' };
  return {
    ...FINDING,
    level: hasAny(outer, EVERYTHING) ? 'high' : 'medium',
    consequence: 'Alerts reach nobody any more',
  };
}

const HOUR = 3600;
const FINDING = { rule: 'R-VAL-MUTED', direction: 'weakening' } as const;

const SILENCES = listWords('downtime silence mute muting maintenance suppression snooze inhibition');
const END = listWords('end until expire expiry expiration stop finish');

/** A silence that ended at some time, and now does not. */
function judgeEndOfSilence({ words, type, before, after }: Argument): ValueFinding | null {
  if (!hasAny(type, SILENCES) || !hasAny(words, END) || isUnset(before) || !isUnset(after)) return null;
  return { ...FINDING, level: 'high', consequence: 'Alerts stay silent without an end' };
}

const PRODUCTION = /(?:^|[^a-z])(?:production|prod|prd|live|critical|fatal|sev-?1|p1)(?:[^a-z0-9]|$)/i;
const NAMES = listWords('name description comment note message title');

/** A silence of other environments or alerts that comes to hold for production or for critical alerts, too. */
export function judgeMutedProduction({ words, type, before, after }: Argument): ValueFinding | null {
  if (!hasAny(type, SILENCES) || hasAny(words, NAMES)) return null;
  const [was, is] = [before, after].map((side) => list(side).some((item) => PRODUCTION.test(text(item).slice(0, 500))));
  if (list(before).length === 0 || was || !is) return null;
  return {
    ...FINDING,
    level: 'high',
    consequence: 'Alerts of production or critical ones reach nobody any more',
    beyond_rules: true,
  };
}

/** Dates from then on are written to mean that there is no end. */
const NO_END = /^(?:209\d|2[1-9]\d\d|[3-9]\d{3})-/;

/** A time until which alerts are muted, where there was none. */
function judgeMutedUntil({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, MUTES) || !hasAny(words, END) || !isUnset(before) || typeof after !== 'string') return null;
  if (isUnset(after)) return null;
  const endless = NO_END.test(after) || isUnlimited(after);
  return { ...FINDING, level: endless ? 'high' : 'medium', consequence: 'Alerts reach nobody until then' };
}

const CALLS = listWords('page paging pager alert notify notification escalate escalation alarm');

/** A time after which somebody is called that becomes `-1`, `never` or the like. */
function judgeNever({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, CALLS) || isUnset(before) || isUnlimited(before) || !isUnlimited(after)) return null;
  return { ...FINDING, level: 'high', consequence: 'Nobody is called any more, however long it lasts' };
}

function judgeAutoResolve({ words, type, before, after }: Argument): ValueFinding | null {
  const closes =
    hasAny(words, listWords('resolve close')) &&
    words.has('auto') &&
    hasAny(words, listWords('timeout after second minute hour'));
  if (!closes || hasAny(type, listWords('pull merge repository issue'))) return null;
  const [from, to] = [isUnset(before) ? null : readNumber(before), readNumber(after)];
  if (to === null || to <= 0 || (from !== null && from > 0 && to > from / 2)) return null;
  // Within five minutes, the first escalation has not been reached.
  const is_soon = (readSeconds(after, words, 1) ?? HOUR) < HOUR / 12;
  const is_at_once = is_soon || (from !== null && from > 0 && to <= from / 20);
  return {
    ...FINDING,
    level: is_at_once ? 'high' : 'medium',
    consequence: 'Incidents close by themselves although nobody has acted',
  };
}

/** A receiver whose name says that nobody reads it. */
function judgeReceiver({ words, type, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, RECEIVERS) || !hasAny(type, ALERTS)) return null;
  if (!isNowhere(after) || isNowhere(before) || isUnset(before)) return null;
  return { ...FINDING, level: 'high', consequence: 'Alerts or logs go to a receiver that nobody reads' };
}

function isNowhere(value: Argument['after']): boolean {
  return typeof value === 'string' && value.length <= 200 && splitWords(value).some((word) => NOWHERE.has(word));
}
