import {
  addExplanation,
  applyProposals,
  buildPrompt,
  readAnswer,
  readClassifyAnswer,
} from '../../engine/explain/index.ts';
import { analyzePlan, type PlanAnalysis } from '../../engine/index.ts';
import type { BenchRow } from '../lib/row.ts';
import { measureCpuMs } from '../lib/time.ts';

const MAX_MS = 2_000;
/** Maximum length of a model's answer; see openapi.yaml and engine/explain/strict-json.ts. */
const MAX_CHARACTERS = 65_000;
const FIELD_CHARACTERS = 8_000;
const SENTENCE_CHARACTERS = 490;
const CHANGES = 5_000;

interface Shape {
  what: string;
  answer: string;
}

/**
 * P10: the time to read the worst answers of a model, as long as the service accepts, about a plan of 5,000 changes.
 */
export async function benchHostileAnswers(): Promise<BenchRow[]> {
  const analysis = analyzePlan(Buffer.from(buildPlan(CHANGES)));
  const shapes = buildShapes(analysis);
  for (const { answer } of shapes.slice(0, 4)) explain(analysis, answer);
  const rows = shapes.map(({ what, answer }) => ({ what, ms: measureCpuMs(() => explain(analysis, answer)) }));
  const slowest = rows.toSorted((a, b) => b.ms - a.ms);
  const measured = slowest[0]?.ms ?? 0;
  return [
    {
      id: 'P10',
      what: `the worst of ${rows.length} hostile answers of 65,000 characters about ${CHANGES} changes`,
      limit: MAX_MS,
      measured,
      unit: 'ms',
      goal: `≤ ${MAX_MS} ms CPU for each job`,
      passed: measured <= MAX_MS,
      note: slowest
        .slice(0, 5)
        .map(({ what, ms }) => `${what} ${ms.toFixed(0)} ms`)
        .join(', '),
    },
  ];
}

/** Processes an answer as a plan thread does. */
function explain(analysis: PlanAnalysis, answer: string): unknown {
  const { known } = buildPrompt(analysis, { send_values: 'redacted' });
  const reading = readAnswer(answer, analysis, known);
  readClassifyAnswer(answer, 50);
  if ('unusable' in reading) return reading.unusable;
  return addExplanation(applyProposals(analysis, reading.proposals, reading.overall), reading);
}

/** Addresses with quotes and spaces, each a prefix of another, deleted and updated. */
function buildPlan(changes: number): string {
  const entries = Array.from({ length: changes }, (_, i) => {
    const address = `aws_instance.web["${'a '.repeat(i % 60)}${i}"]`;
    const change =
      i % 2 === 0
        ? { actions: ['delete'], before: { id: 'x' }, after: null }
        : { actions: ['create'], before: null, after: { id: 'x' } };
    return { address, type: 'aws_instance', name: 'web', mode: 'managed', change };
  });
  return JSON.stringify({ format_version: '1.2', resource_changes: entries });
}

