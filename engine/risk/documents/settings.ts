/** Judges one changed setting of a document, such as a Helm value, by the words of its path and by its value. */
import type { MaybeJson } from '../../changes/values.ts';
import { compareValues, type Effect, inferEffect } from '../../effects/index.ts';
import { findConcept } from '../../effects/infer.ts';
import { splitWords } from '../../effects/words.ts';
import { minLevel } from '../../model/levels.ts';
import type { RiskLevel } from '../../model/result.ts';
import { findMove } from '../meaning/direction.ts';
import { readMagnitude } from '../meaning/magnitude.ts';
import { describeConsequence } from '../meaning/reasons.ts';
import { readSwitch } from '../meaning/switch.ts';
import type { KnownEffect, Move } from '../meaning/types.ts';
import { gainsOnlyEphemeral } from '../meaning/values/ephemeral.ts';
import { judgeAllowlist } from './allow-lists.ts';
import { findHostMove } from './hosts.ts';
import { findKnownSetting } from './known-settings.ts';
import { losesAuthentication, rankValues, sendsNowhere } from './known-values.ts';
import { judgeSwitchedOff } from './switches.ts';

/** A setting inside a document, before and after. */
export interface Setting {
  /** Names in its path, outermost first, without list indexes. */
  names: readonly string[];
  before: MaybeJson;
  after: MaybeJson;
}

/** What follows from a changed setting. */
export interface SettingFinding {
  level: RiskLevel;
  direction: Move['direction'];
  consequence: string;
}

const MAX_NAMES = 12;
const MAX_NAME_CHARS = 120;

/** Judges a changed setting; null when its name and values say nothing about risk. */
export function judgeSetting({ names, before, after }: Setting): SettingFinding | null {
  const path = readNames(names);
  const words = path.flatMap(splitWords);
  if (words.some((word) => LEFT_OUT.has(word)) && gainsOnlyEphemeral(before, after)) return TEMPORARY;
  return (
    judgeValues(words, before, after) ??
    judgeSwitchedOff(words, before, after) ??
    judgeAllowlist(words, before, after) ??
    judgeKnown(words, before, after) ??
    (isFree(names) ? null : judgeInferred(path, words, before, after))
  );
}

const LEFT_OUT = new Set(splitWords('exclude excluded excludes exclusion exclusions ignore ignored skip'));
const TEMPORARY: SettingFinding = {
  level: 'low',
  direction: 'neutral',
  consequence: 'Only what is temporary is left out, too',
};

/** Names without the domain before a slash, dots as separate names, and acronyms apart from words: `TLSEnabled`. */
function readNames(names: readonly string[]): string[] {
  const out: string[] = [];
  for (const name of names.slice(-MAX_NAMES)) {
    const local = name.slice(name.lastIndexOf('/') + 1, MAX_NAME_CHARS);
    const parts = local.replace(/mTLS/g, 'mtls').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2');
    out.push(...parts.split(/[.\\]/).filter((part) => part !== ''));
  }
  return out;
}

/** Keys of annotations and labels are free text, so that only known ones say something. */
function isFree(names: readonly string[]): boolean {
  return names.slice(0, -1).some((name) => /annotations|labels$/i.test(name));
}

function judgeValues(words: readonly string[], before: MaybeJson, after: MaybeJson): SettingFinding | null {
  const host = findHostMove(words, before, after);
  if (host !== null) return { ...host, direction: 'neutral' };
  if (losesAuthentication(words, before, after)) return weaken('high', 'Callers no longer have to authenticate');
  if (sendsNowhere(words, before, after)) return weaken('high', 'Alerts, logs or events are thrown away');
  if (becomesRoot(words, before, after)) return weaken('medium', 'The process runs as root');
  if (gainsEverything(words, before, after)) return weaken('critical', 'Somebody gets all rights in the cluster');
  if (becomesAdministrator(before, after)) return weaken('high', 'Somebody gets the rights of an administrator');
  const rank = rankValues(words, before, after);
  if (rank === undefined) return null;
  if (rank.after > rank.before) return STRENGTHENS;
  return weaken(
    rank.after === 0 || rank.most === 'medium' || rank.before - rank.after > 1 || rank.before > 1
      ? rank.most
      : 'medium',
    describeConsequence(rank.effect, { direction: 'weakening', degree: rank.after === 0 ? 'all' : 'part' }),
  );
}

const STRENGTHENS: SettingFinding = {
  level: 'low',
  direction: 'strengthening',
  consequence: 'The setting is stricter',
};

function weaken(level: RiskLevel, consequence: string): SettingFinding {
  return { level, direction: 'weakening', consequence };
}

const GROUPS = new Set(splitWords('group groups role roles'));
const ALL_RIGHTS = /(?:^|["[,])(?:system:masters|cluster-admin)(?:["\],]|$)/;

/** Whether a list of groups, or a new entry that has one, comes to contain the administrators of a cluster. */
function gainsEverything(words: readonly string[], before: MaybeJson, after: MaybeJson): boolean {
  const is_entry = typeof after === 'object' && after !== null && !Array.isArray(after);
  if (!is_entry && !words.slice(-2).some((word) => GROUPS.has(word))) return false;
  if (is_entry && !Object.keys(after).some((key) => GROUPS.has(key.toLowerCase()))) return false;
  const [was, is] = [before, after].map((side) =>
    ALL_RIGHTS.test(typeof side === 'string' ? side : JSON.stringify(side ?? '')),
  );
  return !was && is === true;
}

