/** Judges filters that leave something out: logs, events and findings that are excluded, dropped or muted. */
import { toPathNode } from '../../changes/path-node.ts';
import type { AttributeDiff } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';

const EXCLUDES = /exclu|drop|discard|suppress|mute|ignore|skip/;
const FILTERS = new Set(['filter', 'query', 'expression', 'pattern', 'condition', 'nrql', 'match', 'selector']);
/** Conditions that every log entry or event fulfills. */
const EVERYTHING = [
  /^(?:\*|true|\.\*|\^?\.\*\$?|1\s{0,3}=\s{0,3}1|\*:\*|not\s+false)$/i,
  /^severity\s{0,3}>=\s{0,3}["']?(?:default|0)["']?$/i,
  /^severity\s{0,3}!=\s{0,3}["']?none["']?$/i,
  /^(?:logName|resource\.type|timestamp|message|source|service|host)\s{0,3}(?::|=~)\s{0,3}["']?(?:\*|\.\*)["']?$/i,
  /^select\s+\*\s+from\s+\w{1,60}$/i,
];

/** Whether a filter matches everything; white space and parentheses around it do not matter. */
export function matchesEverything(filter: string): boolean {
  const text = filter
    .trim()
    .replace(/^\((.{0,200})\)$/s, '$1')
    .trim();
  return EVERYTHING.some((pattern) => pattern.test(text));
}

/** Adds a reason for a changed filter that leaves everything out. */
export function judgeExclusion(subject: Subject, diff: AttributeDiff): void {
  const { before, after, after_unknown } = diff;
  if (typeof after !== 'string' || after_unknown || !FILTERS.has(toPathNode(diff).name)) return;
  const path = diff.path_segments;
  const is_exclusion = EXCLUDES.test(subject.type) || path.some((segment) => EXCLUDES.test(String(segment)));
  if (!is_exclusion || !matchesEverything(after) || (typeof before === 'string' && matchesEverything(before))) return;
  subject.add({
    rule: 'R-DOC-SETTING',
    level: 'high',
    path,
    message: `Everything is left out, so nothing is recorded or reported any more: ${subject.formatPath(path)} is ${subject.quote(path, after)}.`,
  });
  subject.setDirection(path, 'weakening');
}
