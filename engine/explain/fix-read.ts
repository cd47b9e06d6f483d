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
/** Above what rules alone may say, below what nobody can know. */
const CONFIDENCE = { min: 0.41, max: 0.9 } as const;

/**
 * Reads an answer to `buildFixPrompt`. It can put options in order as far as the question lets it, and say in other words
 * what they are; each sentence is held against what was shown, and what cannot be is left out.
 *
 * @param user the user part of the question
 * @returns `unusable` when it does not fit the schema, or when nothing of it is left
 */
export function readFixAnswer(text: string, user: string): FixReading | Unusable {
  const shown = readProjection(user);
  if (shown === null) return { unusable: 'the question cannot be read' };
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
  if (!has_text) return { unusable: 'nothing in the answer could be held against the pattern' };
  const confidence = Math.min(CONFIDENCE.max, Math.max(CONFIDENCE.min, Math.round(answer.confidence * 100) / 100));
  return { order, options, confidence, dropped: reader.dropped.list };
}

/** What stands first ends the difference, unless the question lets an option be first that hides it. */
function readOrder(answered: string[], { order_is_fixed, options }: FixProjection, { dropped }: Reader): string[] {
  const given = options.map(({ option }) => option);
  if (answered.every((name, i) => name === given[i])) return given;
  const may_be_first = options.find(({ option }) => option === answered[0])?.may_be_first === true;
  if (!order_is_fixed && may_be_first) return answered;
  dropped.add(`order ${answered.join(', ')}`, 'is not for a model to change here');
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

/** A point is no sentence to a reader: it ends without a stop. */
function readPoints(texts: readonly string[], reader: Reader): string[] {
  const points = texts.map((text) => readText(text, MAX_POINT, reader)?.replace(/\.$/, '') ?? '');
  return [...new Set(points)].filter((point) => point !== '').slice(0, MAX_POINTS);
}

/**
 * The options in the order and the words that stood. Where a part of one was left out, that of the rules remains; what
 * speaks against an option that hides the difference is never taken away, only added to.
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
