/** The risk of a difference, from the rules that judge plans. */
import type { DocumentReader } from '../documents/reader.ts';
import { compareLevels, maxLevel } from '../model/levels.ts';
import type { Category, Reason, RiskLevel } from '../model/result.ts';
import type { RuleBook } from '../model/rule-book.ts';
import { LISTED_CATEGORIES } from '../risk/categories.ts';
import { compareReasons, judge } from '../risk/judge.ts';
import type { Judgement, PlanFacts } from '../risk/types.ts';
import type { ClassifiedDifference } from './changes.ts';
import type { DriftType } from './types.ts';

/** Levels of an undeclared resource by category, before its settings are judged. */
const NEW_LEVELS: Readonly<Record<Category, RiskLevel>> = {
  other: 'low',
  stateful: 'low',
  encryption: 'low',
  network: 'medium',
  security: 'medium',
  iam: 'high',
};

/** The base reasons of plans say what will happen; here it has happened. */
const MESSAGES: Readonly<Record<DriftType, Readonly<Record<Category, string>>>> = {
  changed: {
    other: 'Its settings are not those of the state.',
    network: 'A network resource is not as the state says: traffic through it may be blocked or newly allowed.',
    iam: 'Permissions are not those of the state.',
    security: 'A security control is not as the state says: protection or monitoring may be weaker.',
    encryption: 'A key, certificate or secret is not as the state says: systems that use it may fail.',
    stateful: 'A resource that stores data is not as the state says.',
  },
  missing: {
    other: 'It is gone: anything that still uses it is broken.',
    network: 'A network resource is gone: traffic or name resolution that depends on it has stopped.',
    iam: 'An identity or permission is gone: people and systems that use it have lost access.',
    security: 'A security control is gone: its protection or recording has stopped.',
    encryption: 'A key, certificate or secret is gone: systems or data that still need it fail.',
    stateful: 'A resource that stores data is gone; its data exists only in backups.',
  },
  new: {
    other: 'No state declares it.',
    network: 'No state declares this network resource: it may open a path for traffic that nobody reviewed.',
    iam: 'No state declares this identity or permission: it may give access that nobody reviewed.',
    security: 'No state declares this security control.',
    encryption: 'No state declares this key, certificate or secret.',
    stateful: 'No state declares this resource, which may store data.',
  },
};

export interface JudgeOptions {
  facts: PlanFacts;
  book: RuleBook;
  documents: DocumentReader;
}

/** Judges a difference as the change that made it. */
export function judgeDifference(
  drift_type: DriftType,
  { change, noise }: ClassifiedDifference,
  { facts, book, documents }: JudgeOptions,
): Judgement {
  const judged = judge(change, facts, noise, book, documents);
  if (drift_type === 'new') return judgeNew(judged);
  return { ...judged, reasons: judged.reasons.map((reason) => reword(drift_type, reason)) };
}

function judgeNew(judged: Judgement): Judgement {
  const category = findWorst(judged.categories);
  const rest = judged.reasons.filter(({ kind }) => kind !== 'base');
  const base: Reason = {
    rule_id: `R-DRIFT-NEW-${category.toUpperCase()}`,
    kind: 'base',
    effect: 'raise',
    level: NEW_LEVELS[category],
    path: null,
    message: MESSAGES.new[category],
  };
  const raised = rest.filter(({ effect }) => effect === 'raise').map(({ level }) => level);
  return { ...judged, level: maxLevel(base.level, ...raised), reasons: [base, ...rest].sort(compareReasons) };
}

function findWorst(categories: readonly Category[]): Category {
  let worst: Category = 'other';
  for (const category of LISTED_CATEGORIES) {
    if (!categories.includes(category)) continue;
    if (worst === 'other' || compareLevels(NEW_LEVELS[category], NEW_LEVELS[worst]) > 0) worst = category;
  }
  return worst;
}

/** Reasons that adjust the base of a deletion. */
const ADJUSTED: Readonly<Record<string, string>> = {
  'R-ACT-WORKLOAD': 'It served requests or ran jobs: without it, they fail.',
  'R-ACT-LINK': 'Only a relation or rule is gone; the resources that it connected are still there.',
};

const BASE_RULE = /^R-ACT-(?:UPDATE|DELETE)-([A-Z]+)$/;

function reword(drift_type: DriftType, reason: Reason): Reason {
  const category = BASE_RULE.exec(reason.rule_id)?.[1]?.toLowerCase();
  const message = category === undefined ? ADJUSTED[reason.rule_id] : MESSAGES[drift_type][category as Category];
  if (message === undefined) return reason;
  const { short_message: _, ...rest } = reason;
  return { ...rest, message };
}
