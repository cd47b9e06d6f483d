import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const BOUND = listWords('min minimum required require least lowest');
const SUBJECT = listWords('assurance level strength grade class aal ial loa tls ssl protocol tier clearance security');
const GRADE = /^([A-Za-z_. -]{1,20}?)[-_. ]?v?(\d{1,2}(?:\.\d{1,2})?)$/;

/** Judges numbered grades that are a lower bound, such as `AAL3` and `TLSv1.2`: a lower one lets more pass. */
export function judgeGrade({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, BOUND) || !hasAny(words, SUBJECT)) return null;
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const [, was, from] = GRADE.exec(before) ?? [];
  const [, is, to] = GRADE.exec(after) ?? [];
  if (was === undefined || is === undefined || was.toLowerCase() !== is.toLowerCase() || from === to) return null;
  if (Number(to) > Number(from)) return { ...FINDING, level: 'low', direction: 'strengthening' };
  return { ...FINDING, level: 'medium', direction: 'weakening' };
}

const FINDING = { rule: 'R-VAL-GRADE', consequence: 'A lower grade of protection is accepted' } as const;
