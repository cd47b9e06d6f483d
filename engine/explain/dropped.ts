import { escapeInvisible } from '../render/inert.ts';
import type { Dropped } from './types.ts';

const MAX_DROPPED = 100;
const MAX_WHAT = 160;

/** Collects the rejected parts of an answer with reasons. */
export interface DroppedList {
  list: Dropped[];
  add(what: string, why: string): void;
}

export function createDropped(): DroppedList {
  const list: Dropped[] = [];
  return {
    list,
    add(what, why) {
      if (list.length < MAX_DROPPED)
        list.push({ what: escapeInvisible(what.slice(0, MAX_WHAT)).slice(0, MAX_WHAT), why });
    },
  };
}
