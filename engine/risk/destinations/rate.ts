/** Compares where a value points before and after a change, and rates a destination that is not ours. */
import type { MaybeJson } from '../../changes/values.ts';
import { minLevel } from '../../model/levels.ts';
import type { RiskLevel } from '../../model/result.ts';
import { isPrivateRegistry, isSharedName, isVendor } from './hosts.ts';
import { hasOtherEnding, looksLike } from './look-alike.ts';
import type { Ownership } from './ownership.ts';
import { type Place, readPlace } from './places.ts';
import type { Purpose } from './purpose.ts';

/** Whose the new place is, from the least to the most suspicious. */
export type Relation = 'same' | 'ours' | 'vendor' | 'foreign' | 'look-alike' | 'anonymous';

export interface Destination {
  relation: Relation;
  level: RiskLevel;
  /** The value whose owner decides. */
  value: string;
  owner: string;
  /** The owner that a look-alike imitates. */
  imitates?: string;
}

const ORDER: readonly Relation[] = ['same', 'ours', 'vendor', 'foreign', 'look-alike', 'anonymous'];
/** The level of a place that belongs to somebody else. */
const FOREIGN: Record<Purpose, RiskLevel> = {
  data: 'high',
  code: 'high',
  image: 'medium',
  identity: 'high',
  key: 'high',
  traffic: 'medium',
  watch: 'high',
  text: 'none',
};

/**
 * Rates where a value points to after a change. Lists are compared as sets: only added places count.
 *
 * @param ownership the owners that the plan already uses
 * @param purpose what comes from the place or goes to it
 * @returns null if the new value names no place, or not only places
 */
export function rateDestination(
  before: MaybeJson,
  after: MaybeJson,
  ownership: Ownership,
  purpose: Purpose,
): Destination | null {
  if (purpose === 'text') return null;
  const known = toValues(before);
  const added = toValues(after).filter((value) => !known.includes(value));
  const earlier = known.flatMap((value) => readPlace(value) ?? []);
  let worst: Destination | null = null;
  for (const value of added.slice(0, MAX_VALUES)) {
    const place = readPlace(value);
    if (place === null || place.owner === '') return null;
    const found = ratePlace(value, place, earlier, ownership, purpose);
    if (worst === null || ORDER.indexOf(found.relation) > ORDER.indexOf(worst.relation)) worst = found;
  }
  return worst;
}

/** What a new resource hands to others, or accepts from them, if its place belongs to somebody else. */
const HANDED: ReadonlySet<Purpose> = new Set(['data', 'key', 'identity'] as const);

/**
 * The level of a place that a new resource names. A new resource may well point to places that the plan did not use, so
 * only what it hands over counts, and only if the plan shows which accounts, projects or domains are ours.
 */
export function rateNewDestination(
  { relation, level, owner }: Destination,
  ownership: Ownership,
  purpose: Purpose,
): RiskLevel {
  if (relation === 'look-alike' || relation === 'anonymous') return level;
  if (relation !== 'foreign' || !HANDED.has(purpose) || !ownership.hasLike(owner)) return 'none';
  if (owner.startsWith('bucket:') || isSharedName(owner)) return 'none';
  // An account is named on purpose; a domain can be one of many that an organization has.
  return owner.includes(':') && !owner.startsWith('address:') ? level : minLevel('medium', level);
}

const MAX_VALUES = 100;

function toValues(value: MaybeJson): string[] {
  const values = Array.isArray(value) ? value.slice(0, 1_000) : [value];
  return values.filter((item): item is string => typeof item === 'string' && item !== '');
}

function ratePlace(
  value: string,
  place: Place,
  earlier: readonly Place[],
  ownership: Ownership,
  purpose: Purpose,
): Destination {
  const { owner } = place;
  if (earlier.some((known) => known.whole === place.whole)) return { relation: 'same', level: 'none', value, owner };
  const is_known = owner === 'internal' || earlier.some((known) => known.owner === owner) || ownership.has(owner);
  if (place.anonymous && !earlier.some((known) => known.owner === owner))
    return { relation: 'anonymous', level: 'high', value, owner };
  if (is_known) return { relation: 'ours', level: 'low', value, owner };
  const imitates = findImitated(owner, earlier, ownership);
  if (imitates !== undefined) {
    const level = purpose === 'traffic' && hasOtherEnding(owner, imitates) ? 'medium' : 'high';
    return { relation: 'look-alike', level, value, owner, imitates };
  }
  return rateForeign(value, place, earlier, ownership, purpose);
}

function findImitated(owner: string, earlier: readonly Place[], ownership: Ownership): string | undefined {
  if (owner.includes(':') || isSharedName(owner) || isVendor(owner)) return undefined;
  return findLike(owner, earlier) ?? ownership.findLookAlike(owner);
}

function rateForeign(
  value: string,
  { owner }: Place,
  earlier: readonly Place[],
  ownership: Ownership,
  purpose: Purpose,
): Destination {
  if (isVendor(owner)) return { relation: 'vendor', level: minLevel('medium', FOREIGN[purpose]), value, owner };
  if (earlier.some((known) => isSibling(owner, known.owner))) return { relation: 'ours', level: 'low', value, owner };
  // Without an owner to compare with, the place may well be ours. Names of buckets and tenants say little as well,
  // except where code came from.
  const is_uncertain =
    (earlier.length === 0 && ownership.is_empty) ||
    (owner.startsWith('bucket:') && (purpose !== 'code' || earlier.length === 0)) ||
    isSharedName(owner);
  // Images of a public registry replace those that only we can write.
  if (purpose === 'image' && earlier.some((known) => isPrivateRegistry(known.owner)))
    return { relation: 'foreign', level: 'high', value, owner };
  const level = is_uncertain ? minLevel('medium', FOREIGN[purpose]) : FOREIGN[purpose];
  return { relation: 'foreign', level, value, owner };
}

/** Two buckets or tenants whose names begin alike, as those of one organization do. */
function isSibling(owner: string, known: string): boolean {
  if (!(owner.startsWith('bucket:') && known.startsWith('bucket:')) && !(isSharedName(owner) && isSharedName(known)))
    return false;
  const [name, other] = [owner, known].map((text) => text.replace(/^bucket:/, ''));
  const head = (text: string): string => text.split(/[-._]/)[0]!;
  return head(name!) === head(other!) || name!.slice(0, 5) === other!.slice(0, 5);
}

function findLike(owner: string, earlier: readonly Place[]): string | undefined {
  const domains = earlier.map((known) => known.owner).filter((known) => !known.includes(':') && known !== 'internal');
  return domains.find((known) => looksLike(owner, known));
}
