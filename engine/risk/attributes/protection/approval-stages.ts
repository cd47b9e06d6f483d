/** R-VAL-APPROVAL: deployments of a pipeline that no longer wait for an approval. */
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { list, member, text } from '../values.ts';

const REASONS = {
  unapproved: (name: string) => `Nobody has to approve the deployment ${name} any more: no approval comes before it.`,
};

/** The deployments of a pipeline by name, and whether an approval comes before each. */
type Deployments = ReadonlyMap<string, boolean>;

function judgeStages(subject: Subject): void {
  if (subject.isUnknown('stage')) return;
  const [before, after] = [readDeployments(subject.before), readDeployments(subject.after)];
  const [first] = [...after].filter(([name, is_approved]) => !is_approved && wasApproved(before, name));
  if (first !== undefined) {
    const message = REASONS.unapproved(subject.quoteAll(['stage'], [first[0]]));
    subject.add({ rule: 'R-VAL-APPROVAL', level: 'high', path: ['stage'], message });
    subject.setDirection(['stage'], 'weakening');
  } else if ([...after].some(([name, is_approved]) => is_approved && before.get(name) === false)) {
    subject.setDirection(['stage'], 'strengthening');
  }
}

/** A deployment under a new name counts as approved if all were. */
function wasApproved(before: Deployments, name: string): boolean {
  return before.get(name) ?? (before.size > 0 && [...before.values()].every((is_approved) => is_approved));
}

function readDeployments(pipeline: Value): Deployments {
  const found = new Map<string, boolean>();
  let is_approved = false;
  for (const stage of list(member(pipeline, 'stage'))) {
    const actions = list(member(stage, 'action'));
    const approved_at = Math.min(...actions.filter((one) => hasCategory(one, 'approval')).map(readOrder));
    for (const action of actions.filter((one) => hasCategory(one, 'deploy')))
      found.set(text(member(action, 'name')), is_approved || approved_at < readOrder(action));
    is_approved ||= Number.isFinite(approved_at);
  }
  return found;
}

function hasCategory(action: Value, category: string): boolean {
  return text(member(action, 'category')).toLowerCase() === category;
}

function readOrder(action: Value): number {
  return Number(member(action, 'run_order') ?? 1) || 1;
}

export const APPROVAL_STAGE_RULES: readonly Rule[] = [
  { types: ['aws_codepipeline'], watches: [{ path: 'stage' }], modes: ['update', 'replace'], find: judgeStages },
];
