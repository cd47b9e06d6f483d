/** Judges the differences of a document with a tree: by tables of moves, and by the names and values of its settings. */
import type { MaybeJson } from '../../changes/values.ts';
import type { DocumentDifference } from '../../documents/types.ts';
import type { JsonValue } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import { isFilter, judgeFilter } from './filters.ts';
import { judgeKnownTree } from './moves/index.ts';
import type { MoveFinding } from './moves/types.ts';
import { findLostSecurity } from './openapi.ts';
import { isInPolicy, reportSettings } from './report.ts';
import { createSettingJudge } from './setting-judge.ts';
import type { SettingFinding } from './settings.ts';
import { findSkippedStep } from './workflows.ts';

/** Where a document stands, and what is known about its kind. */
export interface Place {
  path: Path;
  /** Of the file and of what holds it, in lower case. */
  names: readonly string[];
  kinds: readonly string[];
}

/** @param former undefined when the document is new */
export function judgeTree(
  subject: Subject,
  { path, names, kinds }: Place,
  differences: readonly DocumentDifference[],
  former: MaybeJson,
  tree: JsonValue,
): void {
  const { known, rest } = judgeKnownTree(former, tree, differences, names, kinds);
  if (former === undefined || former === null) reportFindings(subject, path, known, [], () => null);
  else reportFindings(subject, path, known, rest, createJudge(subject, path, former, tree));
  if (former === undefined || former === null) return;
  const skipped = findSkippedStep(former, tree);
  if (skipped !== null) {
    const step = { path: ['States', skipped.name], before: skipped.name, after: undefined };
    reportSettings(subject, path, [step], () => skipped.found);
  }
  const lost = findLostSecurity(differences);
  if (lost !== null) reportSettings(subject, path, [lost.difference], () => lost.found);
}

type Judge = (difference: DocumentDifference) => SettingFinding | null;

function createJudge(subject: Subject, path: Path, former: JsonValue, tree: JsonValue): Judge {
  if (isFilter(path.at(-1))) return (difference) => judgeFilter(difference, tree);
  const judge = createSettingJudge(subject.type, { before: former, after: tree });
  return (difference) => (isInPolicy(difference) ? null : judge(difference, difference.path));
}

/** Reports what tables know, together with what general rules say about the rest. */
export function reportFindings(
  subject: Subject,
  path: Path,
  known: readonly MoveFinding[],
  rest: readonly DocumentDifference[],
  judge: Judge,
): void {
  const by_difference = new Map(known.map(({ difference, found }) => [difference, found]));
  const differences = [...by_difference.keys(), ...rest];
  reportSettings(subject, path, differences, (one) => by_difference.get(one) ?? judge(one));
}
