import type { FixOption, FixProposal } from '../fix/types.ts';
import { createDropped } from './dropped.ts';
import { type OptionAnswer, validateFixAnswer } from './fix-answer.ts';
import { FIX_CLAIM_CONTEXT } from './fix-claim-context.ts';
import { fixFacts } from './fix-facts.ts';
import type { FixProjection } from './fix-project.ts';
import { readProjection } from './fix-prompt.ts';
import { createNameFinder } from './names.ts';
import { type Reader, readSentences, takeFitting } from './read-sentences.ts';
import type { FixReading, Unusable } from './types.ts';

const MAX_SUMMARY = 300;
const MAX_DETAIL = 700;
const MAX_POINT = 200;
const MAX_POINTS = 3;
/** Confidence range with a model, above the range of rules alone. */
const CONFIDENCE = { min: 0.41, max: 0.9 } as const;

/**
 * Reads an answer to `buildFixPrompt`. It can reorder options if the prompt allows it, and rephrase them. Each sentence
 * is verified against the prompt; sentences that cannot be verified are dropped.
 *
 * @param user user message of the prompt
 * @returns `unusable` if the answer does not match the schema, or if no sentence remains
 */
export function readFixAnswer(text: string, user: string): FixReading | Unusable {
  const shown = readProjection(user);
  if (shown === null) return { unusable: 'the prompt cannot be parsed' };
  const names = shown.options.map(({ option }) => option);
  const answer = validateFixAnswer(text, names);
  if ('unusable' in answer) return answer;
  const known = fixFacts(shown);
  const reader: Reader = {
    known,
    finder: createNameFinder(known),
    context: FIX_CLAIM_CONTEXT,
    dropped: createDropped(),
  };
  const order = readOrder(answer.order, shown, reader);
  const options = names.map((name) =>
    readOption(
      answer.options.find(({ option }) => option === name),
      name,
      reader,
    ),
  );
  const has_text = options.some(
    ({ summary, detail, pros, cons }) => (summary ?? detail ?? pros[0] ?? cons[0]) !== undefined,
  );
  if (!has_text) return { unusable: 'the answer could not be verified against the pattern' };
  const confidence = Math.min(CONFIDENCE.max, Math.max(CONFIDENCE.min, Math.round(answer.confidence * 100) / 100));
  return { order, options, confidence, dropped: reader.dropped.list };
}

/** The order of the answer, if the prompt allows its first option to be first; otherwise the given order. */
function readOrder(answered: string[], { order_is_fixed, options }: FixProjection, { dropped }: Reader): string[] {
  const given = options.map(({ option }) => option);
  if (answered.every((name, i) => name === given[i])) return given;
  const may_be_first = options.find(({ option }) => option === answered[0])?.may_be_first === true;
  if (!order_is_fixed && may_be_first) return answered;
  dropped.add(`order ${answered.join(', ')}`, 'must not be changed by a model here');
  return given;
}

function readOption(answer: OptionAnswer | undefined, option: string, reader: Reader): FixReading['options'][number] {
  const { summary = '', detail = '', pros = [], cons = [] } = answer ?? {};
  return {
    option,
    summary: readText(summary, MAX_SUMMARY, reader),
    detail: readText(detail, MAX_DETAIL, reader),
    pros: readPoints(pros, reader),
    cons: readPoints(cons, reader),
  };
}

function readText(text: string, room: number, reader: Reader): string | null {
  const sentences = takeFitting(readSentences(text, reader), ({ markdown }) => markdown, room);
  return sentences.length === 0 ? null : sentences.map(({ markdown }) => markdown).join(' ');
}

/** Points have no final period. */
function readPoints(texts: readonly string[], reader: Reader): string[] {
  const points = texts.map((text) => readText(text, MAX_POINT, reader)?.replace(/\.$/, '') ?? '');
  return [...new Set(points)].filter((point) => point !== '').slice(0, MAX_POINTS);
}

/**
 * Applies the accepted order and texts to the options. Rejected parts keep the text of the rules. The disadvantages of
 * an option that hides the difference are only extended, never removed.
 */
export function applyFixReading({ fixes }: FixProposal, { order, options, confidence }: FixReading): FixProposal {
  const entries = options.flatMap((reading, i) => {
    const fix = fixes[i];
    return fix === undefined ? [] : [[reading.option, applyTexts(fix, reading)] as const];
  });
  const byName = new Map(entries);
  const ordered = order.flatMap((name) => byName.get(name) ?? []);
  return { fixes: ordered.map((fix, i) => ({ ...fix, rank: i + 1 })), confidence };
}

function applyTexts(fix: FixOption, { summary, detail, pros, cons }: FixReading['options'][number]): FixOption {
  return {
    ...fix,
    summary: summary ?? fix.summary,
    detail: detail ?? fix.detail,
    pros: pros.length > 0 ? pros : fix.pros,
    cons: fix.kind === 'suppress' ? [...new Set([...fix.cons, ...cons])] : cons.length > 0 ? cons : fix.cons,
  };
}
