import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findEffect } from '../../../engine/effects/index.ts';
import { PROVIDERS } from '../../../tools/effects/providers.ts';
import { readReviewed } from '../../../tools/effects/reviewed.ts';

const FOLDER = join(import.meta.dirname, '../../../tools/effects/reviewed');

function read(text: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'reviewed-')), 'acme.txt');
  writeFileSync(file, text);
  return readReviewed(file);
}

describe('readReviewed', () => {
  test('the most specific section wins, then the last line', () => {
    const reviewed = read('acme_a\n  mode guard true\n  mode guard false\n*\n  *.mode tuning\n');

    expect(reviewed.find('acme_a', 'mode')).toMatchObject({ effect: 'guard', safe_end: 'false' });
    expect(reviewed.find('acme_b', 'block.mode')).toMatchObject({ effect: 'tuning', safe_end: null });
    expect(reviewed.find('acme_b', 'model')).toBeUndefined();
  });

  test('reads ordered values and sentinels', () => {
    const reviewed = read('# comment\nacme_a acme_b\n  tls encryption 1.0<1.2\n  days retention more 0=most\n');

    expect(reviewed.find('acme_b', 'tls')?.safe_end).toEqual(['1.0', '1.2']);
    expect(reviewed.find('acme_b', 'days')?.sentinel).toEqual({ value: 0, as: 'most' });
    expect(reviewed.isRead('acme_b')).toBe(true);
    expect(reviewed.isRead('acme_c')).toBe(false);
  });

  test('lists corrections that no argument has', () => {
    const reviewed = read('acme_a\n  gone guard\n  here guard\n');

    reviewed.find('acme_a', 'here');

    expect(reviewed.listUnused()).toEqual(['acme_a: gone']);
  });

  test.each(['acme_a\n  mode nonsense', 'acme_a\n  mode guard sideways'])(
    'names the line that is wrong in %j',
    (text) => {
      expect(() => read(text)).toThrow(/^line 2: /);
    },
  );
});

test('every file of corrections is well-formed and belongs to a provider', () => {
  const names = readdirSync(FOLDER).map((file) => file.replace('.txt', ''));

  for (const name of names) {
    expect(['all', ...PROVIDERS.map((provider) => provider.name)]).toContain(name);
    expect(() => readReviewed(join(FOLDER, `${name}.txt`))).not.toThrow();
  }
});

test('a correction is in the table', () => {
  const correction = readReviewed(join(FOLDER, 'github.txt')).find('github_team', 'privacy');

  expect(findEffect('github_team', 'privacy')).toMatchObject({
    effect: correction?.effect,
    safe_end: correction?.safe_end,
  });
});
