import { canonicalJson } from '../lib/canonical-json.ts';
import { groupBy } from '../lib/group-by.ts';
import type { JsonObject } from '../model/result.ts';
import type { ReadRow } from './rows.ts';
import type { LiveResource } from './types.ts';

export interface MergedRows {
  rows: ReadRow[];
  /** IDs of resources of which two files show different values. */
  contradicting: string[];
}

/**
 * Merges rows of the same resource: the one with all properties wins, then one with some. IDs and tags are collected from
 * all. The result does not depend on the order of the rows.
 */
export function mergeRows(rows: readonly ReadRow[]): MergedRows {
  const contradicting: string[] = [];
  const merged = groupByIds(rows).flatMap((group) => splitGroup(group).map((same) => mergeSame(same, contradicting)));
  return { rows: merged.sort(compareRows), contradicting: contradicting.sort() };
}

/** Rows that share an ID. An ID of AWS that is not an ARN is unique only within its type and region. */
function groupByIds(rows: readonly ReadRow[]): ReadRow[][] {
  const leaders = rows.map((_, at) => at);
  const find = (at: number): number => {
    let leader = at;
    while (leaders[leader] !== leader) {
      leaders[leader] = leaders[leaders[leader] as number] as number;
      leader = leaders[leader] as number;
    }
    return leader;
  };
  const owners = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    for (const key of listKeys(row)) {
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, at);
      else leaders[find(at)] = find(owner);
    }
  }
  return [...groupBy(rows.entries(), ([at]) => find(at)).values()].map((group) => group.map(([, row]) => row));
}

function listKeys({ provider, resource }: ReadRow): string[] {
  const { provider_resource_id: id, provider_type, aliases } = resource;
  if (provider === 'azure') return [`azure ${id}`];
  if (provider === 'gcp') return [id, ...aliases].filter((one) => one === id || one.startsWith('//'));
  return [id, ...aliases].map((one) => (one.startsWith('arn:') ? one : `${provider_type} ${one}`));
}

/** Splits by type, account and region; rows that do not have one belong to the others if there is only one. */
function splitGroup(group: ReadRow[]): ReadRow[][] {
  if (group.length === 1) return [group];
  const [{ provider }] = group as [ReadRow];
  const byType = splitBy(group, readKnownType);
  // IDs of the other clouds name the account and the place.
  if (provider !== 'aws') return byType;
  return byType
    .flatMap((same) => splitBy(same, ({ account_id }) => account_id))
    .flatMap((same) => splitBy(same, ({ resource }) => resource.region));
}

/** Types of ARNs that are not in a table, such as `ec2:fleet`, are not the names that listings use. */
function readKnownType({ provider, resource: { provider_type } }: ReadRow): string | null {
  return provider === 'aws' && !provider_type.includes('::') ? null : provider_type;
}

function splitBy(rows: ReadRow[], read: (row: ReadRow) => string | null): ReadRow[][] {
  const byValue = groupBy(rows, read);
  const values = [...byValue.keys()].filter((value) => value !== null);
  return values.length <= 1 ? [rows] : [...byValue.values()];
}

function mergeSame(rows: ReadRow[], contradicting: string[]): ReadRow {
  const [only] = rows as [ReadRow];
  if (rows.length === 1) return only;
  const ranked = rows.map((row) => ({ row, rank: rankRow(row), text: writeRow(row) })).sort(compareRanked);
  const best = (ranked[0] as { row: ReadRow }).row;
  const rivals = ranked.filter(({ rank }) => rank === rankRow(best) && rank > 0);
  if (new Set(rivals.map(({ row }) => canonicalJson(row.resource.properties))).size > 1)
    contradicting.push(best.resource.provider_resource_id);
  return combine(
    best,
    ranked.map(({ row }) => row),
  );
}

function combine(best: ReadRow, rows: readonly ReadRow[]): ReadRow {
  const { resource } = best;
  const id = resource.provider_resource_id;
  const ids = new Set(rows.flatMap((row) => [row.resource.provider_resource_id, ...row.resource.aliases]));
  const pick = <T>(read: (row: ReadRow) => T | null) => rows.map(read).find((value) => value !== null) ?? null;
  return {
    ...best,
    account_id: pick((row) => row.account_id),
    resource: {
      ...resource,
      region: pick((row) => row.resource.region),
      name: pick((row) => row.resource.name),
      tags: pick(({ resource: { tags } }) => (Object.keys(tags).length === 0 ? null : tags)) ?? {},
      aliases: [...ids].filter((one) => one !== id).sort(),
    },
  };
}

/** A row of a known type comes first, then one with all properties, then one with some. */
function rankRow(row: ReadRow): number {
  const known = readKnownType(row) === null ? 0 : 3;
  if (row.is_complete) return known + 2;
  return known + (row.resource.properties === null ? 0 : 1);
}

function compareRanked(a: { rank: number; text: string }, b: { rank: number; text: string }): number {
  return b.rank - a.rank || compareTexts(a.text, b.text);
}

function writeRow({ resource, account_id, format }: ReadRow): string {
  return canonicalJson({ ...resource, account_id, format } as unknown as JsonObject);
}

function compareRows(a: ReadRow, b: ReadRow): number {
  return (
    compareTexts(a.provider, b.provider) ||
    compareTexts(a.resource.provider_type, b.resource.provider_type) ||
    compareTexts(a.resource.provider_resource_id, b.resource.provider_resource_id) ||
    compareTexts(a.resource.region ?? '', b.resource.region ?? '')
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function toLiveResource({ provider, resource, is_complete, account_id }: ReadRow): LiveResource {
  return { provider, account_id, ...resource, is_complete };
}
