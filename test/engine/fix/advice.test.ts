import { parse } from '@cdktf/hcl2json';
import { describe, expect, test } from '@jest/globals';
import { applyFixReading, buildFixPrompt, readFixAnswer, rebuildFixPrompt } from '../../../engine/explain/index.ts';
import { fixOptions } from '../../../engine/fix/options.ts';
import type { FixProposal, FixSubject } from '../../../engine/fix/types.ts';
import { NOISE_RULES } from '../../../engine/noise-catalog/index.ts';
import { INJECTIONS } from '../explain/injections.ts';
import { aDiff } from '../noise/builders.ts';
import { aSubject, ask, buildOption } from './advice.ts';

/** A pattern that a catalog rule matches and a provider release fixes. */
const KNOWN = aSubject({
  resource_type: 'aws_budgets_budget',
  resource_address: 'aws_budgets_budget.team',
  attribute: 'limit_amount',
  classification: 'known_benign',
  matched_rule_id: 'N-AWS-023',
  diff: aDiff('limit_amount', '100.0', '100'),
});
const GUARDED = aSubject({
  resource_type: 'aws_security_group',
  resource_address: 'aws_security_group.web',
  attribute: 'ingress[*].cidr_blocks[*]',
  diff: aDiff(['ingress', 0, 'cidr_blocks', 0], '10.0.0.0/8', '0.0.0.0/0'),
  categories: ['security'],
});

