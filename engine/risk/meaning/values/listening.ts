/** Judges the addresses on which a program or a published port listens. */
import { text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const LISTENS = listWords(
  'listen listener listening bind binding ip host host_ip address addr interface publish endpoint',
);
const PUBLISHES = listWords('port publish published');
/** Only programs of the same host reach it. */
const LOCAL = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[?::1\]?|loopback|lo)(?::(\d{1,5}))?$/i;
const EVERYWHERE = /^(?:0\.0\.0\.0|\*|\[?::\]?|all|any)(?::(\d{1,5}))?$|^:(\d{1,5})$/i;

export function judgeListening({ words, outer, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, LISTENS)) return null;
  const [was, is] = [text(before).trim(), text(after).trim()];
  if (LOCAL.test(is) && EVERYWHERE.test(was)) return { ...FINDING, level: 'low', direction: 'strengthening' };
  if (!LOCAL.test(was) || !EVERYWHERE.test(is)) return null;
  return { ...FINDING, level: hasAny(outer, PUBLISHES) ? 'high' : 'medium', direction: 'weakening' };
}

const FINDING = {
  rule: 'R-VAL-LISTEN',
  consequence: 'It listens on all addresses, so other hosts reach it and not only programs of the same host',
  beyond_rules: true,
} as const;
