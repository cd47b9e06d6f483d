/** What a grant or policy, as a resource of its own, is about: something that exists, or something the plan makes. */
import type { Subject } from './subject.ts';
import { member, text } from './values.ts';

const TARGETS = ['bucket', 'name', 'service', 'cloud_function', 'topic', 'repository', 'dataset_id', 'secret_id'];

/** True when the plan creates what this change speaks of, so that nothing lies in it yet. */
export function isAboutNew(subject: Subject): boolean {
  if (subject.mode !== 'create') return false;
  return TARGETS.some((attribute) => {
    if (subject.change.unknown !== true && subject.isUnknown(attribute)) return true;
    const name = text(member(subject.after, attribute));
    return name !== '' && subject.facts.created.has(name.slice(name.lastIndexOf('/') + 1));
  });
}
