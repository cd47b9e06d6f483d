import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

const AUDIT = 'logName:"cloudaudit.googleapis.com" AND severity>=NOTICE';
type Level = string | undefined;

describe('a log sink', () => {
  test.each<[title: string, before: string, after: string, level: Level]>([
    ['is high when a negation is added to its audit filter', AUDIT, `${AUDIT} AND NOT logName:"activity"`, 'high'],
    [
      'is high when a term is added on a separate line of its filter',
      AUDIT,
      `${AUDIT}\nprotoPayload.methodName="x"`,
      'high',
    ],
    ['is high when it gets its first filter', '', 'severity>=ERROR', 'high'],
    [
      'is high when a filter on several lines gets a severity',
      'logName:"cloudaudit" OR logName:"externalaudit"',
      '(\n  logName:"cloudaudit" OR\n  logName:"externalaudit"\n)\nAND severity >= WARNING',
      'high',
    ],
    [
      'is safe when parentheses and lines are added',
      'logName:"cloudaudit" OR logName:"externalaudit"',
      '(\n  logName:"cloudaudit"\n  OR logName:"externalaudit"\n)',
      undefined,
    ],
    [
      'is high when an alternative is removed from its filter',
      'logName:"audit" OR logName:"vpc_flows"',
      'logName:"audit"',
      'high',
    ],
    [
      'gives no reason when an alternative is added to its filter',
      'logName:"audit"',
      'logName:"audit" OR logName:"vpc_flows"',
      undefined,
    ],
    ['gives no reason when a term is removed from its filter', AUDIT, 'logName:"cloudaudit.googleapis.com"', undefined],
    ['gives no reason when its filter is removed', AUDIT, '', undefined],
    ['gives no reason when its filter has another notation', 'a=1 AND b=2', '(b=2)\n(a=1)', undefined],
    [
      'is medium when a filter without security logs is narrowed',
      'resource.type="gce"',
      'resource.type="gce" AND severity>=ERROR',
      'medium',
    ],
    ['is medium when its filter selects a different log', 'logName:"a"', 'logName:"b"', 'medium'],
    ['is medium when the new operator follows one inside quotes', 'a="x AND y"', 'a="x AND y" AND b=1', 'medium'],
  ])('%s', (_, before, after, level) => {
    const sides = { before: { filter: before }, after: { filter: after } };
    expect(judge('update', 'google_logging_project_sink', sides)).toEqual(level ? { 'R-LOG-OFF': level } : {});
  });

  const sink = (exclusions: JsonValue[]): JsonObject => ({ filter: AUDIT, exclusions });
  const exclusion = (filter: string, disabled = false) => ({ name: 'x', filter, disabled });
  test.each<[title: string, before: JsonValue[], after: JsonValue[], level: Level]>([
    ['is high when audit logs are excluded', [], [exclusion('logName:"cloudaudit"')], 'high'],
    ['is medium when health checks are excluded', [], [exclusion('httpRequest.userAgent="probe"')], 'medium'],
    ['is high when all but health checks are excluded', [], [exclusion('NOT (httpRequest.userAgent="probe")')], 'high'],
    ['is high when one level alone is kept', [], [exclusion('severity!=ERROR')], 'high'],
    [
      'is medium when a part of an excluded kind is kept',
      [],
      [exclusion('resource.type="a" AND NOT severity=ERROR')],
      'medium',
    ],
    [
      'is high when an exclusion is enabled',
      [exclusion('logName:"audit"', true)],
      [exclusion('logName:"audit"')],
      'high',
    ],
    ['gives no reason when an exclusion is removed', [exclusion('logName:"audit"')], [], undefined],
    ['gives no reason when an exclusion is narrowed', [exclusion('a=1')], [exclusion('a=1 AND b=2')], undefined],
  ])('%s', (_, before, after, level) => {
    const sides = { before: sink(before), after: sink(after) };
    expect(judge('update', 'google_logging_project_sink', sides)['R-LOG-OFF']).toBe(level);
  });

  test('gives a reason for a new exclusion only if it excludes security logs', () => {
    const judgeExclusion = (filter: string) =>
      judge('create', 'google_logging_project_exclusion', { after: { filter } });

    expect(judgeExclusion('logName:"data_access"')).toEqual({ 'R-LOG-OFF': 'high' });
    expect(judgeExclusion('logName:"data_access" AND severity=INFO')).toEqual({ 'R-LOG-OFF': 'medium' });
    expect(judgeExclusion('resource.type="http_load_balancer"')).toEqual({});
  });
});