function buildShapes(analysis: PlanAnalysis): Shape[] {
  const address = analysis.changes[0]?.address ?? '';
  const addresses = analysis.changes.map((change) => change.address);
  const texts: [string, string][] = [
    ['one sentence', 'word '.repeat(13_000)],
    ['sentences of two letters', 'Ab cd. '.repeat(9_000)],
    ['sentences of the plan', 'The plan destroys 2500 resources and creates 2500 others of one type. '.repeat(900)],
    ['negations and hyphens', repeatSentence('No ', '- ')],
    ['negations', repeatSentence('', 'no ')],
    ['negated words', repeatSentence('No ', "a-b'c ")],
    ['advice that never ends', repeatSentence('You can ', 'just now ')],
    ['counts', repeatSentence('', 'one two three four five ')],
    ['levels', repeatSentence('', 'the risk level of the plan is still ')],
    ['hazards and tools', repeatSentence('', 'tool safe lost rating summary ')],
    ['soothing words', repeatSentence('', 'hardly any without low ')],
    ['letters', repeatSentence('Ab ', 'destroydestroy')],
    ['opened code', '`a '.repeat(20_000)],
    ['opened code of three lengths', '`a ``b ```c '.repeat(5_000)],
    ['opened emphasis', '**a __b *c '.repeat(5_500)],
    ['blanks', ' '.repeat(MAX_CHARACTERS)],
    ['lines', 'a\n'.repeat(30_000)],
    ['dashes', ' \u2014'.repeat(15_000)],
    ['exclamation marks', `${'!'.repeat(30_000)} a`],
    ['dots', 'a.'.repeat(30_000)],
    ['addresses of the plan', addresses.join(' ')],
    ['beginnings of addresses', 'aws_instance.web["a a a a a a a a '.repeat(1_900)],
    ['a name of many dots in code', `\`${'a.'.repeat(3_990)}\``],
    ['numbers', '1,234.5 '.repeat(8_000)],
    ['base64', 'QUtJQUFCQ0RFRkdISUpLTE1OT1A='.repeat(2_300)],
    ['secrets', 'token=token=password: '.repeat(2_900)],
  ];
  return [
    ...texts.flatMap(([what, text]) => [
      { what: `${what}, everywhere`, answer: fillEveryField(text, addresses) },
      { what: `${what}, in one text`, answer: buildAnswer({ what_will_happen: text.slice(0, MAX_CHARACTERS) }) },
    ]),
    { what: 'nested lists', answer: '['.repeat(MAX_CHARACTERS) },
    { what: 'keys', answer: `{${Array.from({ length: 7_000 }, (_, i) => `"k${i}":1`).join(',')}}` },
    { what: 'unterminated quotes', answer: '"\\'.repeat(MAX_CHARACTERS / 2) },
    { what: 'an unterminated code fence', answer: `\`\`\`json\n${'\n'.repeat(MAX_CHARACTERS)}` },
    {
      what: '300 proposals',
      answer: buildAnswer({
        proposals: addresses
          .slice(0, 300)
          .map((address) => ({ address, level: 'critical', reason: 'It destroys data.' })),
      }),
    },
    {
      what: 'one repeated address',
      answer: buildAnswer({ notes: Array.from({ length: 300 }, () => ({ address, note: 'It is destroyed.' })) }),
    },
    {
      what: 'backticks around an address',
      answer: buildAnswer({ notes: [{ address: '`'.repeat(60_000), note: 'a' }] }),
    },
  ];
}

function buildAnswer(members: Record<string, unknown>): string {
  const empty = {
    what_will_happen: 'A plan.',
    why_it_matters: '',
    what_to_check: [],
    notes: [],
    proposals: [],
    overall: null,
  };
  return JSON.stringify({ ...empty, ...members });
}

/** Sentences of maximum length, repeated. */
function repeatSentence(beginning: string, fragment: string): string {
  const sentence = beginning + fragment.repeat(Math.floor((SENTENCE_CHARACTERS - beginning.length) / fragment.length));
  return `${sentence.trim()}. `.repeat(Math.floor(MAX_CHARACTERS / SENTENCE_CHARACTERS));
}

/** Repeats the text in every field, as long as the field allows. */
function fillEveryField(text: string, addresses: readonly string[]): string {
  const pieces: string[] = [];
  const limit = MAX_CHARACTERS - 2_000;
  for (let at = 0; at < Math.min(text.length, limit); at += FIELD_CHARACTERS)
    pieces.push(text.slice(at, Math.min(at + FIELD_CHARACTERS, limit)));
  const [what = '', why = '', first = '', second = '', third = '', ...rest] = pieces;
  const answer = (notes: string[]) =>
    buildAnswer({
      what_will_happen: what,
      why_it_matters: why,
      what_to_check: [first, second],
      overall: { level: 'critical', reason: third },
      notes: notes.map((note, i) => ({ address: addresses[i], note })),
    });
  const whole = answer(rest);
  return whole.length <= 65_536 ? whole : answer([]);
}
