/** Finds out whether the target of a grant or policy exists or is created by the same plan. */
import type { Subject } from './subject.ts';
import { member, text } from './values.ts';

const TARGETS = ['bucket', 'name', 'service', 'cloud_function', 'topic', 'repository', 'dataset_id', 'secret_id'];

/** Returns true when the plan creates the target of this change, so the target is still empty. */
export function isAboutNew(subject: Subject): boolean {
  if (subject.mode !== 'create') return false;
  return TARGETS.some((attribute) => {
    if (subject.change.unknown !== true && subject.isUnknown(attribute)) return true;
    const name = text(member(subject.after, attribute));
    return name !== '' && subject.facts.created.has(name.slice(name.lastIndexOf('/') + 1));
  });
}
