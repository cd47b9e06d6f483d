/** R-SEC-WAF for lists of filter rules: what passes before the rules that block, and what they still block. */
import { parseCondition } from '../../../canonical/boolean-conditions.ts';
import { compareConditions } from '../../../canonical/condition-alternatives.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { FILTER_FORMATS, type FilterFormat, readFilters } from '../../ordering/filter-readers.ts';
import { compareFilters, type FilterChange, findProof } from '../../ordering/filter-rules.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule } from '../types.ts';
import { member, text } from '../values.ts';

const RULE = 'R-SEC-WAF';
const MESSAGES: Record<'passes-more' | 'passes-first' | 'stops-less', string> = {
  'passes-more': 'More requests skip the rules that block',
  'passes-first': 'Some requests now skip the rules that block',
  'stops-less': 'The rule blocks fewer requests than before',
};

/** Compares the rules of both sides. What only gets another number is neither weaker nor stronger. */
function judgeList(format: FilterFormat, subject: Subject): void {
  if (subject.isUnknown(format.attribute)) return;
  const [before, after] = [readFilters(format, subject.before), readFilters(format, subject.after)];
  const found = compareFilters(before, after);
  if (found === null) return;
  for (const change of found.changes) report(subject, change);
  if (found.same) for (const { path } of after) subject.accept([...path, 'priority']);
}

function report(subject: Subject, { kind, rule, proof }: FilterChange): void {
  const { path } = rule;
  if (kind === 'stops-more' || kind === 'passes-less') {
    subject.setDirection(path, 'strengthening');
    return;
  }
  const who = proof === 'open' ? 'anybody can send such requests' : 'only certain callers can send them';
  const message =
    kind === 'stops-less'
      ? `${MESSAGES[kind]}: ${subject.formatPath(path)}.`
      : `${MESSAGES[kind]}; ${who}: ${subject.formatPath(path)}.`;
  add(subject, path, rateChange(kind, proof), message);
}

function rateChange(kind: FilterChange['kind'], proof: FilterChange['proof']): RiskLevel {
  if (kind === 'stops-less') return 'medium';
  return proof === 'open' ? 'high' : proof === 'exact' ? 'low' : 'medium';
}

function add(subject: Subject, path: Path, level: RiskLevel, message: string): void {
  if (level === 'low') {
    subject.accept(path);
    return;
  }
  subject.add({ rule: RULE, level, path, message, neutral: level === 'medium' });
  subject.setDirection(path, 'weakening');
}

/** One rule that is a resource of its own. */
function judgeExpression(subject: Subject): void {
  const [before, after] = [text(member(subject.before, 'expression')), text(member(subject.after, 'expression'))];
  const found = subject.isUnknown('expression') ? null : compareConditions(before, after);
  if (found === null || parseCondition(before) === null) return;
  const passes = /^(?:allow|skip|bypass)$/i.test(text(member(subject.after, 'action')));
  const path = ['expression'];
  if (found.reach === (passes ? 'narrower' : 'wider')) subject.setDirection(path, 'strengthening');
  else if (passes && found.added.length > 0) {
    const proof = findProof(found.added);
    add(subject, path, rateChange('passes-more', proof), `${MESSAGES['passes-more']}: ${subject.formatPath(path)}.`);
  }
}

export const FILTER_LIST_RULES: readonly Rule[] = [
  ...FILTER_FORMATS.map(
    (format): Rule => ({
      types: format.types,
      watches: [{ path: format.attribute }],
      modes: ['update', 'replace'],
      find: (subject) => judgeList(format, subject),
    }),
  ),
  {
    types: ['cloudflare_firewall_rule', 'google_compute_security_policy_rule'],
    watches: [{ path: 'expression' }],
    modes: ['update'],
    find: judgeExpression,
  },
];
