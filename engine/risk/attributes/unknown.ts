import { type PathNode, toPathNode } from '../../changes/path-node.ts';
import type { TypeRules } from './compile.ts';
import type { Subject } from './subject.ts';
import { createWatcher } from './watch.ts';

const SHOWN_PATHS = 3;

/**
 * R-UNKNOWN-WATCHED: a watched value is unknown until apply. On create and replace, only documents, address lists and
 * principals are reported; other unknown values are defaults that the provider computes.
 */
export function findUnknown(rules: TypeRules, subject: Subject): void {
  const counts = createCount(rules, subject);
  const unknown = subject.change.diffs.filter((diff) => diff.after_unknown && counts(toPathNode(diff)));
  const shown = unknown.slice(0, SHOWN_PATHS).map((diff) => diff.path_segments);
  const [first] = shown;
  if (!first) return;
  const names = shown.map((path) => `\`${subject.formatPath(path)}\``);
  const more = unknown.length > SHOWN_PATHS ? ` and ${unknown.length - SHOWN_PATHS} more` : '';
  const verb = unknown.length === 1 ? 'is' : 'are';
  subject.add({
    rule: 'R-UNKNOWN-WATCHED',
    level: 'medium',
    path: first,
    message: `${names.join(', ')}${more} ${verb} unknown until apply.`,
    neutral: true,
  });
}

function createCount({ watched, hiding }: TypeRules, { mode }: Subject): (node: PathNode) => boolean {
  const watcher = createWatcher(mode === 'update' ? watched : hiding);
  return mode === 'update'
    ? ({ template: form }) => watcher.isWatched(form)
    : ({ template: form }) => watcher.isCovered(form);
}
