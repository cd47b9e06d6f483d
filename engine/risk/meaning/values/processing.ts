import { readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Times within which a consumer must finish a message. */
const HOLDS_MESSAGE = listWords('visibility ack acknowledgement lock');
const TIME = listWords('timeout deadline duration second');
const MESSAGING = listWords('queue sqs subscription pubsub servicebus event mapping consumer topic');
const SHORT_SECONDS = 30;

/** Judges how long a message is hidden while it is processed: when that is too short, it is processed twice. */
export function judgeProcessingTime({ words, type, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, HOLDS_MESSAGE) || !hasAny(words, TIME) || !hasAny(type, MESSAGING)) return null;
  const [from, to] = [readSeconds(before, words, 1), readSeconds(after, words, 1)];
  if (from === null || to === null) return null;
  const too_short = to < SHORT_SECONDS && to <= from / 4;
  return {
    rule: 'R-VAL-PROCESSING',
    level: too_short ? 'medium' : 'low',
    direction: too_short ? 'weakening' : 'neutral',
    consequence: 'Messages can be processed more than once: they become visible before the consumer has finished',
    beyond_rules: true,
  };
}
