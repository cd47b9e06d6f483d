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
  if (isAtLeast(gravest.found.level, 'medium')) addReason(subject, path, gravest.difference, gravest.found);
}

function addReason(
  subject: Subject,
  path: Path,
  { path: inner, before, after }: DocumentDifference,
  { level, direction, consequence }: SettingFinding,
): void {
  const names = [...path, ...inner];
  const values = subject.isHidden(names)
    ? 'changes (values withheld)'
    : `changes from ${subject.quote(names, before)} to ${subject.quote(names, after)}`;
  subject.add({
    rule: 'R-DOC-SETTING',
    level,
    path,
    message: `${consequence}: ${inner.join('.') || 'the value'} in ${subject.formatPath(path)} ${values}.`,
    neutral: direction === 'neutral',
  });
  if (direction === 'weakening') subject.setDirection(path, 'weakening');
}
