/** Judges changed settings by their names, by their values, and by the options and lists inside the values. */
import type { DocumentDifference } from '../../documents/types.ts';
import { compareLevels, isAtLeast } from '../../model/levels.ts';
import type { JsonValue } from '../../model/result.ts';
import { listFlagDifferences, readBrackets } from './flags.ts';
import { toSetting } from './report.ts';
import { judgeSettingValue } from './setting-values.ts';
import { judgeSetting, type SettingFinding } from './settings.ts';

/** Both sides of what holds the settings. */
interface Trees {
  before: JsonValue;
  after: JsonValue;
}

/** @param place path of the setting in the trees, of which the difference may have only the end */
type SettingJudge = (difference: DocumentDifference, place: DocumentDifference['path']) => SettingFinding | null;

/** @param type of the resource that holds the settings */
export function createSettingJudge(type: string, trees: Trees): SettingJudge {
  return withFlags((difference, place) => {
    const by_name = judgeSetting(toSetting(difference));
    if (by_name !== null && isAtLeast(by_name.level, 'high')) return by_name;
    const by_value = judgeSettingValue(type, { ...difference, path: place }, trees);
    // The words of a name can be misleading: `insecure-skip-verify` has two that turn the meaning around.
    if (by_name !== null && by_name.direction !== 'weakening') return by_value?.level === 'high' ? by_value : by_name;
    return pickGraver(by_name, by_value);
  });
}

/** For arguments whose values are judged later, unless their names already say something. */
export function createArgumentJudge(type: string, trees: Trees): SettingJudge {
  return withFlags((difference, place) => {
    const by_name = judgeSetting(toSetting(difference));
    if (by_name === null || by_name.direction !== 'weakening') return by_name;
    return pickGraver(by_name, judgeSettingValue(type, { ...difference, path: place }, trees, 'critical'));
  });
}

/** Also judges the options of commands and the entries of lists in brackets. */
function withFlags(judgeOne: SettingJudge): SettingJudge {
  return (difference, place) => {
    const flags = listFlagDifferences(difference.before, difference.after);
    const parts = flags.map(({ path, before, after }) =>
      judgeOne({ path: [...difference.path, ...path], before, after }, [...place, ...path]),
    );
    return [...parts, judgeOne(readBrackets(difference), place)].reduce(pickGraver, null);
  };
}

/** What weakens more; the first if neither does. */
function pickGraver(one: SettingFinding | null, other: SettingFinding | null): SettingFinding | null {
  if (one === null || other === null) return one ?? other;
  return compareLevels(other.level, one.level) > 0 ? other : one;
}
