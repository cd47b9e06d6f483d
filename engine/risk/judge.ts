import { ACTION_REASON_TEXTS, describeOrder } from '../changes/action-texts.ts';
import { renderPath } from '../changes/path.ts';
import type { ResourceChange } from '../changes/types.ts';
import type { DocumentReader } from '../documents/reader.ts';
import { capitalize } from '../lib/capitalize.ts';
import { compareLevels, isAtLeast, maxLevel, minLevel } from '../model/levels.ts';
import type { ChangeNoise, JsonObject, JsonValue, Reason, RiskLevel } from '../model/result.ts';
import { NO_RULES, type RuleBook } from '../model/rule-book.ts';
import { type AdjustedBase, adjustBase } from './adjust.ts';
import { findTypeRules } from './attributes/compile.ts';
import { EVERYONE_TYPES } from './attributes/identity/everyone.ts';
import { relaysGrants } from './attributes/identity/relayed-grants.ts';
import { findAttributeReasons } from './attributes/index.ts';
import { changesTags } from './attributes/protection/selected-tags.ts';
import type { BaseAction } from './base.ts';
import { movesDestination } from './destinations/index.ts';
import { destroysForGood, findDiscount } from './discount.ts';
import { copyDirections, type Unwrapped, unwrap } from './generic-types/index.ts';
import { findExposureReason } from './live-exposure.ts';
import { findMeaningReasons } from './meaning/index.ts';
import { findOrderedKind } from './ordering/kinds.ts';
import { applyPolicy, applyRiskRules } from './org-rules.ts';
import { changesFit } from './relations/fits/index.ts';
import { findShield, isShieldable } from './relations/shields.ts';
import { lookUpTraits, type Traits } from './traits.ts';
import type { Judgement, PlanFacts } from './types.ts';

/** AWS attributes that name the accounts that have access. */
const PRINCIPAL_ATTRIBUTES = [
  'assume_role_policy',
  'policy',
  'policy_document',
  'principal',
  'resource_policy',
  'access_policies',
];

const ACCOUNT_ID = /[0-9]{12}/;
const OPENING_TYPE = /^google_(?!project_|folder_|organization_)[a-z0-9_]{1,80}_iam_(?:member|binding)$/;

const SHOWN_CAUSES = 3;
const MAX_CAUSE_CHARS = 80;

/**
 * Computes the deterministic level of one change and all reasons for it. Applies in this order: action and category,
 * attribute rules, whether the resource is public already, the discount for known noise, the org's own risk rules, and
 * the org's risk policy.
 *
 * Without org rules, the level is the highest level of the reasons that raise, lowered by the reasons that cap. Sets
 * `direction` on the change's diffs, and `noise.overridden` when a discount was refused.
 *
 * @param facts must be complete if `needsWholePlan(change)` is true
 * @param book the org's rules and policies
 * @param documents reads documents inside attributes; without it, only JSON policies are judged
 */
export function judge(
  change: ResourceChange,
  facts: PlanFacts,
  noise: ChangeNoise,
  book: RuleBook = NO_RULES,
  documents?: DocumentReader,
): Judgement {
  const unwrapped = unwrap(change);
  const traits = lookUpTraits(unwrapped?.change.type ?? change.type);
  const built_in = judgeByRules(change, unwrapped, traits, { facts, noise, book, documents });
  const guarded = built_in.weakens_high || destroysForGood(change, traits);
  const own = applyRiskRules(change, book, built_in.level, guarded);
  const policy = applyPolicy(change, book, own.level);
  const { level } = policy;
  return {
    level,
    categories: [...traits.categories],
    reasons: [...built_in.reasons, ...own.reasons, ...policy.reasons].sort(compareReasons),
    destructive: built_in.destructive && level !== 'none',
    guarded,
    weakens_high: built_in.weakens_high && isAtLeast(level, 'high'),
  };
}

interface BuiltIn {
  level: RiskLevel;
  reasons: Reason[];
  destructive: boolean;
  weakens_high: boolean;
}

