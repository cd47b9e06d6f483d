import type { ResourceChange } from '../changes/types.ts';
import type { Reason, RiskLevel } from '../result.ts';
import { grantsToServicesOnly } from './bare-grant.ts';
import type { BaseAction } from './base.ts';
import { type LeafSurvey, surveyLeaves } from './leaves.ts';
import { isAtLeast, maxLevel, minLevel, stepDown } from './levels.ts';
import { isAuditOnly, isNarrowGrant } from './narrow-grant.ts';
import type { Traits } from './traits.ts';

/** They go only when nothing uses them any more. */
const IDLE_TYPES: ReadonlySet<string> = new Set(['aws_lb_target_group', 'aws_alb_target_group']);

/** What such a type says may be a permission or a protection, whatever the name of the attribute. */
const GUARDING: ReadonlySet<string> = new Set(['iam', 'security', 'encryption']);

/** The base of one change on its way through the adjustments. */
interface Base {
  change: ResourceChange;
  traits: Traits;
  action: BaseAction;
  level: RiskLevel;
  reasons: Reason[];
}

export interface AdjustedBase {
  level: RiskLevel;
  /** The base reason and each adjustment that changed its level; none stands above `level`. */
  reasons: Reason[];
  /** A delete or replace that destroys something of worth: no version, no mere link, no leftover of an earlier replace. */
  destructive: boolean;
}

/** Applies the adjustments of the base, in their fixed order. Expects `direction` of the diffs to be set. */
export function adjustBase(change: ResourceChange, traits: Traits, action: BaseAction, base: Reason): AdjustedBase {
  const state: Base = { change, traits, action, level: base.level, reasons: [base] };
  let destructive = false;
  switch (action) {
    case 'create':
      adjustCreate(state);
      break;
    case 'update':
      adjustUpdate(state, surveyLeaves(change.diffs, change.type));
      break;
    case 'replace':
    case 'delete':
      destructive = adjustDestroy(state);
      break;
    default:
  }
  return { level: state.level, reasons: capReasons(state), destructive };
}

/** @returns true when the change counts as destructive */
function adjustDestroy(base: Base): boolean {
  const { change, traits, action } = base;
  const link = isLink(change, traits);
  if (link) cap(base, 'R-ACT-LINK', 'medium', 'It is one relation or rule: what it connects stays.');
  if (traits.workload) {
    raise(base, 'R-ACT-WORKLOAD', 'high', 'It serves requests or runs jobs: destroying it is an outage.');
  }
  if (traits.versioned !== null) adjustVersioned(base, traits.versioned);

  if (IDLE_TYPES.has(change.type) && action === 'delete') {
    cap(base, 'R-ACT-IDLE', 'medium', 'The cloud refuses to delete it while traffic is sent to it.');
  }

  const deposed = action === 'delete' && change.deposed !== null;
  if (deposed) adjustDeposed(base);
  if (action === 'replace' && change.actions[0] === 'create') adjustCreateFirst(base);
  return !link && !deposed && traits.versioned === null;
}

/** A rule that denies is a protection, not a mere link. */
function isLink({ before }: ResourceChange, traits: Traits): boolean {
  if (traits.link) return before === null || !isDenial(before);
  return traits.dns_record && typeof before?.['name'] === 'string' && before['name'].startsWith('_');
}

function isDenial(rule: NonNullable<ResourceChange['before']>): boolean {
  for (const attribute of ['access', 'action', 'rule_action']) {
    const value = Object.hasOwn(rule, attribute) ? rule[attribute] : null;
    if (typeof value === 'string' && value.toLowerCase() === 'deny') return true;
  }
  const deny = Object.hasOwn(rule, 'deny') ? rule['deny'] : null;
  return Array.isArray(deny) && deny.length > 0;
}

function adjustVersioned(base: Base, versioned: NonNullable<Traits['versioned']>): void {
  if (base.action === 'replace') {
    cap(base, 'R-ACT-VERSIONED', 'low', 'A new version in place of the old one is how this type is normally changed.');
  } else if (versioned === 'helper') {
    cap(base, 'R-ACT-VERSIONED', 'low', 'It lives in the state alone: no cloud object goes.');
  } else if (versioned === 'secret') {
    cap(base, 'R-ACT-VERSIONED', 'high', 'One version of a secret goes; the secret itself stays.');
  } else {
    cap(base, 'R-ACT-VERSIONED', 'medium', 'One version goes; whatever already runs on it goes on.');
  }
}