const selector = (category: string, ...more: JsonObject[]): JsonObject => ({
  field_selector: [{ field: 'eventCategory', equals: [category] }, ...more],
});
const S3 = { field: 'resources.type', equals: ['AWS::S3::Object'] };

describe('a CloudTrail trail', () => {
  test.each<[title: string, before: JsonObject[], after: JsonObject[], level: Level]>([
    [
      'is high when it no longer records management events',
      [selector('Management'), selector('Data', S3)],
      [selector('Data', S3)],
      'high',
    ],
    [
      'is medium when it only excludes read events',
      [selector('Management')],
      [selector('Management', { field: 'readOnly', equals: ['false'] })],
      'medium',
    ],
    [
      'is high when it excludes write events',
      [selector('Management')],
      [selector('Management', { field: 'readOnly', equals: ['true'] })],
      'high',
    ],
    [
      'is high when it excludes read events and an event source',
      [selector('Management')],
      [selector('Management', { field: 'readOnly', equals: ['false'] }, { field: 'eventSource', not_equals: ['kms'] })],
      'high',
    ],
    [
      'is high when it excludes an event source',
      [selector('Management')],
      [selector('Management', { field: 'eventSource', not_equals: ['kms'] })],
      'high',
    ],
    [
      'is medium when it no longer records data events',
      [selector('Management'), selector('Data', S3)],
      [selector('Management')],
      'medium',
    ],
    [
      'gives no reason when it also records data events',
      [selector('Management')],
      [selector('Management'), selector('Data', S3)],
      undefined,
    ],
    [
      'gives no reason when its selectors are reordered',
      [selector('Management'), selector('Data', S3)],
      [selector('Data', S3), selector('Management')],
      undefined,
    ],
  ])('%s', (_, before, after, level) => {
    const sides = { before: { advanced_event_selector: before }, after: { advanced_event_selector: after } };
    expect(judge('update', 'aws_cloudtrail', sides)['R-LOG-OFF']).toBe(level);
  });

  test.each<[title: string, before: JsonObject, after: JsonObject, level: Level]>([
    [
      'is medium when it excludes an event source',
      { exclude_management_event_sources: [] },
      { exclude_management_event_sources: ['kms'] },
      'medium',
    ],
    [
      'gives no reason when it includes an event source again',
      { exclude_management_event_sources: ['kms'] },
      { exclude_management_event_sources: [] },
      undefined,
    ],
    [
      'is medium when it records the objects of only one bucket',
      { data_resource: [{ type: 'AWS::S3::Object', values: ['arn:aws:s3'] }] },
      { data_resource: [{ type: 'AWS::S3::Object', values: ['arn:aws:s3:::one/'] }] },
      'medium',
    ],
    [
      'gives no reason when it records the objects of every bucket',
      { data_resource: [{ type: 'AWS::S3::Object', values: ['arn:aws:s3:::one/'] }] },
      { data_resource: [{ type: 'AWS::S3::Object', values: ['arn:aws:s3'] }] },
      undefined,
    ],
  ])('with basic event selectors %s', (_, before, after, level) => {
    const sides = { before: { event_selector: [before] }, after: { event_selector: [after] } };
    expect(judge('update', 'aws_cloudtrail', sides)['R-LOG-OFF']).toBe(level);
  });
});

