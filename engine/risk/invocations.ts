/** Judges the actions that an apply runs besides its changes, such as stopping a machine or calling a function. */
import { splitWords } from '../effects/words.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonValue, RiskLevel } from '../model/result.ts';
import type { RawInvocation } from '../plan/types.ts';

export interface InvocationFinding {
  level: RiskLevel;
  /** Completes "the action … ". */
  does: string;
}

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What an action does, by the words of its type and of its short arguments. The first that applies decides. */
const KINDS: readonly { words: ReadonlySet<string>; level: RiskLevel; does: string }[] = [
  {
    words: list('invalidation invalidate cache cdn publish notify notification message comment tag wait sleep echo'),
    level: 'low',
    does: 'refreshes or announces something',
  },
  {
    words: list('delete destroy purge drop wipe truncate erase restore rollback reset remove terminate'),
    level: 'high',
    does: 'deletes or overwrites something',
  },
  {
    words: list('stop shutdown deallocate off poweroff halt suspend pause disable hibernate kill drain failover evict'),
    level: 'high',
    does: 'stops something that may be in use',
  },
  {
    words: list('reboot restart recycle redeploy reimage rotate switch promote swap scale'),
    level: 'medium',
    does: 'interrupts or exchanges something that may be in use',
  },
  {
    words: list('command script exec ssh playbook ansible shell bash run sql query'),
    level: 'medium',
    does: 'runs commands',
  },
];
const BEGINS = list('start on resume enable backup snapshot');
const MAX_CHARS = 40;
const MAX_ARGUMENTS = 50;

/** @returns null for an action that needs no attention */
export function judgeInvocation({ type, config_values }: RawInvocation): InvocationFinding | null {
  const names = splitWords(type);
  const values = listShort(config_values);
  const found = KINDS.find(({ words }) => names.some((word) => words.has(word)));
  const by_value = KINDS.slice(1).find(({ words }) => values.some((word) => words.has(word)));
  if (found === undefined && values.some((word) => BEGINS.has(word)) && by_value === undefined) return null;
  const kind = found ?? by_value;
  return kind === undefined || kind.level === 'low' ? null : { level: kind.level, does: kind.does };
}

/** Words of the short texts among the arguments, such as `power_off`. */
function listShort(values: JsonValue | undefined): string[] {
  if (!isObject(values)) return [];
  return Object.values(values)
    .slice(0, MAX_ARGUMENTS)
    .flatMap((value) => (typeof value === 'string' && value.length <= MAX_CHARS ? splitWords(value) : []));
}