const NO_ACTION: BuiltIn = { level: 'none', reasons: [], destructive: false, weakens_high: false };

function judgeByRules(
  change: ResourceChange,
  unwrapped: Unwrapped | null,
  traits: Traits,
  {
    facts,
    noise,
    book,
    documents,
  }: { facts: PlanFacts; noise: ChangeNoise; book: RuleBook; documents: DocumentReader | undefined },
): BuiltIn {
  // This runs first because the base reads the directions that it sets.
  const effective = unwrapped?.change ?? change;
  const attributes = findAttributeReasons(effective, facts, book.disabled_risk, unwrapped?.toPlanPath);
  const meaning = findMeaningReasons(effective, {
    facts,
    disabled: book.disabled_risk,
    documents,
    judged: attributes.judged,
    toPlanPath: unwrapped?.toPlanPath,
  });
  const exposed = findExposureReason(change, findHighest(attributes.weakening, meaning.weakening), book.disabled_risk);
  const found = [...attributes.reasons, ...meaning.reasons, ...(exposed === null ? [] : [exposed])];
  const weakens_high = [attributes.weakening, meaning.weakening, exposed].some(isSevere);
  const harmless = meaning.harmless && !found.some(({ level }) => isAtLeast(level, 'medium'));
  const base = computeBase(change, traits, { effective, harmless });
  if (unwrapped !== null) copyDirections(change, unwrapped);
  if (base === null) return NO_ACTION;
  const reasons = [...base.reasons, ...found];
  const raised = maxLevel(base.level, ...found.map((reason) => reason.level));
  const discount = findDiscount(change, traits, noise, raised, weakens_high);
  if (discount !== null) reasons.push(discount);
  const unshielded = discount === null ? raised : minLevel(raised, discount.level);
  const shield = findShield(effective, facts.neighbors, unshielded);
  if (shield !== null) reasons.push(shield);
  const level = shield === null ? unshielded : shield.level;
  return { level, reasons, destructive: base.destructive, weakens_high };
}

function findHighest(a: Reason | null, b: Reason | null): Reason | null {
  if (a === null || b === null) return a ?? b;
  return compareLevels(b.level, a.level) > 0 ? b : a;
}

function isSevere(reason: Reason | null): boolean {
  return reason !== null && isAtLeast(reason.level, 'high');
}

/**
 * Computes the level that follows from action and category only; null when no object changes. The `direction` of the
 * diffs must already be set.
 */
export function computeBase(
  change: ResourceChange,
  traits: Traits,
  { effective = change, harmless = false }: { effective?: ResourceChange; harmless?: boolean } = {},
): AdjustedBase | null {
  const action = toBaseAction(change);
  return action === null
    ? null
    : adjustBase({ change: effective, traits, action, base: baseReason(change, traits, action), harmless });
}

/**
 * Returns true when a change can be evaluated only with the facts of the whole plan: whether a protected resource is
 * deleted together with its guard, and which accounts and other owners belong to the plan.
 */
export function needsWholePlan(change: ResourceChange): boolean {
  const effective = unwrap(change)?.change ?? change;
  const { type, mode, action, after } = effective;
  if (mode === 'data') return false;
  if (movesDestination(effective) || movesInList(effective) || changesTags(effective)) return true;
  if (isShieldable(effective)) return true;
  if ((action === 'delete' || action === 'replace') && (findTypeRules(type)?.onDelete.length ?? 0) > 0) return true;
  if (action !== 'create' && action !== 'update' && action !== 'replace') return false;
  if (changesFit(effective) || EVERYONE_TYPES.has(type) || /_iam_binding$/.test(type)) return true;
  if (after === null) return false;
  if (relaysGrants(type, after)) return true;
  if (type === 'azurerm_storage_container') return true;
  return type.startsWith('aws_') ? namesPrincipals(type, after) : OPENING_TYPE.test(type) && opensToEverybody(after);
}

