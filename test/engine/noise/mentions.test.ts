import { describe, expect, test } from '@jest/globals';
import { normalizeChange } from '../../../engine/changes/normalize.ts';
import { createMentions } from '../../../engine/noise/mentions.ts';
import { unchanged } from './cases/build-case.ts';

function collect(values: Record<string, unknown>, mode = 'managed') {
  const mentions = createMentions();
  mentions.observe(normalizeChange(unchanged('acme_thing', values, mode)));
  return mentions;
}

describe('a key is named', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['by a whole text', 'git_sha', { group_by: 'git_sha' }],
    ['in another letter case', 'GitSha', { group_by: 'gitsha' }],
    ['in a condition', 'pipeline_run', { policy: '{"aws:ResourceTag/pipeline_run":"1"}' }],
    ['in a path', 'git_sha', { source: 'metadata.labels.git_sha' }],
    ['with other separators', 'ci.example.com/build', { query: 'label_ci_example_com_build' }],
    ['as a key of a selector', 'build', { spec: [{ selector: { build: '1' } }] }],
    ['as a key of labels that are matched', 'build', { match: [{ labels: { build: '1' } }] }],
    ['in a script in base64', 'git_sha', { user_data: Buffer.from('echo "$git_sha" > /x').toString('base64') }],
  ])('%s: %s', (_, key, values) => {
    expect(collect(values).has(key)).toBe(true);
  });

  test('by the tags with which a data source searches', () => {
    expect(collect({ tags: { git_sha: '1' } }, 'data').has('git_sha')).toBe(true);
  });

  test('possibly, if the values are nested too deeply to be read', () => {
    let nested: unknown = 'x';
    for (let i = 0; i < 70; i++) nested = [nested];

    expect(collect({ nested }).has('git_sha')).toBe(true);
  });

  test('possibly, if the plan contains too many names to keep', () => {
    const names = Array.from({ length: 20_001 }, (_, i) => `build-${i}`);

    expect(collect({ names }).has('git_sha')).toBe(true);
    expect(collect({ names: names.slice(2) }).has('git_sha')).toBe(false);
  });

  test('possibly, after a thousand other keys', () => {
    const mentions = collect({ name: 'a' });
    const keys = Array.from({ length: 1_001 }, (_, i) => `build_${i}`);

    expect(keys.filter(mentions.has)).toEqual(['build_1000']);
  });
});

describe('a key is not named', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['by the tags of a resource', 'git_sha', { tags: { git_sha: '1' }, tags_all: { git_sha: '1' } }],
    ['by the labels of an object', 'build', { metadata: [{ labels: { build: '1' }, annotations: { build: '1' } }] }],
    ['by tags that a group copies', 'git_sha', { tag: [{ key: 'git_sha', value: '1', propagate_at_launch: true }] }],
    ['by the name of an attribute', 'revision', { revision: 4 }],
    ['by a part of a word', 'build', { name: 'codebuild-rebuilder' }],
    ['by a part of a name', 'build', { name: 'build-agents' }],
    ['by a longer key', 'git_sha', { group_by: 'legit_sha' }],
  ])('%s: %s', (_, key, values) => {
    expect(collect(values).has(key)).toBe(false);
  });
});

test('a name that is found after a lookup counts from then on', () => {
  const mentions = collect({ name: 'a' });
  expect(mentions.has('git_sha')).toBe(false);

  mentions.observe(normalizeChange(unchanged('acme_thing', { group_by: 'git_sha' })));

  expect(mentions.has('git_sha')).toBe(true);
});
