import { isEqual } from '../../../changes/values.ts';
import { member } from '../../attributes/values.ts';
import { readSwitch } from '../switch.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const ABSENCE = listWords('missing no absent absence exec expiration');
const DATA = listWords('data state err error violation');
/** Answers that turn a missing measurement into an alarm, and those that do not. */
const ALARMS = listWords('breaching alerting alarm error show_and_notify_no_data show_no_data notify');
const SILENT = listWords(
  'notbreaching not_breaching ok keeplast keep_last_state keeplaststate resolve show_last_known_status ignore missing ' +
    'maintain_state evaluation_missing_data_inactive default no_data',
);
const OPERATOR = /less|below|under|lt/i;

/** Judges what an alarm does when no data arrives: whatever stopped measuring may be down. */
export function judgeAbsence({ words, type, before, after, parent }: Argument): ValueFinding | null {
  if (!hasAny(words, ABSENCE) || !hasAny(words, DATA) || isEqual(before ?? null, after ?? null)) return null;
  if (!hasAny(type, listWords('alarm alert monitor rule condition check'))) return null;
  const [was, is] = [readAnswer(before), readAnswer(after)];
  if (was === undefined || is === undefined || was === is) return null;
  // A dead man's switch: it watches for too few events, so nothing at all is the worst case.
  const heartbeat = OPERATOR.test(String(member(parent, 'comparison_operator') ?? member(parent, 'operator') ?? ''));
  return {
    rule: 'R-VAL-NODATA',
    level: is ? 'low' : heartbeat ? 'high' : 'medium',
    direction: is ? 'strengthening' : 'weakening',
    consequence: 'The alarm stays silent when no data arrives, for example because what it watches is down',
  };
}

function readAnswer(value: Argument['after']): boolean | undefined {
  if (typeof value !== 'string') return readSwitch(value);
  const word = value.toLowerCase();
  return ALARMS.has(word) ? true : SILENT.has(word) ? false : readSwitch(value);
}
