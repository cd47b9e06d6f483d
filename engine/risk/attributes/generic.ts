/** Attributes that mean the same in every provider, for types which no row names. */
import { categoriesOf } from '../categories.ts';
import { phraseOf } from './phrases.ts';
import type { Subject } from './subject.ts';
import type { Rule } from './types.ts';
import { member, truth } from './values.ts';

/** Guards against deletion, with the side that guards. */
const GUARDS: [attribute: string, guarding: boolean][] = [
  ['deletion_protection', true],
  ['deletion_protection_enabled', true],
  ['prevent_deletion', true],
  ['force_destroy', false],
];

function judgeGuard(attribute: string, guarding: boolean, subject: Subject): void {
  if (subject.isUnknown(attribute)) return;
  const was = truth(member(subject.before, attribute)) === guarding;
  const is = truth(member(subject.after, attribute)) === guarding;
  // Absent counts as unguarded for a protection, as guarded for a force.
  const guarded = (value: boolean, side: 'before' | 'after'): boolean =>
    value || (!guarding && truth(member(subject[side], attribute)) === undefined);
  const [from, to] = [guarded(was, 'before'), guarded(is, 'after')];
  if (from === to) return;
  if (!to) {
    const graver = categoriesOf(subject.type).some((category) => category === 'stateful' || category === 'encryption');
    const phrase = phraseOf(guarding ? 'R-DEL-PROTECT' : 'contents');
    subject.add({
      rule: 'R-DEL-PROTECT',
      level: graver ? 'high' : 'medium',
      path: [attribute],
      message: `${phrase}: ${attribute} is ${guarding ? 'switched off' : 'switched on'}.`,
    });
  }
  subject.turn([attribute], to ? 'strengthening' : 'weakening');
}

function judgePublic(subject: Subject): void {
  const is = truth(member(subject.after, 'publicly_accessible')) === true;
  const was = truth(member(subject.before, 'publicly_accessible')) === true;
  if (is === was) return;
  if (is)
    subject.add({
      rule: 'R-DB-PUBLIC',
      level: 'high',
      path: ['publicly_accessible'],
      message: `${phraseOf('R-DB-PUBLIC')}: publicly_accessible is true.`,
    });
  if (is || subject.mode !== 'create') subject.turn(['publicly_accessible'], is ? 'weakening' : 'strengthening');
}

export const GENERIC_RULES: readonly Rule[] = [
  ...GUARDS.map(
    ([attribute, guarding]): Rule => ({
      types: ['*'],
      watches: [{ path: attribute }],
      modes: ['update', 'replace'],
      find: (subject) => judgeGuard(attribute, guarding, subject),
    }),
  ),
  { types: ['*'], watches: [{ path: 'publicly_accessible' }], find: judgePublic },
];
