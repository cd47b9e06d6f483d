/** R-REL-NEED: something that stays needs what the plan deletes. */
import { GOOGLE_GRANTS, type Gone, NEEDS, type Need, readMembers } from '../../relations/needs/index.ts';
import { sharesName } from '../../relations/neighbors.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule } from '../types.ts';

const RULE = 'R-REL-NEED';

/** What goes; null if nothing does. */
function readGone({ type, change, before, after, facts, mode }: Subject): Gone | null {
  if (before === undefined) return null;
  const kept = new Set(mode === 'update' && after !== undefined ? readMembers(after) : []);
  const members = readMembers(before).filter((name) => !kept.has(name));
  if (mode === 'update' && members.length === 0) return null;
  const { address } = change;
  const isDestroyed = (name: string): boolean => facts.destroyed.has(name);
  return { type, address, side: before, members, isDestroyed, plan: facts.neighbors };
}

function judgeNeed({ names, users, needs, level, says }: Need, path: Path | null, subject: Subject): void {
  const gone = readGone(subject);
  if (gone === null) return;
  const called = names(gone);
  const user = gone.plan.linked(users, called).find((neighbor) => {
    const { type, after } = neighbor;
    if (after === null || !sharesName(users.names(after, type, gone.plan), called)) return false;
    return needs?.(after, gone, neighbor) ?? true;
  });
  if (user === undefined) return;
  subject.add({ rule: RULE, level, path, message: `${user.address} stays and needs it: ${says}.` });
  if (path !== null) subject.setDirection(path, 'weakening');
}

const BINDINGS = GOOGLE_GRANTS.filter((type) => type.endsWith('_binding'));

export const NEED_RULES: readonly Rule[] = NEEDS.flatMap((need): Rule[] => {
  const bindings = need.types.filter((type) => BINDINGS.includes(type));
  const rules: Rule[] = [
    { types: need.types, watches: [], modes: ['delete'], find: (subject) => judgeNeed(need, null, subject) },
  ];
  if (bindings.length > 0)
    rules.push({
      types: bindings,
      watches: [{ path: 'members', compares: true }],
      modes: ['update'],
      find: (subject) => judgeNeed(need, ['members'], subject),
    });
  return rules;
});
