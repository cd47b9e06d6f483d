import type { MaybeJson } from '../../../changes/values.ts';
import { readSwitch } from '../switch.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Names that say on or off, but not of what. */
const STATE = listWords(
  'state status mode enabled enable active suspend suspended paused pause disabled disable default variant',
);
const OFF_WHEN_TRUE = listWords('suspend suspended paused pause disabled disable');
const RUNS = listWords(
  'schedule scheduler cron job event rule trigger pipeline workflow flow task dag timer scan scanner flag feature toggle ' +
    'plan policy alarm alert monitor detector backup replication check assignment subscription',
);
const CONSEQUENCES = {
  backup: 'Backups no longer run',
  security: 'A check or protection is turned off',
  alarm: 'An alarm is turned off',
} as const;

const REMOVES = listWords('purge delete cleanup retention prune erase destroy reaper garbage');

/** Judges a job that only reported what it would delete, and now deletes it. */
export function judgeDryRun({ words, type, before, after }: Argument): ValueFinding | null {
  const is_dry = words.has('dryrun') || (words.has('dry') && words.has('run'));
  if (!is_dry || !hasAny(type, REMOVES) || readSwitch(before) !== true || readSwitch(after) !== false) return null;
  return {
    rule: 'R-VAL-DELETION',
    level: 'medium',
    direction: 'weakening',
    consequence: 'The job deletes what it only reported before',
  };
}

/** Judges what is turned off as a whole by a plain state, when its type or its names say what it is for. */
export function judgeState({ words, type, outer, before, after, purpose }: Argument): ValueFinding | null {
  if (purpose === 'other' || outer.size > 1 || words.size > 2 || !hasAny(words, STATE) || !hasAny(type, RUNS))
    return null;
  const turned = hasAny(words, OFF_WHEN_TRUE);
  const [was, is] = [readState(before, turned), readState(after, turned)];
  if (was === is || is === undefined || was === undefined) return null;
  return {
    rule: 'R-VAL-OFF',
    level: is ? 'low' : 'high',
    direction: is ? 'strengthening' : 'weakening',
    consequence: CONSEQUENCES[purpose],
    beyond_rules: true,
  };
}

function readState(value: MaybeJson, turned: boolean): boolean | undefined {
  const state = readSwitch(value);
  return state === undefined ? undefined : state !== turned;
}
