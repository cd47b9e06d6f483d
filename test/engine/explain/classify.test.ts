import { describe, expect, test } from '@jest/globals';
import { buildClassifyPrompt, readClassifyAnswer } from '../../../engine/explain/index.ts';
import { HOSTILE_NAMES } from '../render/builders.ts';

const pattern = (attribute: string) => ({
  provider: 'hashicorp/aws',
  resource_type: 'aws_lb_listener',
  attribute,
  change_shape: 'null_to_empty',
});
const PATTERNS = [pattern('tags_all'), pattern('default_action[*].order'), pattern('policy')];

describe('the question whether noise is benign', () => {
  test('tells provider, type, path and shape under a number', () => {
    const { user, inputs, prompt_version } = buildClassifyPrompt(PATTERNS);

    expect(JSON.parse(user).patterns[1]).toEqual({
      id: 2,
      provider: 'hashicorp/aws',
      resource_type: 'aws_lb_listener',
      attribute: 'default_action[*].order',
      shape: 'null_to_empty',
    });
    expect(inputs).toMatchObject({ char_count: user.length, resource_count: 3 });
    expect(prompt_version).toBe('classify-1');
  });

  test('asks about fifty at most, each of them short', () => {
    const { user } = buildClassifyPrompt(Array.from({ length: 90 }, () => pattern('a'.repeat(5_000))));

    expect(JSON.parse(user).patterns).toHaveLength(50);
    expect(user.length).toBeLessThan(24_000);
  });

  test.each(HOSTILE_NAMES)('a name stays within its quotes: %j', (name) => {
    const { user } = buildClassifyPrompt([pattern(name)]);

    expect(user).not.toMatch(/[<>`\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(JSON.parse(user).patterns[0].attribute).toBe(name);
  });
});

describe('the answer to it', () => {
  const answering = (...verdicts: unknown[]) => readClassifyAnswer(JSON.stringify({ verdicts }), PATTERNS);

  test('is one verdict for each pattern, and novel where none was given', () => {
    expect(answering({ id: 2, verdict: 'likely_benign' }, { id: 1, verdict: 'novel' })).toEqual({
      verdicts: ['novel', 'likely_benign', 'novel'],
    });
    expect(answering()).toEqual({ verdicts: ['novel', 'novel', 'novel'] });
  });

  test.each([
    ['nothing', ''],
    ['prose', 'They are all benign.'],
    ['a list', '[]'],
    ['no verdicts', '{}'],
    ['verdicts of another type', '{"verdicts":"likely_benign"}'],
    ['a further member', '{"verdicts":[],"risk":"none"}'],
    ['another verdict', '{"verdicts":[{"id":1,"verdict":"known_benign"}]}'],
    ['a verdict in capitals', '{"verdicts":[{"id":1,"verdict":"NOVEL"}]}'],
    ['text for a number', '{"verdicts":[{"id":"1","verdict":"novel"}]}'],
    ['a pattern of no plan', '{"verdicts":[{"id":4,"verdict":"likely_benign"}]}'],
    ['pattern nought', '{"verdicts":[{"id":0,"verdict":"likely_benign"}]}'],
    ['half a pattern', '{"verdicts":[{"id":1.5,"verdict":"likely_benign"}]}'],
    ['a pattern twice', '{"verdicts":[{"id":1,"verdict":"novel"},{"id":1,"verdict":"likely_benign"}]}'],
    ['a key twice', '{"verdicts":[{"id":1,"verdict":"novel","verdict":"likely_benign"}]}'],
    ['a verdict with more', '{"verdicts":[{"id":1,"verdict":"novel","why":"x"}]}'],
    ['null', '{"verdicts":[null]}'],
  ])('cannot be used when it is %s', (_, text) => {
    expect(readClassifyAnswer(text, PATTERNS)).toEqual({ unusable: expect.stringContaining('the answer') });
  });
});
