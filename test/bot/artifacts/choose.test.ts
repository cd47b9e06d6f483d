import { describe, expect, test } from '@jest/globals';
import { buildFileFilter, chooseArtifacts } from '../../../bot/artifacts/choose.ts';
import { readRepoSettings } from '../../../bot/artifacts/settings.ts';
import { compileGlob } from '../../../server/lib/globs.ts';

const { settings: USUAL } = readRepoSettings(null);

function artifact(name: string, id = '1', size: number | null = null) {
  return { id, name, size };
}

function namesChosen(names: string[], artifacts = USUAL.artifacts): string[] {
  return chooseArtifacts(
    names.map((name, i) => artifact(name, String(i))),
    { artifacts },
  ).chosen.map(({ name }) => name);
}

describe('the artifacts that are opened', () => {
  test('have the default names', () => {
    const usual = ['net.tfplan.json', 'plan', 'plan-prod', 'plan: [modules/net, prod]', 'tfplan', 'tfplan.json'];

    expect(namesChosen([...usual, 'coverage', 'my-plan', 'Plan', 'a/plan'])).toEqual(usual);
  });

  test('match a glob, or can contain a file that matches a glob', () => {
    const names = ['infra', 'infra-prod', 'other'];

    expect(namesChosen(names, ['infra-*'])).toEqual(['infra-prod']);
    expect(namesChosen(names, ['infra/**/tfplan.json'])).toEqual(['infra']);
    expect(namesChosen(names, ['*/tfplan.json'])).toEqual(names);
    expect(namesChosen(names, ['**/tfplan.json'])).toEqual(names);
    expect(namesChosen(names, ['{infra,other}', '!infra', '#infra', '+(infra)'])).toEqual([]);
  });

  test('are the newest of their name', () => {
    const { chosen } = chooseArtifacts(
      [artifact('plan', '99'), artifact('plan', '101'), artifact('plan', '100')],
      USUAL,
    );

    expect(chosen).toEqual([artifact('plan', '101')]);
  });

  test('are at most 50, with 200 MiB in total', () => {
    const many = Array.from({ length: 52 }, (_, i) => artifact(`plan-${String(i).padStart(2, '0')}`));
    const large = [1, 2, 3, 4, 5].map((i) => artifact(`plan-${i}`, '1', 49 * 1_048_576));

    expect(chooseArtifacts(many, USUAL)).toMatchObject({ chosen: { length: 50 }, left_out: ['plan-50', 'plan-51'] });
    expect(chooseArtifacts(large, USUAL).left_out).toEqual(['plan-5']);
  });
});

describe('the files that are read', () => {
  test('are all files of an artifact that a glob names, and the matching files of all others', () => {
    const settings = { artifacts: ['infra/a.json', 'plan*'] };

    expect(buildFileFilter(artifact('plan: a/b'), settings)).toEqual({ name: 'plan: a_b', patterns: null });
    expect(buildFileFilter(artifact('infra'), settings)).toEqual({ name: 'infra', patterns: settings.artifacts });
  });
});

test('every accepted glob matches in bounded time', () => {
  const path = `${'a'.repeat(250)}/${'a'.repeat(240)}.json`;
  for (const glob of ['*a*b', '**/*a*b/**/c', `${'a*/'.repeat(60)}b`, `${'?'.repeat(199)}b`, '[a-z]*[a-z]*b']) {
    expect(compileGlob(glob).matches(path)).toBe(false);
  }
});
