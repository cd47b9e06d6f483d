/** Attributes that have the same meaning in every provider, for types that no row names. */
import { findCategories } from '../categories.ts';
import { findPhrase } from './phrases.ts';
import type { Subject } from './subject.ts';
import type { Rule } from './types.ts';
import { member, truth } from './values.ts';

/** Deletion settings, with the value that protects. */
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
  // An absent protection is off; an absent `force_destroy` is off, too, which protects.
  const guarded = (value: boolean, side: 'before' | 'after'): boolean =>
    value || (!guarding && truth(member(subject[side], attribute)) === undefined);
  const [from, to] = [guarded(was, 'before'), guarded(is, 'after')];
  if (from === to) return;
  if (!to) {
    const graver = findCategories(subject.type).some(
      (category) => category === 'stateful' || category === 'encryption',
    );
    const phrase = findPhrase(guarding ? 'R-DEL-PROTECT' : 'contents');
    subject.add({
      rule: 'R-DEL-PROTECT',
      level: graver ? 'high' : 'medium',
      path: [attribute],
      message: `${phrase}: ${attribute} changes ${guarding ? 'from on to off' : 'from off to on'}.`,
    });
  }
  subject.setDirection([attribute], to ? 'strengthening' : 'weakening');
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
      message: `${findPhrase('R-DB-PUBLIC')}: publicly_accessible is true.`,
    });
  if (is || subject.mode !== 'create')
    subject.setDirection(['publicly_accessible'], is ? 'weakening' : 'strengthening');
}

/** Settings for encryption at rest. If absent, the provider's default applies, which is unknown here. */
const ENCRYPTION = ['encrypted', 'storage_encrypted', 'encryption_enabled', 'encryption_at_rest_enabled'];

function judgeEncryption(attribute: string, subject: Subject): void {
  const was = truth(member(subject.before, attribute));
  const is = truth(member(subject.after, attribute));
  if (was === is || was === undefined || is === undefined) return;
  if (!is)
    subject.add({
      rule: 'R-ENC-OFF',
      level: 'high',
      path: [attribute],
      message: `${findPhrase('R-ENC-OFF')}: ${attribute} changes from on to off.`,
    });
  subject.setDirection([attribute], is ? 'strengthening' : 'weakening');
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
  ...ENCRYPTION.map(
    (attribute): Rule => ({
      types: ['*'],
      watches: [{ path: attribute }],
      modes: ['update', 'replace'],
      find: (subject) => judgeEncryption(attribute, subject),
    }),
  ),
];