describe('an Azure diagnostic setting', () => {
  const all = { category_group: 'allLogs' };
  const one = (category: string) => ({ category });
  test.each<[title: string, before: JsonObject[], after: JsonObject[], level: Level]>([
    ['is high when a category is removed', [one('AuditEvent'), one('Other')], [one('Other')], 'high'],
    [
      'gives no reason when a group that contains its categories replaces them',
      [one('AuditEvent'), one('Other')],
      [all],
      undefined,
    ],
    ['is high when the audit group replaces the group of all logs', [all], [{ category_group: 'audit' }], 'high'],
    ['gives no reason when its categories are reordered', [one('a'), one('b')], [one('b'), one('a')], undefined],
    ['gives no reason when a category is added', [one('a')], [one('a'), one('b')], undefined],
  ])('%s', (_, before, after, level) => {
    const sides = { before: { enabled_log: before }, after: { enabled_log: after } };
    expect(judge('update', 'azurerm_monitor_diagnostic_setting', sides)['R-LOG-OFF']).toBe(level);
  });
});

describe('the condition of a workload identity provider', () => {
  const owner = 'assertion.repository_owner == "acme"';
  const repo = 'assertion.repository == "acme/infra"';
  test.each<[title: string, before: string, after: string, level: Level]>([
    [
      'is critical when it compares only the end of a name',
      repo,
      'assertion.repository.endsWith("/infra")',
      'critical',
    ],
    ['is critical when it compares only a part of a name', repo, 'assertion.repository.contains("infra")', 'critical'],
    [
      'is critical when it keeps the branch but drops the owner',
      `${owner} && assertion.ref == "refs/heads/main"`,
      'assertion.ref == "refs/heads/main"',
      'critical',
    ],
    [
      'is critical when it adds an alternative without an owner',
      repo,
      `${repo} || assertion.actor == "bot"`,
      'critical',
    ],
    ['is critical when it is negated', repo, 'assertion.repository != "acme/old"', 'critical'],
    ['is high when it names another repository', repo, 'assertion.repository == "other/infra"', 'high'],
    ['is high when it accepts every repository of the owner', repo, 'assertion.repository.startsWith("acme/")', 'high'],
    [
      'is critical when it accepts every owner with a prefix',
      repo,
      'assertion.repository.startsWith("acme")',
      'critical',
    ],
    [
      'gives no reason when it also requires a branch',
      owner,
      `${owner} && assertion.ref == "refs/heads/main"`,
      undefined,
    ],
    ['gives no reason when its parts are reordered', `${owner} && ${repo}`, `(${repo}) && ${owner}`, undefined],
  ])('%s', (_, before, after, level) => {
    const sides = { before: { attribute_condition: before }, after: { attribute_condition: after } };
    expect(judge('update', 'google_iam_workload_identity_pool_provider', sides)).toEqual(
      level ? { 'R-IAM-TRUST': level } : {},
    );
  });

  test('strengthens when it requires more', () => {
    const sides = { before: { attribute_condition: owner }, after: { attribute_condition: `${owner} && ${repo}` } };
    const { change } = findings('update', 'google_iam_workload_identity_pool_provider', sides);

    expect(change.diffs.map(({ direction }) => direction)).toEqual(['strengthening']);
  });

  test('is critical when an Azure expression no longer names an owner', () => {
    const type = 'azuread_application_flexible_federated_identity_credential';
    const buildClaim = (claim: string) => ({ claims_matching_expression: claim });
    const named = buildClaim("claims['sub'] matches 'repo:acme/*'");
    const open = buildClaim("claims['sub'] matches 'repo:*'");

    expect(judge('update', type, { before: named, after: open })).toEqual({ 'R-IAM-TRUST': 'critical' });
    expect(judge('create', type, { after: named })).toEqual({});
  });
});
