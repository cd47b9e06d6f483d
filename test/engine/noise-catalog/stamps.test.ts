import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readStampName, STAMP_TEXTS } from '../../../engine/noise-catalog/stamp-names.ts';
import { isHigherNumber, isLaterTime, isOtherHash, readTime } from '../../../engine/noise-catalog/stamp-values.ts';

describe('the name of a stamp', () => {
  test.each([
    ['pipeline_run', { run: true, time: false }],
    ['BuildNumber', { run: true, time: false }],
    ['git-sha', { run: true, time: false }],
    ['ci.example.com/build', { run: true, time: false }],
    ['app.kubernetes.io/revision', { run: true, time: false }],
    ['jenkins_job_id', { run: true, time: false }],
    ['last_run', { run: true, time: true }],
    ['deployed_sha', { run: true, time: true }],
    ['last_deployed', { run: false, time: true }],
    ['LastUpdatedAt', { run: false, time: true }],
    ['build_time', { run: false, time: true }],
  ])('%s allows %j', (key, allowed) => {
    expect(readStampName(key)).toEqual(allowed);
  });

  test.each([
    ...['image_tag', 'app_version', 'release', 'backup', 'last_backup', 'next_run', 'run_at', 'deploy_on', 'run_as'],
    ...['expires_at', 'timestamp', 'job', 'deployment', 'terraform', 'ci', 'updated_by', 'build_env', 'commit_owner'],
    ...['istio.io/rev', 'argocd.argoproj.io/revision', 'deployment.kubernetes.io/revision', '', '/', 'build/'],
  ])('%j is another name', (key) => {
    expect(readStampName(key)).toBeNull();
  });

  test('contains a text by which its readers are found', () => {
    const word = fc.constantFrom('ci', 'tf', 'last', 'id', 'job', 'run', 'git', 'sha', 'built', 'at', 'number', 'time');
    const key = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('_'));

    fc.assert(
      fc.property(key, (name) => {
        if (readStampName(name) !== null) expect(STAMP_TEXTS.some((text) => name.includes(text))).toBe(true);
      }),
    );
  });
});

describe('the value of a stamp', () => {
  test.each([
    ['2026-05-01', Date.UTC(2026, 4, 1)],
    ['2026-05-01T08:11:02Z', Date.UTC(2026, 4, 1, 8, 11, 2)],
    ['2026-05-01T08:11:02.123456+02:00', Date.UTC(2026, 4, 1, 6, 11, 2)],
    ['2026-05-01t08-11-02z', Date.UTC(2026, 4, 1, 8, 11, 2)],
    ['20260501081102', Date.UTC(2026, 4, 1, 8, 11, 2)],
    ['1777622400', 1_777_622_400_000],
    ['1777622400000', 1_777_622_400_000],
    ['2026-13-01', null],
    ['2026-05-01T25:00', null],
    ['nightly', null],
    ['8812', null],
  ])('%s is the instant %s', (text, instant) => {
    expect(readTime(text)).toBe(instant);
  });

  test('is a later time in one direction only', () => {
    const [may_1, may_2] = ['2026-05-01T23:30:00Z', '2026-05-02T01:00:00+01:00'];

    expect([isLaterTime(may_1, may_2), isLaterTime(may_2, may_1), isLaterTime(may_1, may_1)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each([
    ['8812', '8859', true],
    [8812, 8859, true],
    ['build-9', 'build-10', true],
    ['20260205.3', '20260205.4', true],
    ['20260205.3', '20260206.1', true],
    ['8859', '8812', false],
    ['8812', '8812', false],
    ['#8812', '8859', false],
    ['2026.11.1', '2026.11.2', false],
    ['v1', 'v2', false],
    [null, 1, false],
  ])('%j to %j is a higher number: %s', (before, after, is_higher) => {
    expect(isHigherNumber(before, after)).toBe(is_higher);
  });

  test.each([
    ['4f2c1d9', 'a81b77c', true],
    ['sha-4f2c1d9', 'sha-a81b77c', true],
    ['3b241101-e2bb-4255-8caf-4136c566a962', '5f0c1f0e-8a83-4f0c-9a51-0d8a1d7b2c11', true],
    ['4f2c1d9', 'a81b77c0', false],
    ['default', 'defacto', false],
    ['facade', 'decade', false],
    ['4411234', '4460234', false],
  ])('%s to %s is another hash: %s', (before, after, is_other) => {
    expect(isOtherHash(before, after)).toBe(is_other);
  });
});