const LESS_RIGHTS =
  /^(?:.{0,30}:)?(?:none|viewer|reader|read|readonly|read-only|read_only|guest|member|user|editor|developer|contributor|reporter|operator)$/i;
const MOST_RIGHTS = /^(?:.{0,30}:)?(?:admin|administrator|owner|root|superuser|superadmin|super_admin|cluster-admin)$/i;

/** Whether the name of a role becomes that of an administrator, whatever holds it. */
function becomesAdministrator(before: MaybeJson, after: MaybeJson): boolean {
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  return LESS_RIGHTS.test(before) && MOST_RIGHTS.test(after);
}

const USERS = new Set(['run as user', 'run as group', 'container user']);

function becomesRoot(words: readonly string[], before: MaybeJson, after: MaybeJson): boolean {
  const is_user = USERS.has(words.slice(-3).join(' ')) || words.at(-1) === 'user';
  return is_user && isRoot(after) && before !== undefined && before !== null && before !== '' && !isRoot(before);
}

function isRoot(value: MaybeJson): boolean {
  return value === 0 || (typeof value === 'string' && /^(?:0|root)(?::(?:0|root))?$/.test(value));
}

function judgeKnown(words: readonly string[], before: MaybeJson, after: MaybeJson): SettingFinding | null {
  const known = findKnownSetting(words);
  if (known === undefined) return null;
  const effect: Effect = { effect: known.effect, safe_end: known.end, sentinel: null, inferred: true };
  const move = findFullMove(effect, before, after);
  if (move.direction === 'strengthening') return STRENGTHENS;
  if (move.direction === 'neutral') return null;
  const level = move.degree === 'all' ? known.most : 'medium';
  return weaken(level, describeConsequence(known.effect, move));
}

/** A danger or a protection that appears in a document, where it was absent before, is turned on or off there. */
function findFullMove(effect: Effect, before: MaybeJson, after: MaybeJson): Move {
  const move = findMove(effect, before, after);
  if (move.direction !== 'neutral') return move;
  const order = compareValues(effect, before, after);
  if (before === undefined && (effect.safe_end === 'true' || effect.safe_end === 'false')) {
    const is_on = readSwitch(after);
    if (is_on === undefined) return move;
    return is_on === (effect.safe_end === 'true') ? STRONGER : { direction: 'weakening', degree: 'part' };
  }
  if (order === undefined || typeof before !== typeof after) return move;
  return order === 'safer' ? STRONGER : { direction: 'weakening', degree: 'part' };
}

const STRONGER: Move = { direction: 'strengthening', degree: 'part' };

/** Effects of settings that matter where they stand; the others are routine in documents. */
const MOST: Partial<Record<KnownEffect, RiskLevel>> = {
  guard: 'high',
  encryption: 'high',
  identity: 'high',
  exposure: 'high',
  retention: 'high',
  observability: 'medium',
  destructive: 'medium',
};
const SECURITY_LOGS = new Set(splitWords('audit security threat siem falco guard intrusion'));
/** Protections of availability. */
const AVAILABILITY = new Set(
  splitWords('disruption budget circuit probe health readiness liveness autoscaler pdb rate'),
);
/** What a tool reports to its vendor, or only shows. */
const USAGE_DATA = new Set(splitWords('telemetry analytics usage dashboard'));
/** Last words of a switch that turns the thing on that the names before it say. */
const SWITCHES = new Set(splitWords('enabled enable active install required mode'));

function judgeInferred(
  path: readonly string[],
  words: readonly string[],
  before: MaybeJson,
  after: MaybeJson,
): SettingFinding | null {
  const found = inferEffect('', path, after ?? before);
  const basis = findConcept('', path)?.basis;
  const most = found.effect === 'unknown' ? undefined : MOST[found.effect];
  if (most === undefined || basis === 'weak' || words.some((word) => USAGE_DATA.has(word))) return null;
  const effect = found.effect as KnownEffect;
  const move = findFullMove(found, before, after);
  if (move.direction === 'strengthening') return STRENGTHENS;
  if (move.direction === 'neutral' || isSmallStep(found, before, after)) return null;
  const level = isExplicit(words, basis, found, move) ? raiseForAudit(most, effect, words) : 'medium';
  return weaken(minLevel(level, findLimit(words)), describeConsequence(effect, move));
}

/** Limits and thresholds are tuned in small steps. */
function isSmallStep({ safe_end, effect }: Effect, before: MaybeJson, after: MaybeJson): boolean {
  if (effect === 'retention' || (safe_end !== 'more' && safe_end !== 'less')) return false;
  const [was, is] = [readMagnitude(before), readMagnitude(after)];
  if (was === null || is === null || was.amount <= 0 || is.amount <= 0) return false;
  return Math.max(was.amount, is.amount) < Math.min(was.amount, is.amount) * 10;
}

/** A name says it itself, or its last word turns off what the names before it say. */
function isExplicit(
  words: readonly string[],
  basis: string | undefined,
  { safe_end }: Effect,
  { degree }: Move,
): boolean {
  if (degree !== 'all') return false;
  return basis === 'own' || (SWITCHES.has(words.at(-1) ?? '') && safe_end === 'true');
}

function raiseForAudit(most: RiskLevel, effect: KnownEffect, words: readonly string[]): RiskLevel {
  return effect === 'observability' && words.some((word) => SECURITY_LOGS.has(word)) ? 'high' : most;
}

function findLimit(words: readonly string[]): RiskLevel {
  return words.some((word) => AVAILABILITY.has(word)) ? 'medium' : 'high';
}
