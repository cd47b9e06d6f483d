import { expect, test } from '@jest/globals';
import { findMainProvider, type Json } from '../../bench/score/corpus-plan.ts';

function change(provider_name: string, actions: string[], members: { [key: string]: Json } = {}): Json {
  return { mode: 'managed', type: 'x_y', provider_name, change: { actions }, ...members };
}

test.each<[string, string, Json[]]>([
  [
    'of most changes',
    'gcp',
    [change('a/aws', ['create']), change('a/google', ['update']), change('a/google', ['delete'])],
  ],
  ['of the first change if two have as many', 'aws', [change('a/aws', ['create']), change('a/google', ['create'])]],
  ['without no-ops', 'aws', [change('a/google', ['no-op']), change('a/aws', ['create'])]],
  ['without data sources', 'aws', [change('a/google', ['read'], { mode: 'data' }), change('a/aws', ['create'])]],
  ['of a move', 'vault', [change('a/vault', ['no-op'], { previous_address: 'x_y.old' })]],
  ['of a plan without changes, which has none', '-', [change('a/aws', ['no-op'])]],
])('the main provider is the one %s', (_what, provider, resource_changes) => {
  expect(findMainProvider({ resource_changes })).toBe(provider);
});

test('an import is a change', () => {
  const entry = { mode: 'managed', type: 'x_y', change: { actions: ['no-op'], importing: { id: '1' } } };

  expect(findMainProvider({ resource_changes: [entry] })).toBe('x');
});
