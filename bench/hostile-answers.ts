import { applyProposals, buildPrompt, narrativeWith, readAnswer, readClassifyAnswer } from '../engine/explain/index.ts';
import { analyzePlan, type PlanAnalysis } from '../engine/index.ts';
import { cpuMs } from './cpu.ts';
import type { BenchRow } from './row.ts';

const MAX_MS = 2_000;
/** As many characters as an answer may have; openapi and engine/explain/strict-json.ts. */
const ROOM = 65_000;
const FIELD = 8_000;
const SENTENCE = 490;
const CHANGES = 5_000;

interface Shape {
  what: string;
  answer: string;
}

/** P10: what it takes to read the worst answers of a model, as much as the service accepts, about a plan of 5,000 changes. */
export async function benchHostileAnswers(): Promise<BenchRow[]> {
  const analysis = analyzePlan(Buffer.from(planOfNames(CHANGES)));
  const shapes = narratives(analysis);
  for (const { answer } of shapes.slice(0, 4)) explain(analysis, answer);
  const rows = shapes.map(({ what, answer }) => ({ what, ms: cpuMs(() => explain(analysis, answer)) }));
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

/** What a thread of the service does with an answer. */
function explain(analysis: PlanAnalysis, answer: string): unknown {
  const { known } = buildPrompt(analysis, { send_values: 'redacted' });
  const reading = readAnswer(answer, analysis, known);
  readClassifyAnswer(answer, 50);
  if ('unusable' in reading) return reading.unusable;
  return narrativeWith(applyProposals(analysis, reading.proposals, reading.overall), reading);
}

/** Addresses with quotes and blanks in them, each the beginning of another, destroyed and updated. */
function planOfNames(changes: number): string {
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

function narratives(analysis: PlanAnalysis): Shape[] {
  const address = analysis.changes[0]?.address ?? '';
  const addresses = analysis.changes.map((change) => change.address);
  const texts: [string, string][] = [
    ['one sentence', 'word '.repeat(13_000)],
    ['sentences of two letters', 'Ab cd. '.repeat(9_000)],
    ['sentences of the plan', 'The plan destroys 2500 resources and creates 2500 others of one type. '.repeat(900)],
    ['negations and hyphens', sentencesOf('No ', '- ')],
    ['negations', sentencesOf('', 'no ')],
    ['negated words', sentencesOf('No ', "a-b'c ")],
    ['advice that never ends', sentencesOf('You can ', 'just now ')],
    ['counts', sentencesOf('', 'one two three four five ')],
    ['levels', sentencesOf('', 'the risk level of the plan is still ')],
    ['hazards and tools', sentencesOf('', 'tool safe lost rating summary ')],
    ['soothing words', sentencesOf('', 'hardly any without low ')],
    ['letters', sentencesOf('Ab ', 'destroydestroy')],
    ['opened code', '`a '.repeat(20_000)],
    ['opened code of three lengths', '`a ``b ```c '.repeat(5_000)],
    ['opened emphasis', '**a __b *c '.repeat(5_500)],
    ['blanks', ' '.repeat(ROOM)],
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
      { what: `${what}, everywhere`, answer: everywhere(text, addresses) },
      { what: `${what}, in one text`, answer: answerOf({ what_will_happen: text.slice(0, ROOM) }) },
    ]),
    { what: 'nested lists', answer: '['.repeat(ROOM) },
    { what: 'keys', answer: `{${Array.from({ length: 7_000 }, (_, i) => `"k${i}":1`).join(',')}}` },
    { what: 'quotes that do not end', answer: '"\\'.repeat(ROOM / 2) },
    { what: 'a fence that does not end', answer: `\`\`\`json\n${'\n'.repeat(ROOM)}` },
    {
      what: '300 proposals',
      answer: answerOf({
        proposals: addresses
          .slice(0, 300)
          .map((address) => ({ address, level: 'critical', reason: 'It destroys data.' })),
      }),
    },
    {
      what: 'one address again and again',
      answer: answerOf({ notes: Array.from({ length: 300 }, () => ({ address, note: 'It is destroyed.' })) }),
    },
    { what: 'ticks around an address', answer: answerOf({ notes: [{ address: '`'.repeat(60_000), note: 'a' }] }) },
  ];
}

function answerOf(members: Record<string, unknown>): string {
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

/** Sentences of as many characters as a sentence may have, over and over. */
function sentencesOf(beginning: string, fragment: string): string {
  const sentence = beginning + fragment.repeat(Math.floor((SENTENCE - beginning.length) / fragment.length));
  return `${sentence.trim()}. `.repeat(Math.floor(ROOM / SENTENCE));
}

/** The text in pieces in every field, as much of it as there is room for. */
function everywhere(text: string, addresses: readonly string[]): string {
  const pieces: string[] = [];
  const room = ROOM - 2_000;
  for (let at = 0; at < Math.min(text.length, room); at += FIELD)
    pieces.push(text.slice(at, Math.min(at + FIELD, room)));
  const [what = '', why = '', first = '', second = '', third = '', ...rest] = pieces;
  const answer = (notes: string[]) =>
    answerOf({
      what_will_happen: what,
      why_it_matters: why,
      what_to_check: [first, second],
      overall: { level: 'critical', reason: third },
      notes: notes.map((note, i) => ({ address: addresses[i], note })),
    });
  const whole = answer(rest);
  return whole.length <= 65_536 ? whole : answer([]);
}
