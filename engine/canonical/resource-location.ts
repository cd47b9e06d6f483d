import type { JsonObject, JsonValue } from '../model/result.ts';

/** The location of a resource from its own attributes, to which short names in other attributes belong. */
export interface ResourceLocation {
  project: string | null;
  region: string | null;
  zone: string | null;
  account: string | null;
  /** The record type of a DNS record. */
  record_type: string | null;
}

const ARN = /^arn:[a-z-]+:[a-z0-9-]*:([a-z0-9-]*):(\d{12}):/;
const ZONE = /^([a-z]+-[a-z]+\d{1,2})-[a-z]$/;

/** @param side one side of a change; both sides of an update have the same location, otherwise it would be a replace */
export function readLocation(side: JsonObject | null): ResourceLocation {
  if (side === null) return extractLocation(null);
  const known = locations.get(side) ?? extractLocation(side);
  locations.set(side, known);
  return known;
}

/** Caches locations, because they are read for each leaf of a change. */
const locations = new WeakMap<JsonObject, ResourceLocation>();

function extractLocation(side: JsonObject | null): ResourceLocation {
  const zone = readLastSegment(side, 'zone');
  const [, arn_region, arn_account] = ARN.exec(readText(side, 'arn') ?? '') ?? [];
  const region =
    readLastSegment(side, 'region') ?? arn_region ?? regionOfZone(zone ?? readLastSegment(side, 'location'));
  return {
    project: readText(side, 'project'),
    region: region === '' ? null : region,
    zone,
    account: arn_account ?? readText(side, 'owner_id') ?? readText(side, 'account_id'),
    record_type: readText(side, 'type'),
  };
}

function regionOfZone(place: string | null): string | null {
  return place === null ? null : (ZONE.exec(place)?.[1] ?? place);
}

/** Returns the last segment of a link, or the name itself. */
function readLastSegment(side: JsonObject | null, member: string): string | null {
  return readText(side, member)?.split('/').at(-1) ?? null;
}

function readText(side: JsonObject | null, member: string): string | null {
  const value: JsonValue | undefined = side !== null && Object.hasOwn(side, member) ? side[member] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
}