/** Returns true for a rule whose place in its list changes, or that may leave nothing to the rules behind it. */
function movesInList({ type, action, diffs }: ResourceChange): boolean {
  const kind = action === 'delete' ? undefined : findOrderedKind(type);
  if (kind === undefined || kind.whole_match) return kind !== undefined;
  const [first] = kind.priority.split('.');
  return diffs.some(({ path_segments }) => path_segments[0] === first);
}

/** Public access to a resource that the same plan creates is less risky than to an existing one. */
function opensToEverybody(after: JsonObject): boolean {
  const members = after['members'] ?? after['member'];
  const named = Array.isArray(members) ? members : [members];
  return named.includes('allUsers') || named.includes('allAuthenticatedUsers');
}

function namesPrincipals(type: string, after: JsonObject): boolean {
  if (lookUpTraits(type).grants) return true;
  return PRINCIPAL_ATTRIBUTES.some((attribute) => Object.hasOwn(after, attribute) && mayNameAccount(after[attribute]));
}

/** Most policies name only services and resources, so the accounts of the plan do not matter for them. */
function mayNameAccount(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return ACCOUNT_ID.test(value);
  return value !== null && value !== undefined;
}

/** Orders reasons by level, highest first, then by rule id. */
export function compareReasons(a: Reason, b: Reason): number {
  const byLevel = compareLevels(b.level, a.level);
  if (byLevel !== 0) return byLevel;
  return a.rule_id < b.rule_id ? -1 : a.rule_id > b.rule_id ? 1 : 0;
}

/** Returns the row of the base matrix; null for reads, moves and data sources, which change no object. */
function toBaseAction({ mode, action, actions }: ResourceChange): BaseAction | null {
  if (mode === 'data') return null;
  switch (action) {
    case 'no-op':
    case 'read':
    case 'move':
      return null;
    case 'replace':
      return actions.includes('forget') ? 'forget' : 'replace';
    default:
      return action;
  }
}

function baseReason(change: ResourceChange, traits: Traits, action: BaseAction): Reason {
  const { rule_id, message } = traits.base(action);
  const worst: BaseAction = action === 'unknown' && change.actions.includes('delete') ? 'delete' : action;
  const { level } = traits.base(worst);
  const reason = { rule_id, kind: 'base' as const, effect: 'raise' as const, level, path: null };
  const details = describeDetails(change, action);
  if (details === '') return { ...reason, message };
  return { ...reason, message: `${message} ${details}`, short_message: message };
}

/** The order of a replacement, and why the object is replaced or deleted. */
function describeDetails(change: ResourceChange, action: BaseAction): string {
  if (action === 'delete') return formatCause(ACTION_REASON_TEXTS.get(change.action_reason ?? ''));
  if (action !== 'replace') return '';
  return `${capitalize(describeOrder(change.actions))}. ${formatCause(causeOfReplace(change))}`.trimEnd();
}

function formatCause(cause: string | undefined): string {
  return cause === undefined ? '' : `Cause: ${cause}.`;
}

/** Names the attributes that force the replacement, and notes when the difference looks like avoidable noise. */
function causeOfReplace({ replace_paths, action_reason, diffs }: ResourceChange): string | undefined {
  if (replace_paths.length === 0) return ACTION_REASON_TEXTS.get(action_reason ?? '');
  const shown = replace_paths.slice(0, SHOWN_CAUSES).map((path) => shorten(renderPath(path)));
  const more = replace_paths.length > SHOWN_CAUSES ? ` and ${replace_paths.length - SHOWN_CAUSES} more` : '';
  const causes = `${shown.join(', ')}${more} cannot be changed in place`;
  const forcing = diffs.filter((diff) => diff.forces_replacement);
  const avoidable = forcing.length > 0 && forcing.every((diff) => diff.noise !== 'novel');
  return avoidable ? `${causes}; the difference looks like plan noise, so the replacement may be avoidable` : causes;
}

function shorten(path: string): string {
  return path.length > MAX_CAUSE_CHARS ? `${path.slice(0, MAX_CAUSE_CHARS)}…` : path;
}