function adjustDeposed(base: Base): void {
  const holds = base.traits.kind === 'data' || base.traits.kind === 'key';
  const message = 'It is the leftover of an earlier replacement that was created first; its successor is in use.';
  cap(base, 'R-ACT-DEPOSED', holds ? 'medium' : 'low', message);
}

/** Not for what holds data: a new one beside the old one is empty. */
function adjustCreateFirst(base: Base): void {
  const { kind, versioned } = base.traits;
  if (versioned !== null || kind === 'data' || kind === 'key' || kind === 'container') return;
  const level = maxLevel('low', stepDown(base.level));
  cap(base, 'R-ACT-CREATEFIRST', level, 'The new one stands before the old one goes.');
}

function adjustCreate(base: Base): void {
  const { change, traits } = base;
  if (base.level !== 'medium' || !traits.categories.includes('iam')) return;
  if (isAuditOnly(change)) cap(base, 'R-ACT-IAM-BARE', 'low', 'The policy reports and refuses nothing.');
  if (isNarrowGrant(change)) {
    cap(
      base,
      'R-ACT-IAM-NARROW',
      'low',
      'The role reads or uses one kind of thing; it changes nothing and grants nothing.',
    );
  }
  if (!grantsToServicesOnly(change, traits)) return;
  cap(base, 'R-ACT-IAM-BARE', 'low', 'By itself it grants nothing to a person or an account.');
}

function adjustUpdate(base: Base, leaves: LeafSurvey): void {
  if (leaves.backup_tag !== null) {
    adjustBackupTag(base, leaves.cosmetic, leaves.backup_tag);
  } else if (leaves.cosmetic) {
    const level = base.traits.categories.includes('iam') ? 'low' : 'none';
    cap(base, 'R-ACT-COSMETIC', level, 'Only tags, labels or descriptive text change.');
  } else if (leaves.ttl) {
    cap(base, 'R-ACT-TTL', 'low', 'Only the time to live changes: how long answers are remembered, not what they say.');
  } else if (leaves.hardening) {
    cap(base, 'R-ACT-HARDENING', 'low', 'Every changed attribute becomes stricter or safer.');
  } else if (leaves.renewal) {
    cap(base, 'R-ACT-ROUTINE', 'low', 'A secret gets another value in place of the one it had.');
  } else if (leaves.routine && !guards(base.traits)) {
    cap(base, 'R-ACT-ROUTINE', 'low', 'Only releases, pace or more capacity: settings that change every day.');
  }
}

/** A cluster or database may stand on the list of security too; what it holds is what it is. */
function guards({ categories, kind }: Traits): boolean {
  if (kind !== null && kind !== 'key') return false;
  return categories.some((category) => GUARDING.has(category));
}

function adjustBackupTag(base: Base, alone: boolean, path: string): void {
  if (alone) {
    base.level = 'none';
    base.reasons = [];
  }
  const message = 'A tag by which backups or snapshots may be selected changes or goes: they could stop unnoticed.';
  raise(base, 'R-ACT-COSMETIC', 'medium', message, path);
}

function cap(base: Base, rule_id: string, level: RiskLevel, message: string): void {
  if (isAtLeast(level, base.level)) return;
  base.level = level;
  base.reasons.push({ rule_id, kind: 'base', effect: 'cap', level, path: null, message });
}

function raise(base: Base, rule_id: string, level: RiskLevel, message: string, path: string | null = null): void {
  if (isAtLeast(base.level, level)) return;
  base.level = level;
  base.reasons.push({ rule_id, kind: 'base', effect: 'raise', level, path, message });
}

/** What was capped afterwards is shown at the level that is left of it, and not at all when nothing is left. */
function capReasons({ reasons, level }: Base): Reason[] {
  if (reasons.length === 1) return reasons;
  for (const reason of reasons) reason.level = minLevel(reason.level, level);
  return level === 'none' ? reasons.filter(({ effect }) => effect === 'cap') : reasons;
}
