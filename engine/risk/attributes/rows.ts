/** Rules that are data: each row names one attribute, one dangerous direction and one level. */

import { isAtLeast, minLevel, stepDown } from '../../model/levels.ts';
import type { RiskLevel } from '../../model/result.ts';
import access from './data/access.json' with { type: 'json' };
import database from './data/database.json' with { type: 'json' };
import destroy from './data/destroy.json' with { type: 'json' };
import detection from './data/detection.json' with { type: 'json' };
import encryption from './data/encryption.json' with { type: 'json' };
import network from './data/network.json' with { type: 'json' };
import other from './data/other.json' with { type: 'json' };
import otherProviders from './data/other-providers.json' with { type: 'json' };
import replacement from './data/replacement.json' with { type: 'json' };
import storage from './data/storage.json' with { type: 'json' };
import { findPhrase } from './phrases.ts';
import { PREDICATES, type Predicate, type PredicateCode, type Verdict } from './predicates.ts';
import type { Subject } from './subject.ts';
import type { Mode, Path, Rule, Value } from './types.ts';
import { member, quantity, text } from './values.ts';
import { tlsVersion } from './versions.ts';
import type { Pair } from './walk.ts';

/** One row of a file in `data/`. */
interface Row {
  /** A rule id, or `attr` for a rule of this attribute only. */
  rule: string;
  /** Selects the phrase that describes the risk. Defaults to the phrase of the rule. */
  topic?: string;
  path: string;
  when: PredicateCode;
  /** Arguments of the predicate: for `rank`, groups from safe to dangerous; for `includes`, the dangerous values. */
  values?: readonly unknown[];
  level: RiskLevel;
  /** Levels of individual new values. Keys are lower case. */
  levels?: Record<string, RiskLevel>;
  /** The meaning of the number 0: unlimited (`forever`), or a level for this value. */
  zero?: 'forever' | RiskLevel;
  /** The highest level on create; `none` skips create. Defaults to a ceiling that depends on the predicate and rule. */
  create?: 'none' | RiskLevel;
  /** Applies only when the plan replaces the resource. */
  replace?: true;
  /** The change is risky but does not weaken a protection. */
  neutral?: true;
  /** Required (`where`) or excluded (`unless`) values of other top-level attributes, in lower case. */
  where?: Record<string, readonly string[]>;
  unless?: Record<string, readonly string[]>;
  types: readonly string[];
}

/** Exposure rules: they keep their full level on a new resource. */
const EXPOSURES = new Set(['R-STO-PUBLIC', 'R-DB-PUBLIC', 'R-IAM-TRUST', 'R-IAM-KEY']);
export const ROWS = [
  access,
  database,
  destroy,
  detection,
  encryption,
  network,
  other,
  otherProviders,
  replacement,
  storage,
].flat() as readonly Row[];

/** Rules are built on demand, because a plan contains only a few of the types that the rows name. */
const rules = new Map<number, Rule>();

export function findRowRule(position: number): Rule {
  const rule = rules.get(position) ?? toRule(ROWS[position]!);
  rules.set(position, rule);
  return rule;
}

function toRule(row: Row): Rule {
  const segments = row.path.split('.');
  const predicate: Predicate = PREDICATES[row.when];
  return {
    types: row.types,
    watches: [{ path: row.path }],
    modes: pickModes(row),
    find: (subject) => {
      if (!isApplicable(row, subject)) return;
      for (const pair of subject.pairs(segments)) {
        if (pair.unknown) continue;
        if (subject.mode === 'create') judgeCreate(row, predicate, subject, pair);
        else judgeChange(row, predicate, subject, pair);
      }
    },
  };
}

function isApplicable({ where, unless }: Row, subject: Subject): boolean {
  return (!where || matches(where, subject)) && !(unless && matches(unless, subject));
}

function matches(expected: Record<string, readonly string[]>, { before, after }: Subject): boolean {
  return Object.entries(expected).every(([name, values]) =>
    values.includes(text(member(after ?? before, name)).toLowerCase()),
  );
}

function pickModes({ replace, when, create }: Row): Mode[] {
  if (replace) return ['replace'];
  if (when === 'created') return ['create'];
  return create === 'none' ? ['update', 'replace'] : ['create', 'update', 'replace'];
}

function judgeCreate(row: Row, predicate: Predicate, subject: Subject, { path, after }: Pair): void {
  const verdict = predicate.onCreate?.(after, row.values ?? []);
  // A dangerous provider default is reported only by named rules.
  if (!verdict || (verdict === 'default' && row.rule === 'attr')) return;
  const full = pickLevel(row, undefined, after);
  const level = minLevel(full, pickCeiling(row, verdict));
  subject.add({ rule: ruleId(row, subject), level, path, message: describeCreate(row, subject, path, after) });
  if (isAtLeast(level, 'medium')) subject.setDirection(path, 'weakening');
}

