import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readRepoSettings } from '../../../bot/artifacts/settings.ts';

const DEFAULTS = { artifacts: ['tfplan*', 'plan*', '*.tfplan.json'] };

describe('the settings of a repository', () => {
  test.each([
    ['no file', null],
    ['an empty one', ''],
    ['one of comments', '# later\n'],
    ['one without globs', '{}'],
  ])('are the defaults with %s', (_, text) => {
    expect(readRepoSettings(text)).toEqual({ settings: DEFAULTS, problem: null });
  });

  test('contain globs in any YAML notation', () => {
    const settings = { artifacts: ['infra-*', 'plans/**/*.json'] };

    expect(readRepoSettings('artifacts:\n  - infra-*\n  - "plans/**/*.json" # all\n')).toEqual({
      settings,
      problem: null,
    });
    expect(readRepoSettings('\ufeffartifacts: [infra-*, plans/**/*.json]\r\n').settings).toEqual(settings);
    expect(readRepoSettings('{"artifacts": ["infra-*", "plans/**/*.json"]}').settings).toEqual(settings);
  });

  test('that are unknown are reported, and the others are used', () => {
    expect(readRepoSettings('artifacts: [a]\n"1": x\ncolor: red\n')).toEqual({
      settings: { artifacts: ['a'] },
      problem: '.drift.yml: "1", "color" are not known settings; only `artifacts` is supported.',
    });
  });

  test.each([
    ['is no YAML', 'artifacts: [a', 'line 1'],
    ['names a setting twice', 'artifacts: [a]\nartifacts: [b]', 'line 2'],
    ['has two documents', 'artifacts: [a]\n---\nb: 1', 'YAML'],
    ['has a tag', 'artifacts: !mine [a]', 'line 1'],
    ['uses an alias', 'artifacts: [&a x, *a]', 'in quotes'],
    ['is a list', '- a', 'contains no settings'],
    ['is text', 'artifacts', 'contains no settings'],
    ['has one glob that stands alone', 'artifacts: plan*', 'a list of 1 to 50 globs'],
    ['has no globs', 'artifacts: []', 'a list of 1 to 50 globs'],
    ['has nothing for globs', 'artifacts:', 'a list of 1 to 50 globs'],
    ['has a number for a glob', 'artifacts: [2024]', 'in quotes'],
    ['has too many globs', `artifacts: [${'a,'.repeat(51)}]`, 'a list of 1 to 50 globs'],
    ['has an empty glob', 'artifacts: [""]', 'empty'],
    ['has an endless glob', `artifacts: [${'a'.repeat(201)}]`, 'longer than 200 characters'],
    ['has a glob of many stars', 'artifacts: ["*a*a*"]', 'more than 2 `*` between two slashes'],
    ['has a glob of many folders', 'artifacts: ["**/a/**/b/**"]', 'more than 2 `**`'],
    ['is large', '# a\n'.repeat(5000), 'larger than 16384 bytes'],
    ['has a long line', `# ${'a'.repeat(300)}`, 'a line of more than 300 characters'],
    ['is all punctuation', '- - - -\n'.repeat(300), 'more than 1000 punctuation characters'],
  ])('are the defaults if the file %s, and the error is reported', (_, text, reason) => {
    const { settings, problem } = readRepoSettings(text);

    expect(settings).toEqual(DEFAULTS);
    expect(problem).toContain('.drift.yml is not used: ');
    expect(problem).toContain(reason);
  });

  test('are parsed or rejected quickly, whatever the file contains', () => {
    const token = fc.constantFrom(
      ...'-?:[]{},&*!|>"\'%@`# \n\ta',
      '- ',
      '? ',
      ': ',
      '\n  ',
      'a: ',
      '&a ',
      '*a',
      '<<: ',
      '---\n',
    );
    const line = fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join(''));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom('', '\n'), (lines, between) => {
        const piece = lines.join('\n') + between;
        const signs = piece.replace(/[\s#a]/g, '').length;
        const text = piece.repeat(Math.max(1, Math.floor(Math.min(16_000 / (piece.length || 1), 1000 / (signs || 1)))));
        // A slow parser would exceed the timeout of the test.
        expect(readRepoSettings(text).settings.artifacts.length).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });
});
