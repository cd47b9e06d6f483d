import type { ResourceChange } from '../changes/types.ts';
import { isAtLeast, maxLevel, minLevel, stepDown } from '../model/levels.ts';
import type { Reason, RiskLevel } from '../model/result.ts';
import { grantsToServicesOnly } from './bare-grant.ts';
import type { BaseAction } from './base.ts';
import { keepsCertifiedNames } from './certified-names.ts';
import { type LeafSurvey, surveyLeaves } from './leaves.ts';
import { isAuditOnly, isEmptyGroup, isNarrowGrant } from './narrow-grant.ts';
import { findOrderedKind } from './ordering/kinds.ts';
import { findRecovery } from './recovery.ts';
import { isShortLived } from './short-lived.ts';
import type { Traits } from './traits.ts';

/** Types that the cloud deletes only when nothing uses them. */
const IDLE_TYPES: ReadonlySet<string> = new Set(['aws_lb_target_group', 'aws_alb_target_group']);

/** Categories in which any attribute may be a permission or a protection. */
const GUARDING: ReadonlySet<string> = new Set(['iam', 'security', 'encryption']);

/** Reasons of the adjustments, by rule id and case. */
const REASONS = {
  'R-ACT-LINK': 'Only a relation or rule is removed; the resources that it connects stay.',
  'R-ACT-WORKLOAD': 'It serves requests or runs jobs: destroying it causes an outage.',
  'R-ACT-IDLE': 'The cloud refuses to delete it while it receives traffic.',
  'R-ACT-SHORTLIVED': 'Its names and tags belong to a short-lived environment, and it holds no data that lasts.',
  'R-ACT-VERSIONED': {
    replace: 'This type is normally changed by creating a new version.',
    helper: 'It exists only in the state: no cloud object is destroyed.',
    secret: 'Only one version of the secret is deleted; the secret itself stays.',
    object: 'Only one version is deleted; systems that already run on it keep running.',
  },
  'R-ACT-DEPOSED': 'It is the old object of an earlier create-before-destroy replacement; its successor is in use.',
  'R-ACT-SAMERULE': 'The new rule does the same as the old one; it is missing only until it is created.',
  'R-ACT-CREATEFIRST': 'The new object is created before the old one is destroyed.',
  'R-ACT-IAM-BARE': {
    audit_only: 'The policy only reports; it does not deny anything.',
    empty: 'It has no members and no rights yet.',
    services_only: 'By itself it grants no access to a person or an account.',
  },
  'R-ACT-IAM-NARROW': 'The role only reads or uses one kind of resource; it changes nothing and grants nothing.',
  'R-ACT-COSMETIC': {
    text_only: 'Only tags, labels or descriptive text change.',
    backup_tag:
      'A tag that may select resources for backups or snapshots is changed or removed: backups could stop unnoticed.',
  },
  'R-ACT-TTL': 'Only the time to live changes: DNS answers are cached for a different time, but do not change.',
  'R-ACT-HARDENING': 'Every changed attribute becomes stricter or safer.',
  'R-ACT-HARMLESS': 'The effect of every changed argument is known, and none weakens or redirects anything.',
  'R-ACT-ROUTINE': {
    renewal: 'A secret gets a new value.',
    settings: 'Only routine settings change: releases, timing or more capacity.',
    value: 'A plain value of a store of settings changes; what the value means is judged apart.',
  },
} as const;

/** What the adjustments start from. */
export interface BaseInput {
  change: ResourceChange;
  traits: Traits;
  action: BaseAction;
  base: Reason;
  /** The effect of every changed argument is known, and none weakens or redirects anything. */
  harmless: boolean;
}

/** The base of one change while the adjustments are applied. */
interface Base {
  change: ResourceChange;
  traits: Traits;
  action: BaseAction;
  level: RiskLevel;
  reasons: Reason[];
}

export interface AdjustedBase {
  level: RiskLevel;
  /** The base reason and each adjustment that changed its level. No reason is above `level`. */
  reasons: Reason[];
  /** A delete or replace of anything but a version, a link or a deposed object. */
  destructive: boolean;
}