function pickCeiling({ rule, create }: Row, verdict: 'set' | 'default'): RiskLevel {
  if (create && create !== 'none') return create;
  if (verdict === 'default') return 'low';
  return EXPOSURES.has(rule) ? 'critical' : 'medium';
}

function judgeChange(row: Row, predicate: Predicate, subject: Subject, { path, before, after }: Pair): void {
  const verdict =
    row.zero === 'forever' ? compareEndless(before, after) : predicate.onChange(before, after, row.values ?? []);
  if (!verdict) return;
  if (verdict === 'strengthening') {
    subject.setDirection(path, verdict);
    return;
  }
  const neutral = row.neutral === true || verdict === 'neutral';
  const message = `${findPhrase(row.topic ?? row.rule)}: ${subject.formatPath(path)} ${describeChange(subject, path, before, after)}.`;
  subject.add({
    rule: ruleId(row, subject),
    level: levelOfChange(row, subject, before, after),
    path,
    message,
    states_values: subject.quotesWhole(path, before) && subject.quotesWhole(path, after),
    ...(neutral ? { neutral } : {}),
  });
  if (!neutral) subject.setDirection(path, 'weakening');
}

/** A create-before-destroy replacement keeps the old object until the new one exists, so it is one level lower. */
function levelOfChange(row: Row, { change, facts }: Subject, before: Value, after: Value): RiskLevel {
  const level = pickLevel(row, before, after);
  // The same plan removes the public access block, so the content becomes public immediately.
  if (row.rule === 'R-STO-PUBLIC' && row.topic === undefined && facts.unguarded) return 'critical';
  return row.replace && change.actions[0] === 'create' ? stepDown(level) : level;
}

/** Compares retention values where 0 or absent means that nothing is ever deleted. */
function compareEndless(before: Value, after: Value): Verdict {
  const from = quantity(before) || Number.POSITIVE_INFINITY;
  const to = quantity(after) || Number.POSITIVE_INFINITY;
  if (from === to) return undefined;
  return to < from ? 'weakening' : 'strengthening';
}

function pickLevel(row: Row, before: Value, after: Value): RiskLevel {
  if (row.levels) return row.levels[text(after).toLowerCase()] ?? row.level;
  if (row.zero && row.zero !== 'forever' && quantity(after) === 0) return row.zero;
  if (row.zero === 'forever' && keepsForYears(row, before, after)) return minLevel(row.level, 'medium');
  if (row.topic === 'backup_days' && isFraction(before, after)) return 'high';
  if (row.when === 'tls') return (tlsVersion(text(after)) ?? 12) < 12 ? row.level : minLevel(row.level, 'medium');
  return row.topic === 'control_plane' && PREDICATES.upgrade.onChange(before, after) === 'weakening'
    ? 'high'
    : row.level;
}

const YEAR_MS = 31_536_000_000;

/** Whether data that lived for ever now lives for years: as rules for records demand it. */
function keepsForYears({ path }: Row, before: Value, after: Value): boolean {
  return path.endsWith('_ms') && !quantity(before) && (quantity(after) ?? 0) >= 5 * YEAR_MS;
}

/** Where weeks of backups were kept and a day or two are left, most of what could be restored is gone. */
const MOST_BACKUPS = 7;

function isFraction(before: Value, after: Value): boolean {
  const [from, to] = [quantity(before), quantity(after)];
  return from !== undefined && to !== undefined && from >= to * MOST_BACKUPS;
}

function ruleId({ rule, path }: Row, { type }: Subject): string {
  return rule === 'attr' ? `R-ATTR-${type}.${path}` : rule;
}

function describeChange(subject: Subject, path: Path, before: Value, after: Value): string {
  if (subject.isHidden(path)) return 'changes (values withheld)';
  return `changes from ${subject.quote(path, before)} to ${subject.quote(path, after)}`;
}

function describeCreate(row: Row, subject: Subject, path: Path, after: Value): string {
  const phrase = findPhrase(row.topic ?? row.rule);
  if (row.when === 'created') return `${phrase}.`;
  const value =
    after === null || after === undefined
      ? 'keeps its default'
      : subject.isHidden(path)
        ? 'is set (value withheld)'
        : `is ${subject.quote(path, after)}`;
  return `${phrase}: ${subject.formatPath(path)} ${value}.`;
}
