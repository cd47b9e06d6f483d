import { describe, expect, test } from '@jest/globals';
import { directivesForm, settingLinesForm } from '../../../engine/canonical/config-lines.ts';
import { awsCronForm, cronForm } from '../../../engine/canonical/cron.ts';
import { isSameBlockList, isSameDuration, isSameInstant, isSameSize } from '../../../engine/canonical/universal.ts';
import { urlForm } from '../../../engine/canonical/urls.ts';
import { findSchemaSets } from '../../../engine/equivalence/schema-sets.ts';
import { classifyNoise } from '../../../engine/noise/classify.ts';
import { aDiff, anUpdate } from '../noise/builders.ts';

describe('cron expressions', () => {
  test.each([
    ['@daily', '0 0 * * *'],
    ['*/15 * * * 1-5', '0,15,30,45 * * * MON-FRI'],
    ['0 3 * * 7', '0 3 * * sun'],
    ['0 0-23 * 1-12 *', '0 * * * *'],
  ])('%s and %s run at the same times', (one, other) => {
    expect(cronForm(one)).not.toBeNull();
    expect(cronForm(one)).toBe(cronForm(other));
  });

  test.each([
    ['0 0 1 * 1', '0 0 1 * *'],
    // With a restricted weekday, all days of the month together mean every day.
    ['0 0 1-31 * 1', '0 0 * * 1'],
    ['0 0 * * MON-FRI', '0 0 * * MON-SAT'],
    ['@hourly', '@daily'],
  ])('%s and %s do not', (one, other) => {
    expect(cronForm(one)).not.toBe(cronForm(other));
  });

  test.each(['0 0 12 * * ?', '0 24 * * *', 'a b c d e', '0 5-1 * * *', '*/0 * * * *'])('%s has no form', (text) => {
    expect(cronForm(text)).toBeNull();
  });
});

describe('schedules of AWS', () => {
  test.each([
    ['cron(0 6 ? * 2 *)', 'cron(0 6 ? * MON *)'],
    ['cron(0 6 ? * MON-FRI *)', 'cron(0 6 ? * 2-6 *)'],
    ['cron(0 5 ? * * *)', 'cron(0 5 * * ? *)'],
  ])('%s and %s run at the same times', (one, other) => {
    expect(awsCronForm(one)).not.toBeNull();
    expect(awsCronForm(one)).toBe(awsCronForm(other));
    expect(
      classifyNoise(anUpdate('aws_scheduler_schedule', [aDiff('schedule_expression', one, other)]), {}),
    ).not.toMatchObject({ classification: 'novel' });
  });

  test('number weekdays from Sunday as 1', () => {
    expect(awsCronForm('cron(0 6 ? * 2-6 *)')).not.toBe(awsCronForm('cron(0 6 ? * 1-5 *)'));
  });

  test.each(['cron(0 6 L * ? *)', 'cron(0 6 ? * MON#2 *)', 'cron(0 6 ? * 0 *)', 'cron(0 6 * * *)'])(
    '%s has no form',
    (text) => {
      expect(awsCronForm(text)).toBeNull();
    },
  );
});

describe('URLs', () => {
  test.each([
    ['https://CI.example.com:443/hook', 'https://ci.example.com/hook'],
    ['HTTP://a.example.com/', 'http://a.example.com'],
  ])('%s and %s lead to the same place', (one, other) => {
    expect(urlForm(one)).toBe(urlForm(other));
  });

  test.each([
    ['https://a.example.com/Hook', 'https://a.example.com/hook'],
    ['https://a.example.com:80', 'https://a.example.com'],
    ['https://a.example.com/x/', 'https://a.example.com/x'],
  ])('%s and %s do not', (one, other) => {
    expect(urlForm(one)).not.toBe(urlForm(other));
  });

  test('that are compared letter by letter, such as callbacks, are not proven equal', () => {
    const classify = (path: string) =>
      classifyNoise(anUpdate('acme_app', [aDiff(path, 'https://a.example.com', 'https://a.example.com/')]), {})
        .classification;

    expect(classify('endpoint')).toBe('likely_benign');
    expect(classify('redirect_uri')).toBe('novel');
  });
});

test('amounts are compared in their units', () => {
  expect(isSameDuration('PT30S', '30s')).toBe(true);
  expect(isSameDuration('3 days', '72h')).toBe(true);
  expect(isSameDuration('P1M', '30d')).toBe(false);
  expect(isSameSize('1024Mi', '1 GiB')).toBe(true);
  expect(isSameSize('1024M', '1Gi')).toBe(false);
  expect(isSameInstant('2026-01-01T09:00:00+01:00', '2026-01-01 08:00:00 +0000 UTC')).toBe(true);
  expect(isSameInstant('2026-01-01T09:00:00+01:00', '2026-01-01T09:00:00Z')).toBe(false);
});

test('a list of blocks in a text has no order, unlike one of single addresses', () => {
  expect(isSameBlockList('10.0.0.0/8,192.168.0.0/16', '192.168.0.0/16, 10.0.0.0/8')).toBe(true);
  expect(isSameBlockList('10.0.0.0/8,192.168.0.0/16', '192.168.0.0/16, 10.0.0.0/7')).toBe(false);
  expect(isSameBlockList('10.0.0.1,10.0.0.2', '10.0.0.2,10.0.0.1')).toBe(false);
});

describe('configuration files', () => {
  test('with directives are the same with other white space and comments', () => {
    const form = directivesForm('server {\n  listen 80;\n}\n');

    expect(form).not.toBeNull();
    expect(directivesForm('# site\nserver {\n\tlisten   80;\n}')).toBe(form);
    expect(directivesForm('server {\n  listen 8 0;\n}\n')).not.toBe(form);
    expect(directivesForm('log_format a"b";\n')).toBeNull();
    expect(directivesForm('fsync = on\n')).toBeNull();
  });

  test('with lines keep the white space of values', () => {
    expect(settingLinesForm('# a\nfsync   on\n')).toBe(settingLinesForm('  fsync on'));
    expect(settingLinesForm('match a  b')).not.toBe(settingLinesForm('match a b'));
  });
});

test('sets are known from schemas of providers', () => {
  expect(findSchemaSets('vault_kubernetes_auth_backend_role')).toContain('bound_service_account_namespaces');
  expect(findSchemaSets('acme_role')).toEqual([]);
  expect(findSchemaSets('constructor_role')).toEqual([]);
});