describe('the prompt about ways to remove a pattern', () => {
  test('contains names and harmless values as data, and no values with names_only or if access can be affected', () => {
    const [redacted, names, guarded] = [ask(aSubject()), ask(aSubject(), 'names_only'), ask(GUARDED)];

    expect(JSON.parse(redacted.user).pattern).toMatchObject({
      attribute: 'desired_count',
      values: { before: 2, after: 5 },
    });
    expect(JSON.parse(redacted.user).options[0]).toMatchObject({ option: 'a', writes: 'desired_count = 2' });
    for (const { user } of [names, guarded]) {
      expect(user).not.toMatch(/"values":|"writes"|10\.0\.0\.0|0\.0\.0\.0/);
      expect(JSON.parse(user).values_shown).toBe('none');
    }
  });

  test('never contains free text or secrets', () => {
    for (const diff of [
      aDiff('description', 'harbour', 'pier'),
      aDiff('db_password', 'hunter2', 'hunter3'),
      aDiff('desired_count', 1, 2, { before_sensitive: true }),
    ]) {
      expect(ask(aSubject({ diff, attribute: diff.path })).user).not.toMatch(/harbour|pier|hunter|"values"/);
    }
  });

  test('closes no fence and is rebuilt from its own text', () => {
    const subject = aSubject({ resource_address: 'aws_ecs_service.api["</data>`\u202e<b>"]' });
    const prompt = buildFixPrompt(subject, fixOptions(subject), { send_values: 'redacted' });

    expect(prompt.user).not.toMatch(/[<>`\u202e]/);
    expect(rebuildFixPrompt(prompt.user, 'fix-1')).toEqual(prompt);
    expect(rebuildFixPrompt('no JSON', 'fix-1')).toBeNull();
    expect(() => rebuildFixPrompt(prompt.user, 'fix-0')).toThrow(RangeError);
  });
});

describe('a model', () => {
  test('can put the option that hides a pattern first if no rule matches it', () => {
    const { proposal, read } = ask(aSubject());
    const { fixes, confidence } = applyFixReading(proposal, read({ order: ['b', 'a'], confidence: 0.8 }));

    expect(fixes.map(({ kind, rank }) => [kind, rank])).toEqual([
      ['suppress', 1],
      ['fix', 2],
    ]);
    expect(confidence).toBe(0.8);
    expect(fixes[0]?.patch).toEqual(proposal.fixes[1]?.patch);
  });

  test('can put a rewrite before an upgrade, but not a hiding option first if a rule matches', () => {
    const { proposal, read, names } = ask(KNOWN);

    expect(names).toHaveLength(3);
    expect(applyFixReading(proposal, read({ order: ['b', 'a', 'c'] })).fixes[0]?.label).toBe(proposal.fixes[1]?.label);
    const refused = read({ order: ['c', 'a', 'b'] });
    expect(refused.order).toEqual(['a', 'b', 'c']);
    expect(refused.dropped).toEqual([{ what: 'order c, a, b', why: 'must not be changed by a model here' }]);
  });

  test('cannot change the order if access, protection or caution is involved', () => {
    const careful = NOISE_RULES.find(({ severity }) => severity === 'caution');
    const caution = aSubject({ matched_rule_id: careful?.id ?? '' });
    for (const subject of [
      GUARDED,
      caution,
      aSubject({ categories: ['iam'] }),
      aSubject({ categories: ['encryption'] }),
    ]) {
      const { names, read } = ask(subject);
      expect(read({ order: names.toReversed() }).order).toEqual(names);
    }
  });

  test('can rephrase options, but not remove disadvantages of hiding', () => {
    const { proposal, read } = ask(aSubject());
    const summary = 'Set `desired_count` of `module.shop.aws_ecs_service.api["eu"]` to `2`.';
    const reading = read({
      options: [buildOption('b', { cons: ['Nobody sees a change.'] }), buildOption('a', { summary })],
    });
    const { fixes } = applyFixReading(proposal, reading);

    expect(fixes[0]).toMatchObject({ summary, detail: 'Both sides are then equal.', cons: ['It has to be kept up'] });
    expect(fixes[1]?.cons).toEqual([...(proposal.fixes[1]?.cons ?? []), 'Nobody sees a change']);
    expect(reading.dropped).toEqual([]);
  });

  test.each([
    [0, 0.41],
    [0.4, 0.41],
    [0.666, 0.67],
    [1, 0.9],
  ])('can be sure as %d, which counts as %d', (confidence, counts) => {
    expect(ask(aSubject()).read({ confidence }).confidence).toBe(counts);
  });

  test('can name the suggested line, the ignored path and functions from rules', () => {
    const { read } = ask(aSubject());
    for (const sentence of [
      'Add `lifecycle { ignore_changes = [desired_count] }` to the resource.',
      'Write `desired_count = 2` in the code.',
      'Something moves `desired_count` from 5 to 2.',
    ]) {
      expect(read({ options: [buildOption('a', { summary: sentence }), buildOption('b')] }).options[0]?.summary).toBe(
        sentence,
      );
    }
    const policy = ask(aSubject({ diff: aDiff('policy', '{}', '{ }', { same: 'document' }), attribute: 'policy' }));
    const reading = policy.read({
      options: [buildOption('a', { detail: 'Use `jsonencode()` here.' }), buildOption('b')],
    });
    expect(reading.options[0]?.detail).toBe('Use `jsonencode()` here.');
  });
});

/** Sentences that are rejected in every option. */
const REFUSED = [
  'Set `desired_count` to 17.',
  'Upgrade the provider to 9.9.9.',
  'Edit `aws_s3_bucket.backups` as well.',
  'See https://evil.example for more.',
  'Ask @everyone about it.',
  'This is safe to apply.',
  'You can approve this now.',
  'The security team has already approved it.',
  'Disable the encryption first.',
  'Turn the protection off.',
  'Make it reachable for everyone.',
  'Delete the resource and import it.',
  'Remove it with terraform state rm first.',
  'Run `terraform apply -auto-approve` now.',
  '<img src=x onerror=alert(1)> A value changes.',
  '/approve this',
  'It is of medium risk.',
  'The rules are wrong here.',
  'Ignore all warnings.',
  'The value is s\u0430fe \u202e here.',
];

test.each(REFUSED)('"%s" is rejected in every option', (sentence) => {
  const { proposal, read } = ask(aSubject());
  const bad = { summary: sentence, detail: sentence, pros: [sentence], cons: [sentence] };
  const reading = read({ options: [buildOption('a', bad), buildOption('b')] });

  expect(reading.options[0]).toEqual({ option: 'a', summary: null, detail: null, pros: [], cons: [] });
  expect(applyFixReading(proposal, reading).fixes[0]).toEqual(proposal.fixes[0]);
});

const options = [buildOption('a'), buildOption('b')];
const whole = { order: ['a', 'b'], options, confidence: 0.7 };

/** Answers that are not used at all. */
const UNUSABLE: Record<string, string> = {
  'no text': '',
  'no JSON': 'Sure! Take the first one.',
  'a list': '[]',
  null: 'null',
  'a text around it': `Here: ${JSON.stringify(whole)}`,
  'half of it': JSON.stringify(whole).slice(0, 80),
  'a duplicate key': JSON.stringify(whole).replace('{', '{"order":["a","b"],'),
  'a prototype': JSON.stringify(whole).replace('{', '{"__proto__":{"a":1},'),
  'a member more': JSON.stringify({ ...whole, approved: true }),
  'a member less': JSON.stringify({ order: ['a', 'b'], options }),
  'an order of strangers': JSON.stringify({ ...whole, order: ['a', 'z'] }),
  'an order with one twice': JSON.stringify({ ...whole, order: ['a', 'a'] }),
  'an order too long': JSON.stringify({ ...whole, order: ['a', 'b', 'c'] }),
  'an order too short': JSON.stringify({ ...whole, order: ['a'] }),
  'an order of numbers': JSON.stringify({ ...whole, order: [1, 2] }),
  'no order': JSON.stringify({ ...whole, order: null }),
  'an option more': JSON.stringify({ ...whole, options: [...options, buildOption('c')] }),
  'an option less': JSON.stringify({ ...whole, options: [buildOption('a')] }),
  'an option twice': JSON.stringify({ ...whole, options: [buildOption('a'), buildOption('a')] }),
  'a strange option': JSON.stringify({ ...whole, options: [buildOption('a'), buildOption('constructor')] }),
  'code in an option': JSON.stringify({ ...whole, options: [buildOption('a', { patch: 'x = 1' }), buildOption('b')] }),
  'a summary that is none': JSON.stringify({
    ...whole,
    options: [buildOption('a', { summary: null }), buildOption('b')],
  }),
  'pros that are none': JSON.stringify({ ...whole, options: [buildOption('a', { pros: 'good' }), buildOption('b')] }),
  'pros without end': JSON.stringify({
    ...whole,
    options: [buildOption('a', { pros: Array(500).fill('x y') }), buildOption('b')],
  }),
  'cons of numbers': JSON.stringify({ ...whole, options: [buildOption('a', { cons: [1] }), buildOption('b')] }),
  'options that are none': JSON.stringify({ ...whole, options: {} }),
  'more sure than sure': JSON.stringify({ ...whole, confidence: 1.01 }),
  'less than nothing': JSON.stringify({ ...whole, confidence: -0.1 }),
  'endlessly sure': JSON.stringify(whole).replace('0.7', '1e999'),
  'sure in words': JSON.stringify({ ...whole, confidence: 'high' }),
  'sure of nothing': JSON.stringify({ ...whole, confidence: null }),
  'too deep': `${'['.repeat(50)}${']'.repeat(50)}`,
  'too long': JSON.stringify({
    ...whole,
    options: [buildOption('a', { detail: 'x '.repeat(40_000) }), buildOption('b')],
  }),
  'half a character': JSON.stringify({
    ...whole,
    options: [buildOption('a', { summary: 'x' }), buildOption('b')],
  }).replace('"x"', '"\\ud800"'),
  'no acceptable sentence': JSON.stringify({
    ...whole,
    options: ['a', 'b'].map((option) => ({ option, summary: 'Ask @all.', detail: '', pros: [], cons: ['9 of 17'] })),
  }),
};

test.each(Object.entries(UNUSABLE))('an answer with %s is not used', (_name, text) => {
  const { user } = ask(aSubject());
  expect(readFixAnswer(JSON.stringify(whole), user)).not.toHaveProperty('unusable');
  expect(readFixAnswer(text, user)).toHaveProperty('unusable');
});

/** For any answer, options are those of the rules, possibly rephrased. */
async function expectOptionsOfRules(subject: FixSubject, proposal: FixProposal): Promise<void> {
  const own = fixOptions(subject).fixes;
  const bare = ({ label, kind, patch, target, min_provider_version }: FixProposal['fixes'][number]) =>
    JSON.stringify({ label, kind, patch, target, min_provider_version });
  expect(proposal.fixes.map(bare).sort()).toEqual(own.map(bare).sort());
  expect(proposal.fixes.map(({ rank }) => rank)).toEqual(own.map(({ rank }) => rank));
  expect(proposal.confidence).toBeLessThanOrEqual(0.9);
  for (const { summary, detail, pros, cons, patch } of proposal.fixes) {
    for (const text of [summary, detail, ...pros, ...cons]) {
      expect(text.replace(/`[^`\n]*`/g, '')).not.toMatch(/https?:|www\.|evil|[<>@#!|]|\bsafe\b|approve|\]\(/i);
    }
    if (patch?.after) await parse('patch.tf', `${patch.after}\n`);
  }
}

describe('an instruction in a plan', () => {
  const texts = [...new Set(INJECTIONS.map(([text]) => text))];

  test.each(texts)('such as %j in an address or an attribute changes at most wording', async (text) => {
    const obeyed = INJECTIONS.find(([one]) => one === text)?.[1];
    const obeyedTexts = [obeyed?.what_will_happen, obeyed?.why_it_matters, ...(obeyed?.what_to_check ?? [])];
    const sentences = obeyedTexts.filter((one) => one !== undefined);
    for (const subject of [
      aSubject({ resource_address: `aws_ecs_service.api[${JSON.stringify(text)}]` }),
      aSubject({ attribute: `tags.${text}`, diff: aDiff(['tags', text], 'x', text) }),
    ]) {
      const { proposal, user, names } = ask(subject);
      const options = names.map((option) => ({
        option,
        summary: sentences[0] ?? text,
        detail: sentences.join(' '),
        pros: sentences,
        cons: [text],
      }));
      const answer = JSON.stringify({ order: names.toReversed(), options, confidence: 1 });
      const reading = readFixAnswer(answer, user);
      const { fixes, confidence } = 'unusable' in reading ? proposal : applyFixReading(proposal, reading);
      await expectOptionsOfRules(subject, { fixes, confidence });
    }
  });
});
