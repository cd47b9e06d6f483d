/** Judges the differences of a document with a tree: by tables of moves, and by the names and values of its settings. */
import type { MaybeJson } from '../../changes/values.ts';
import type { DocumentDifference } from '../../documents/types.ts';
import { compareLevels, isAtLeast } from '../../model/levels.ts';
import type { JsonValue } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import { isFilter, judgeFilter } from './filters.ts';
import { judgeKnownTree } from './moves/index.ts';
import type { MoveFinding } from './moves/types.ts';
import { findLostSecurity } from './openapi.ts';
import { isInPolicy, reportSettings, toSetting } from './report.ts';
import { judgeSettingValue } from './setting-values.ts';
import { judgeSetting, type SettingFinding } from './settings.ts';
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
  return (difference) => {
    if (isInPolicy(difference)) return null;
    const by_name = judgeSetting(toSetting(difference));
    // What a name says to be stricter is not judged again, nor what is as grave as it can be.
    if (by_name !== null && (by_name.direction !== 'weakening' || isAtLeast(by_name.level, 'high'))) return by_name;
    const by_value = judgeSettingValue(subject.type, difference, former, tree);
    if (by_name === null || by_value === null) return by_name ?? by_value;
    return compareLevels(by_value.level, by_name.level) > 0 ? by_value : by_name;
  };
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
