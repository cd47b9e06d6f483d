/** R-LOG-SILENCE: objects that suppress alerts or archive findings, by how much they cover and for how long. */
import { splitWords } from '../../../effects/words.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { JsonValue } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, list, member, text, truth } from '../values.ts';

const SILENCES = [
  'azurerm_monitor_alert_processing_rule_suppression',
  'azurerm_monitor_action_rule_suppression',
  'azurerm_security_center_alerts_suppression_rule',
  'datadog_downtime',
  'datadog_downtime_schedule',
  'datadog_security_monitoring_suppression',
  'newrelic_alert_muting_rule',
  'aws_guardduty_filter',
  'google_scc_*mute_config',
  'grafana_mute_timing',
  'opsgenie_maintenance',
  'pagerduty_maintenance_window',
  'signalfx_alert_muting_rule',
  'sentry_*mute*',
];

/** Attributes that say what is silenced, for how long, and whether the object is in use. */
const CONDITIONS = [
  'condition',
  'conditions',
  'finding_criteria',
  'filter',
  'rule_query',
  'monitor_identifier',
  'rules',
  'filters',
  'suppression_query',
  'data_exclusion_query',
];
const ENDS = [
  'schedule',
  'end',
  'end_date',
  'end_time',
  'expiration',
  'expiration_date',
  'stop_time',
  'one_time_schedule',
  'recurring_schedule',
  'recurrence',
  'time',
  'intervals',
  'expiry_time',
];
const SCOPES = ['scopes', 'scope', 'services', 'monitor_tags', 'resource_group_ids'];
/** A whole subscription, account, organization or everything. */
const WIDE_SCOPE = /^(?:\*|\/|\/subscriptions\/[0-9a-f-]{36}\/?|all|env:\*|\*:\*)$/i;
/** Findings from the lowest severity on are all findings. */
const LOWEST = new Set(['0', '1', 'low', 'info', 'informational', '']);

function judgeSilence(subject: Subject): void {
  const { before, after } = subject;
  if (after === undefined || !isInUse(after) || !isWide(after) || hasEnd(after)) return;
  if (before !== undefined && isInUse(before) && isWide(before) && !hasEnd(before)) return;
  subject.add({
    rule: 'R-LOG-SILENCE',
    level: 'high',
    path: null,
    message: 'Every alert or finding is silenced without an end: incidents are no longer noticed.',
  });
}

function isInUse(side: Value): boolean {
  if (truth(member(side, 'enabled')) === false || truth(member(side, 'disabled')) === true) return false;
  const action = text(member(side, 'action'));
  return action === '' || action.toUpperCase() === 'ARCHIVE';
}

function hasEnd(side: Value): boolean {
  return ENDS.some((name) => list(member(side, name)).some(endsSometime));
}

/** A schedule with a start only has no end. */
function endsSometime(value: JsonValue): boolean {
  if (isObject(value) && Object.hasOwn(value, 'end')) return !isEmpty(value['end']);
  return !isEmpty(value);
}

function isWide(side: Value): boolean {
  const scopes = SCOPES.flatMap((name) => list(member(side, name)));
  if (scopes.length > 0 && !scopes.some((scope) => WIDE_SCOPE.test(text(scope)))) return false;
  const conditions = CONDITIONS.flatMap((name) => (isEmpty(member(side, name)) ? [] : [member(side, name)!]));
  if (conditions.length === 0) return scopes.length > 0;
  return conditions.every(coversAll);
}

/** Whether a condition holds for everything: each of its criteria starts at the lowest severity, or is `*`. */
function coversAll(condition: JsonValue): boolean {
  if (typeof condition === 'string') return WIDE_SCOPE.test(condition.trim()) || condition.trim() === 'true';
  if (Array.isArray(condition)) return condition.length > 0 && condition.every(coversAll);
  if (!isObject(condition)) return false;
  const inner = member(condition, 'criterion') ?? member(condition, 'conditions');
  if (inner !== undefined) return list(inner).every(coversAll);
  return Object.hasOwn(condition, 'field') ? isLowest(condition) || excludesOnly(condition) : namesAll(condition);
}

/** Every part that is set holds for everything: `monitor_tags = ["*"]`. */
function namesAll(condition: Record<string, JsonValue>): boolean {
  const set = Object.values(condition).filter((value) => !isEmpty(value));
  return set.length > 0 && set.every(coversAll);
}

/** A criterion that only leaves something out covers nearly everything. */
function excludesOnly(criterion: Record<string, JsonValue>): boolean {
  const set = Object.entries(criterion).filter(([name, value]) => name !== 'field' && !isEmpty(value));
  return set.length > 0 && set.every(([name]) => name.startsWith('not_'));
}

function isLowest(criterion: Record<string, JsonValue>): boolean {
  const set = Object.entries(criterion).filter(([name, value]) => name !== 'field' && !isEmpty(value));
  if (!splitWords(text(criterion['field'] ?? null)).includes('severity')) return false;
  return set.every(([name, value]) => /greater|gte|>=/.test(name) && LOWEST.has(text(value).toLowerCase()));
}

export const SILENCE_RULES: readonly Rule[] = [
  {
    types: SILENCES,
    watches: [...CONDITIONS, ...ENDS, ...SCOPES, 'enabled', 'disabled', 'action'].map((path) => ({ path })),
    find: judgeSilence,
  },
];
