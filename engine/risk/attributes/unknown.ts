import type { TypeRules } from './compile.ts';
import type { Subject } from './subject.ts';
import type { Path } from './types.ts';
import { isInTree, isUnderTree } from './watch.ts';

const SHOWN_PATHS = 3;

/**
 * R-UNKNOWN-WATCHED: a watched value will be known only after apply. On create and replace only where a document, an
 * address list or a principal stands there; any other unknown is a default which the provider computes.
 */
export function findUnknown(rules: TypeRules, subject: Subject): void {
  const paths: Path[] = [];
  for (const diff of subject.change.diffs) {
    if (!diff.after_unknown) continue;
    const { path_segments } = diff;
    const counts =
      subject.mode === 'update' ? isInTree(rules.watched, path_segments) : isUnderTree(rules.hiding, path_segments);
    if (counts) paths.push(path_segments);
  }
  const first = paths[0];
  if (!first) return;
  const names = paths.slice(0, SHOWN_PATHS).map((path) => subject.nameOf(path));
  const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : '';
  subject.add({
    rule: 'R-UNKNOWN-WATCHED',
    level: 'medium',
    path: first,
    message: `What this will be is known only after apply: ${names.join(', ')}${more}.`,
    neutral: true,
  });
}
