import { ACTION_REASON_TEXTS, describeOrder } from '../changes/action-texts.ts';
import type { Change } from '../model/result.ts';
import { type Evidence, forcingEvidence } from './evidence.ts';
import { rankedPaths } from './path-rank.ts';

/** A clause that explains why a change happens; the names are attribute paths or addresses from the plan. */
export interface Cause {
  text: string;
  names: string[];
  /** Values that force a replacement, before and after. */
  evidence?: Evidence | null;
}

/** Reasons that repeat the replace paths or do not help the reader. */
const OMITTED_REASONS = new Set(['replace_because_cannot_update']);

const MAX_NAMES = 4;

/** Reasons for this change that the plan contains; empty for a plain create or update. */
export function collectCauses(change: Change): Cause[] {
  const causes: Cause[] = change.action === 'replace' ? describeReplacement(change) : [];
  const { action_reason, deposed, previous_address } = change;
  if (deposed !== null) causes.push({ text: 'deposed object left from an earlier replacement', names: [] });
  if (action_reason !== null && !OMITTED_REASONS.has(action_reason)) {
    causes.push({ text: ACTION_REASON_TEXTS.get(action_reason) ?? action_reason.replaceAll('_', ' '), names: [] });
  }
  if (previous_address !== null) causes.push({ text: 'moved from', names: [previous_address] });
  if (change.importing !== null && change.action !== 'import') causes.push({ text: 'imported', names: [] });
  return causes;
}

/** The attributes that an update changes, for rows without specific reasons. */
export function describeChangedPaths(change: Change): Cause[] {
  const paths = rankedPaths(change);
  if (change.action !== 'update' || paths.length === 0) return [];
  return [withNames('changes', paths, change.attributes_total)];
}

function describeReplacement(change: Change): Cause[] {
  const { actions, replace_paths } = change;
  const why: Cause =
    replace_paths.length === 0
      ? { text: 'replaced', names: [] }
      : { ...withNames('replaced because of a change to', replace_paths), evidence: forcingEvidence(change) };
  return [why, { text: describeOrder(actions), names: [] }];
}

/** `text` with at most four of the names and a count of the others. */
export function withNames(text: string, names: string[], total = names.length): Cause {
  const more = total - Math.min(names.length, MAX_NAMES);
  return { text: more > 0 ? `${text} (${more} more)` : text, names: names.slice(0, MAX_NAMES) };
}