/** Applies the adjustments of the base in a fixed order. The `direction` of the diffs must already be set. */
export function adjustBase({ change, traits, action, base, harmless }: BaseInput): AdjustedBase {
  const state: Base = { change, traits, action, level: base.level, reasons: [base] };
  let destructive = false;
  switch (action) {
    case 'create':
      adjustCreate(state);
      break;
    case 'update':
      adjustUpdate(state, surveyLeaves(change.diffs, change.type), harmless);
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
  if (link) cap(base, 'R-ACT-LINK', 'medium', REASONS['R-ACT-LINK']);
  if (traits.workload) {
    raise(base, 'R-ACT-WORKLOAD', 'high', REASONS['R-ACT-WORKLOAD']);
  }
  if (traits.versioned !== null) adjustVersioned(base, traits.versioned);
  // A marker holds nothing, but what is deleted with it may have been the purpose of the plan.
  if (change.type === 'terraform_data' && action === 'replace') adjustVersioned(base, 'helper');
  adjustRecovery(base);

  if (IDLE_TYPES.has(change.type) && action === 'delete') {
    cap(base, 'R-ACT-IDLE', 'medium', REASONS['R-ACT-IDLE']);
  }

  const short_lived = action === 'delete' && isShortLived(change, traits);
  if (short_lived) cap(base, 'R-ACT-SHORTLIVED', 'medium', REASONS['R-ACT-SHORTLIVED']);

  const deposed = action === 'delete' && change.deposed !== null;
  if (deposed) adjustDeposed(base);
  if (action === 'replace' && keepsMeaning(change)) {
    cap(base, 'R-ACT-SAMERULE', 'low', REASONS['R-ACT-SAMERULE']);
  }
  if (action === 'replace' && change.actions[0] === 'create') adjustCreateFirst(base);
  return !link && !deposed && !short_lived && traits.versioned === null;
}

function adjustRecovery(base: Base): void {
  const found = findRecovery(base.change, base.traits);
  if (found === null) return;
  const { rule_id, effect, level, message, path } = found;
  if (effect === 'cap') cap(base, rule_id, level, message);
  else raise(base, rule_id, level, message, path);
}

/** Returns true for a rule of an ordered list that is replaced by one that is as strict and has the same place among the others. */
function keepsMeaning({ type, diffs }: ResourceChange): boolean {
  return findOrderedKind(type) !== undefined && surveyLeaves(diffs, type).hardening;
}

/** Returns true for a relation or rule. A deny rule is a protection, not a link. */
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
  const messages = REASONS['R-ACT-VERSIONED'];
  if (base.action === 'replace') {
    cap(base, 'R-ACT-VERSIONED', 'low', messages.replace);
  } else if (versioned === 'helper') {
    cap(base, 'R-ACT-VERSIONED', 'low', messages.helper);
  } else if (versioned === 'secret') {
    cap(base, 'R-ACT-VERSIONED', 'high', messages.secret);
  } else {
    cap(base, 'R-ACT-VERSIONED', 'medium', messages.object);
  }
}

function adjustDeposed(base: Base): void {
  const holds = base.traits.kind === 'data' || base.traits.kind === 'key';
  cap(base, 'R-ACT-DEPOSED', holds ? 'medium' : 'low', REASONS['R-ACT-DEPOSED']);
}

/** Skips types that hold data, because the new object starts empty. */
function adjustCreateFirst(base: Base): void {
  const { kind, versioned } = base.traits;
  if (versioned !== null || kind === 'data' || kind === 'key' || kind === 'container') return;
  const level = keepsCertifiedNames(base.change) ? 'low' : maxLevel('low', stepDown(base.level));
  cap(base, 'R-ACT-CREATEFIRST', level, REASONS['R-ACT-CREATEFIRST']);
}

function adjustCreate(base: Base): void {
  const { change, traits } = base;
  if (base.level !== 'medium' || !traits.categories.includes('iam')) return;
  if (isAuditOnly(change)) cap(base, 'R-ACT-IAM-BARE', 'low', REASONS['R-ACT-IAM-BARE'].audit_only);
  if (isEmptyGroup(change)) cap(base, 'R-ACT-IAM-BARE', 'low', REASONS['R-ACT-IAM-BARE'].empty);
  if (isNarrowGrant(change)) cap(base, 'R-ACT-IAM-NARROW', 'low', REASONS['R-ACT-IAM-NARROW']);
  if (!grantsToServicesOnly(change, traits)) return;
  cap(base, 'R-ACT-IAM-BARE', 'low', REASONS['R-ACT-IAM-BARE'].services_only);
}

function adjustUpdate(base: Base, leaves: LeafSurvey, harmless: boolean): void {
  if (leaves.backup_tag !== null) {
    adjustBackupTag(base, leaves.cosmetic, leaves.backup_tag);
  } else if (leaves.cosmetic) {
    const level = base.traits.categories.includes('iam') ? 'low' : 'none';
    cap(base, 'R-ACT-COSMETIC', level, REASONS['R-ACT-COSMETIC'].text_only);
  } else if (leaves.ttl) {
    cap(base, 'R-ACT-TTL', 'low', REASONS['R-ACT-TTL']);
  } else if (leaves.routine && !guards(base.traits)) {
    cap(base, 'R-ACT-ROUTINE', 'low', REASONS['R-ACT-ROUTINE'].settings);
  } else if (leaves.hardening) {
    cap(base, 'R-ACT-HARDENING', 'low', REASONS['R-ACT-HARDENING']);
  } else if (leaves.renewal) {
    cap(base, 'R-ACT-ROUTINE', 'low', REASONS['R-ACT-ROUTINE'].renewal);
  } else if (leaves.settings && !isSecureText(base.change)) {
    cap(base, 'R-ACT-ROUTINE', 'low', REASONS['R-ACT-ROUTINE'].value);
  } else if (harmless) {
    cap(base, 'R-ACT-HARMLESS', 'low', REASONS['R-ACT-HARMLESS']);
  }
}

/** Returns true for a value of a store of settings that is a secret or leads to one. */
function isSecureText({ after }: ResourceChange): boolean {
  return after !== null && ['SecureString', 'vault'].includes(String(after['type']));
}

/** Returns true when the type protects something. A type with a kind, such as a database, counts by its kind. */
function guards({ categories, kind }: Traits): boolean {
  if (kind !== null && kind !== 'key') return false;
  return categories.some((category) => GUARDING.has(category));
}

function adjustBackupTag(base: Base, alone: boolean, path: string): void {
  if (alone) {
    base.level = 'none';
    base.reasons = [];
  }
  raise(base, 'R-ACT-COSMETIC', 'medium', REASONS['R-ACT-COSMETIC'].backup_tag, path);
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

/** Lowers each reason to the final level. At level none, only the reasons that cap remain. */
function capReasons({ reasons, level }: Base): Reason[] {
  if (reasons.length === 1) return reasons;
  for (const reason of reasons) reason.level = minLevel(reason.level, level);
  return level === 'none' ? reasons.filter(({ effect }) => effect === 'cap') : reasons;
}
