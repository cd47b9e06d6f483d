/** Reports what follows from the changed settings of one attribute. */
import type { DocumentDifference } from '../../documents/types.ts';
import { compareLevels, isAtLeast } from '../../model/levels.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import type { Setting, SettingFinding } from './settings.ts';

/** Members of access policies, which have rules of their own. */
const POLICY_MEMBERS = new Set<string | number>(['Statement', 'bindings']);

export function isInPolicy({ path }: DocumentDifference): boolean {
  return path.some((segment) => POLICY_MEMBERS.has(segment));
}

export function toSetting({ path, before, after }: DocumentDifference): Setting {
  return { names: path.filter((segment) => typeof segment === 'string'), before, after };
}

/** Adds a reason for the gravest finding, and a direction when all settings become stricter or one becomes weaker. */
export function reportSettings(
  subject: Subject,
  path: Path,
  differences: readonly DocumentDifference[],
  judge: (difference: DocumentDifference) => SettingFinding | null,
): void {
  let gravest: { difference: DocumentDifference; found: SettingFinding } | null = null;
  let stricter = 0;
  for (const difference of differences) {
    const found = judge(difference);
    if (found === null) continue;
    if (found.direction === 'strengthening') stricter++;
    if (gravest === null || compareLevels(found.level, gravest.found.level) > 0) gravest = { difference, found };
  }
  if (gravest === null) return;
  if (stricter === differences.length) subject.setDirection(path, 'strengthening');
  if (!isAtLeast(gravest.found.level, 'medium')) return;
  addReason(subject, path, { ...gravest, is_only: differences.length === 1 });
}

/** @param is_only nothing else in the document differs */
function addReason(
  subject: Subject,
  path: Path,
  { difference, found, is_only }: { difference: DocumentDifference; found: SettingFinding; is_only: boolean },
): void {
  const { path: inner, before, after } = difference;
  const { level, direction, consequence } = found;
  const names = [...path, ...inner];
  const values = subject.isHidden(names)
    ? 'changes (values withheld)'
    : `changes from ${subject.quote(names, before)} to ${subject.quote(names, after)}`;
  subject.add({
    rule: 'R-DOC-SETTING',
    level,
    path,
    message: `${consequence}: ${inner.join('.') || 'the value'} in ${subject.formatPath(path)} ${values}.`,
    states_values: is_only && subject.quotesWhole(names, before) && subject.quotesWhole(names, after),
    neutral: direction === 'neutral',
  });
  if (direction === 'weakening') subject.setDirection(path, 'weakening');
}
