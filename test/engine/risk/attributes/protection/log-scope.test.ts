import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../../engine/result.ts';
import { findings, judge } from '../judging.ts';

const AUDIT = 'logName:"cloudaudit.googleapis.com" AND severity>=NOTICE';
type Level = string | undefined;

describe('the filter of a sink', () => {
  test.each<[title: string, before: string, after: string, level: Level]>([
    ['a negation is added to an audit sink', AUDIT, `${AUDIT} AND NOT logName:"activity"`, 'high'],
    ['a term is added on a line of its own', AUDIT, `${AUDIT}\nprotoPayload.methodName="x"`, 'high'],
    ['a sink of everything is limited', '', 'severity>=ERROR', 'high'],
    ['an alternative goes', 'logName:"audit" OR logName:"vpc_flows"', 'logName:"audit"', 'high'],
    ['an alternative comes', 'logName:"audit"', 'logName:"audit" OR logName:"vpc_flows"', undefined],
    ['a term goes', AUDIT, 'logName:"cloudaudit.googleapis.com"', undefined],
    ['the filter goes', AUDIT, '', undefined],
    ['it is written in another way', 'a=1 AND b=2', '(b=2)\n(a=1)', undefined],
    [
      'what is no record of security is limited',
      'resource.type="gce"',
      'resource.type="gce" AND severity>=ERROR',
      'medium',
    ],
    ['another log is recorded', 'logName:"a"', 'logName:"b"', 'medium'],
    ['the word stands in a text', 'a="x AND y"', 'a="x AND y" AND b=1', 'medium'],
  ])('%s', (_, before, after, level) => {
    const sides = { before: { filter: before }, after: { filter: after } };
    expect(judge('update', 'google_logging_project_sink', sides)).toEqual(level ? { 'R-LOG-OFF': level } : {});
  });

  const sink = (exclusions: JsonValue[]): JsonObject => ({ filter: AUDIT, exclusions });
  const exclusion = (filter: string, disabled = false) => ({ name: 'x', filter, disabled });
  test.each<[title: string, before: JsonValue[], after: JsonValue[], level: Level]>([
    ['audit records are excluded', [], [exclusion('logName:"cloudaudit"')], 'high'],
    ['health checks are excluded', [], [exclusion('httpRequest.userAgent="probe"')], 'medium'],
    ['an exclusion is switched on', [exclusion('logName:"audit"', true)], [exclusion('logName:"audit"')], 'high'],
    ['an exclusion goes', [exclusion('logName:"audit"')], [], undefined],
    ['an exclusion takes less', [exclusion('a=1')], [exclusion('a=1 AND b=2')], undefined],
  ])('%s', (_, before, after, level) => {
    const sides = { before: sink(before), after: sink(after) };
    expect(judge('update', 'google_logging_project_sink', sides)['R-LOG-OFF']).toBe(level);
  });

  test('a new exclusion counts where it is about records of security', () => {
    const judgeExclusion = (filter: string) =>
      judge('create', 'google_logging_project_exclusion', { after: { filter } });

    expect(judgeExclusion('logName:"data_access"')).toEqual({ 'R-LOG-OFF': 'medium' });
    expect(judgeExclusion('resource.type="http_load_balancer"')).toEqual({});
  });
});

const selector = (category: string, ...more: JsonObject[]): JsonObject => ({
  field_selector: [{ field: 'eventCategory', equals: [category] }, ...more],
});
const S3 = { field: 'resources.type', equals: ['AWS::S3::Object'] };

