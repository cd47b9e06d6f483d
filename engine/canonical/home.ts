import type { JsonObject, JsonValue } from '../result.ts';

/** Where a resource lives, as far as its own attributes tell: what a short name beside them belongs to. */
export interface Home {
  project: string | null;
  region: string | null;
  zone: string | null;
  account: string | null;
  /** Of a DNS record: what its values are. */
  record_type: string | null;
}

const ARN = /^arn:[a-z-]+:[a-z0-9-]*:([a-z0-9-]*):(\d{12}):/;
const ZONE = /^([a-z]+-[a-z]+\d{1,2})-[a-z]$/;

/** @param side the attributes of a resource; both sides of an update live in one place, else it would be replaced */
export function homeOf(side: JsonObject | null): Home {
  if (side === null) return readHome(null);
  const known = homes.get(side) ?? readHome(side);
  homes.set(side, known);
  return known;
}

/** Asked for each leaf of a change. */
const homes = new WeakMap<JsonObject, Home>();

function readHome(side: JsonObject | null): Home {
  const zone = nameIn(side, 'zone');
  const [, arn_region, arn_account] = ARN.exec(textIn(side, 'arn') ?? '') ?? [];
  const region = nameIn(side, 'region') ?? arn_region ?? regionOfZone(zone ?? nameIn(side, 'location'));
  return {
    project: textIn(side, 'project'),
    region: region === '' ? null : region,
    zone,
    account: arn_account ?? textIn(side, 'owner_id') ?? textIn(side, 'account_id'),
    record_type: textIn(side, 'type'),
  };
}

function regionOfZone(place: string | null): string | null {
  return place === null ? null : (ZONE.exec(place)?.[1] ?? place);
}

/** The last part of a link, or the name itself. */
function nameIn(side: JsonObject | null, member: string): string | null {
  return textIn(side, member)?.split('/').at(-1) ?? null;
}

function textIn(side: JsonObject | null, member: string): string | null {
  const value: JsonValue | undefined = side !== null && Object.hasOwn(side, member) ? side[member] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
}
