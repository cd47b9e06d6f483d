import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const TRIGGER = listWords('webhook trigger pipeline build');
/** Filters by who has sent an event. */
const ACTORS = listWords('actor_account_id actor sender author sender_id user_login author_association actor_id');

/** Judges triggers of builds that no longer ask who has sent an event: strangers can run code with their rights. */
export function judgeTrigger({ type, before, after, holders }: Argument): ValueFinding | null {
  if (!hasAny(type, TRIGGER) || !isActor(before) || isActor(after)) return null;
  const root = JSON.stringify(holders.at(-1) ?? null).toLowerCase();
  if ([...ACTORS].some((name) => root.includes(`"${name}"`))) return null;
  return {
    rule: 'R-VAL-TRIGGER',
    level: 'high',
    direction: 'weakening',
    consequence: 'Anyone who can send an event runs the build with its rights',
  };
}

function isActor(value: Argument['after']): boolean {
  return typeof value === 'string' && ACTORS.has(value.toLowerCase());
}