describe('what a trail records', () => {
  test.each<[title: string, before: JsonObject[], after: JsonObject[], level: Level]>([
    ['management events go', [selector('Management'), selector('Data', S3)], [selector('Data', S3)], 'high'],
    [
      'reading is left out',
      [selector('Management')],
      [selector('Management', { field: 'readOnly', equals: ['false'] })],
      'high',
    ],
    [
      'a source is left out',
      [selector('Management')],
      [selector('Management', { field: 'eventSource', not_equals: ['kms'] })],
      'high',
    ],
    ['data events go', [selector('Management'), selector('Data', S3)], [selector('Management')], 'medium'],
    ['data events come', [selector('Management')], [selector('Management'), selector('Data', S3)], undefined],
    [
      'selectors change places',
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
      'a source is left out',
      { exclude_management_event_sources: [] },
      { exclude_management_event_sources: ['kms'] },
      'medium',
    ],
    [
      'a source comes back',
      { exclude_management_event_sources: ['kms'] },
      { exclude_management_event_sources: [] },
      undefined,
    ],
    [
      'objects of one bucket alone',
      { data_resource: [{ type: 'AWS::S3::Object', values: ['arn:aws:s3'] }] },
      { data_resource: [{ type: 'AWS::S3::Object', values: ['arn:aws:s3:::one/'] }] },
      'medium',
    ],
    [
      'objects of every bucket',
      { data_resource: [{ type: 'AWS::S3::Object', values: ['arn:aws:s3:::one/'] }] },
      { data_resource: [{ type: 'AWS::S3::Object', values: ['arn:aws:s3'] }] },
      undefined,
    ],
  ])('in the older form: %s', (_, before, after, level) => {
    const sides = { before: { event_selector: [before] }, after: { event_selector: [after] } };
    expect(judge('update', 'aws_cloudtrail', sides)['R-LOG-OFF']).toBe(level);
  });
});

describe('what an Azure resource records', () => {
  const all = { category_group: 'allLogs' };
  const one = (category: string) => ({ category });
  test.each<[title: string, before: JsonObject[], after: JsonObject[], level: Level]>([
    ['a category goes', [one('AuditEvent'), one('Other')], [one('Other')], 'high'],
    ['a group stands for the categories', [one('AuditEvent'), one('Other')], [all], undefined],
    ['the group of all becomes the audit group', [all], [{ category_group: 'audit' }], 'high'],
    ['categories change places', [one('a'), one('b')], [one('b'), one('a')], undefined],
    ['a category comes', [one('a')], [one('a'), one('b')], undefined],
  ])('%s', (_, before, after, level) => {
    const sides = { before: { enabled_log: before }, after: { enabled_log: after } };
    expect(judge('update', 'azurerm_monitor_diagnostic_setting', sides)['R-LOG-OFF']).toBe(level);
  });
});

describe('the condition of a federation', () => {
  const owner = 'assertion.repository_owner == "acme"';
  const repo = 'assertion.repository == "acme/infra"';
  test.each<[title: string, before: string, after: string, level: Level]>([
    ['the end of a name is compared', repo, 'assertion.repository.endsWith("/infra")', 'critical'],
    ['a part of a name is compared', repo, 'assertion.repository.contains("infra")', 'critical'],
    [
      'the owner goes, the branch stays',
      `${owner} && assertion.ref == "refs/heads/main"`,
      'assertion.ref == "refs/heads/main"',
      'critical',
    ],
    ['anything else is an alternative', repo, `${repo} || assertion.actor == "bot"`, 'critical'],
    ['it is negated', repo, 'assertion.repository != "acme/old"', 'critical'],
    ['another repository', repo, 'assertion.repository == "other/infra"', 'high'],
    ['every repository of the owner', repo, 'assertion.repository.startsWith("acme/")', 'high'],
    ['any owner that begins so', repo, 'assertion.repository.startsWith("acme")', 'critical'],
    ['a branch is asked for too', owner, `${owner} && assertion.ref == "refs/heads/main"`, undefined],
    ['its parts change places', `${owner} && ${repo}`, `(${repo}) && ${owner}`, undefined],
  ])('%s', (_, before, after, level) => {
    const sides = { before: { attribute_condition: before }, after: { attribute_condition: after } };
    expect(judge('update', 'google_iam_workload_identity_pool_provider', sides)).toEqual(
      level ? { 'R-IAM-TRUST': level } : {},
    );
  });

  test('more that is asked for is a hardening', () => {
    const sides = { before: { attribute_condition: owner }, after: { attribute_condition: `${owner} && ${repo}` } };
    const { change } = findings('update', 'google_iam_workload_identity_pool_provider', sides);

    expect(change.diffs.map(({ direction }) => direction)).toEqual(['strengthening']);
  });

  test('an Azure expression that leaves the owner open', () => {
    const type = 'azuread_application_flexible_federated_identity_credential';
    const buildClaim = (claim: string) => ({ claims_matching_expression: claim });
    const named = buildClaim("claims['sub'] matches 'repo:acme/*'");
    const open = buildClaim("claims['sub'] matches 'repo:*'");

    expect(judge('update', type, { before: named, after: open })).toEqual({ 'R-IAM-TRUST': 'critical' });
    expect(judge('create', type, { after: named })).toEqual({});
  });
});
