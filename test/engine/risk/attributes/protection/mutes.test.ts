import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { judgePlan } from '../../plans.ts';

const listRules = (type: string, before: JsonObject | null, after: JsonObject) =>
  judgePlan([[type, before, after]]).rules;

const catchAll = (suppress: boolean) => ({ catch_all: [{ actions: [{ suppress }] }] });
const orchestration = (...rules: JsonObject[]) => ({ set: [{ id: 'start', rule: rules }] });
const mute = (condition: JsonObject[]) => ({ condition, actions: [{ suppress: true }] });
const downtime = (scope: string, tags: string[], end: string | null) => ({
  scope,
  monitor_identifier: [{ monitor_id: null, monitor_tags: tags }],
  one_time_schedule: [{ start: '2026-11-23T18:00:00Z', end }],
});

test.each<[string, string, JsonObject | null, JsonObject]>([
  ['a catch-all that suppresses', 'pagerduty_event_orchestration_service', catchAll(false), catchAll(true)],
  [
    'a rule that suppresses without conditions',
    'pagerduty_event_orchestration_service',
    orchestration(),
    orchestration(mute([])),
  ],
  [
    'a ruleset that suppresses',
    'pagerduty_ruleset_rule',
    { actions: [{ suppress: [{ value: false }] }] },
    { actions: [{ suppress: [{ value: true }] }] },
  ],
  ['a muted alert rule', 'grafana_alert_rule', { name: 'a', muted: false }, { name: 'a', muted: true }],
  [
    'a receiver that nobody reads',
    'grafana_notification_policy',
    { contact_point: 'oncall' },
    { contact_point: 'null-sink' },
  ],
  [
    'an action group without receivers',
    'azurerm_monitor_action_group',
    { name: 'a', email_receiver: [{ name: 'x' }] },
    { name: 'a', email_receiver: [] },
  ],
  ['a downtime for every monitor without an end', 'datadog_downtime_schedule', null, downtime('*', ['*'], null)],
  [
    'a filter that archives all but one type',
    'aws_guardduty_filter',
    null,
    { action: 'ARCHIVE', finding_criteria: [{ criterion: [{ field: 'type', not_equals: ['x'] }] }] },
  ],
])('%s is a silence', (_, type, before, after) => {
  expect(listRules(type, before, after)).toContain('R-LOG-SILENCE');
});

test.each<[string, string, JsonObject | null, JsonObject]>([
  [
    'a rule that suppresses some events',
    'pagerduty_event_orchestration_service',
    orchestration(),
    orchestration(mute([{ expression: "event.source matches 'x'" }])),
  ],
  ['a catch-all that no longer suppresses', 'pagerduty_event_orchestration_service', catchAll(true), catchAll(false)],
  ['another receiver', 'grafana_notification_policy', { contact_point: 'oncall' }, { contact_point: 'oncall-eu' }],
  [
    'an action group with one receiver left',
    'azurerm_monitor_action_group',
    { email_receiver: [{ name: 'x' }], sms_receiver: [{ name: 'y' }] },
    { email_receiver: [], sms_receiver: [{ name: 'y' }] },
  ],
  ['a downtime with an end', 'datadog_downtime_schedule', null, downtime('*', ['*'], '2026-11-23T20:00:00Z')],
  ['a downtime for one service', 'datadog_downtime_schedule', null, downtime('service:db', ['service:db'], null)],
])('%s is no silence', (_, type, before, after) => {
  expect(listRules(type, before, after)).not.toContain('R-LOG-SILENCE');
});
