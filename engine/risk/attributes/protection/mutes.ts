/** R-LOG-SILENCE for switches inside of rules: everything that a rule suppresses, and receivers that nobody reads. */
import { toPathNode } from '../../../changes/path-node.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { AttributeDiff, JsonValue } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Path, Value } from '../types.ts';
import { isEmpty, list, member, text, truth } from '../values.ts';

const MESSAGES = {
  suppressed: 'Alerts and events that reach this rule are suppressed, whatever they are about',
  nowhere: 'Alerts go to a receiver that nobody reads, as its name says',
  emptied: 'Nobody is notified any more: the last receiver is removed',
};

const MUTES = new Set(['suppress', 'suppressed', 'drop_event', 'mute', 'muted', 'is_muted', 'silence', 'silenced']);
const ABOUT_ALERTS =
  /alert|alarm|monitor|incident|event|notif|pagerduty|opsgenie|escalation|detector|finding|contact|action_group|mute/;
const CONDITIONS = [
  'condition',
  'conditions',
  'filter',
  'filters',
  'criteria',
  'match',
  'matcher',
  'matchers',
  'query',
];
const RECEIVERS =
  /^(?:contact_point|receiver|default_receiver|default_contact_point|route_to|escalation_policy|notification_channel|target|send_to)$/;
const NOWHERE =
  /(?:^|[^a-z])(?:null|nil|none|no-?op|black-?hole|dev-?null|(?:null|void)[-_]?sink|sink|discard|trash|dummy|nobody|void)(?:$|[^a-z])/i;
/** Blocks and lists that name who is notified. */
const NOTIFIED = /_receiver$|^(?:receivers?|contacts?|recipients|subscribers?|email_addresses|notify_list)$/;
const MAX_DIFFS = 2_000;

/** Judges the changed leaves of an object that is about alerts. */
export function findMutes(subject: Subject): void {
  if (!ABOUT_ALERTS.test(subject.type)) return;
  for (const diff of subject.change.diffs.slice(0, MAX_DIFFS)) {
    if (diff.after_unknown) continue;
    judgeSwitch(subject, diff);
    judgeReceiver(subject, diff);
  }
  judgeEmptied(subject);
}

function judgeSwitch(subject: Subject, diff: AttributeDiff): void {
  if (truth(diff.after) !== true || truth(diff.before) === true) return;
  const path = diff.path_segments;
  const named = path.findLast((segment) => typeof segment === 'string' && segment !== 'value');
  if (MUTES.has(String(named)) && !isConditional(subject.after, path)) report(subject, path, MESSAGES.suppressed);
}

/** Whether a block around the switch has conditions, so that it only concerns some events. */
function isConditional(side: Value, path: Path): boolean {
  let value: Value = side;
  for (const segment of path) {
    if (isObject(value) && CONDITIONS.some((name) => !isEmpty(member(value, name)))) return true;
    value = Array.isArray(value) ? value[Number(segment)] : member(value, String(segment));
  }
  return false;
}

function judgeReceiver(subject: Subject, diff: AttributeDiff): void {
  const { name } = toPathNode(diff);
  if (typeof diff.after !== 'string' || !RECEIVERS.test(name) || !NOWHERE.test(diff.after)) return;
  if (isEmpty(diff.before ?? null) || (typeof diff.before === 'string' && NOWHERE.test(diff.before))) return;
  report(subject, diff.path_segments, MESSAGES.nowhere);
}

function judgeEmptied(subject: Subject): void {
  const { before, after } = subject;
  if (before === undefined || after === undefined) return;
  const lost = Object.keys(before).find(
    (name) => NOTIFIED.test(name) && countEntries(before[name]) > 0 && countEntries(after[name]) === 0,
  );
  if (lost === undefined || subject.isUnknown(lost)) return;
  const left = Object.keys(after).some(
    (name) => NOTIFIED.test(name) && (countEntries(after[name]) > 0 || subject.isUnknown(name)),
  );
  if (!left) report(subject, [lost], MESSAGES.emptied);
}

function countEntries(value: JsonValue | undefined): number {
  return Array.isArray(value) ? list(value).filter((entry) => isObject(entry) || text(entry) !== '').length : 0;
}

function report(subject: Subject, path: Path, message: string): void {
  subject.add({ rule: 'R-LOG-SILENCE', level: 'high', path, message: `${message}: ${subject.formatPath(path)}.` });
  subject.setDirection(path, 'weakening');
}
