/** Who created or last modified a resource, as far as its inventory says so. */
import { isObject } from '../lib/is-object.ts';
import type { JsonObject } from '../model/result.ts';
import { isWithheld } from './arguments/withheld.ts';
import type { Actor, DriftType, LiveResource } from './types.ts';

const MAX_NAME = 200;

/** Tags that people and pipelines set, without case and separators. */
const TAGS: ReadonlyMap<string, Actor['action']> = new Map([
  ['createdby', 'created'],
  ['creator', 'created'],
  ['awscreatedby', 'created'],
  ['modifiedby', 'modified'],
  ['lastmodifiedby', 'modified'],
  ['updatedby', 'modified'],
  ['lastupdatedby', 'modified'],
]);

/** Properties in which clouds record it, with those of the time. */
const RECORDS = [
  { action: 'modified', names: ['lastModifiedBy', 'updatedBy'], times: ['lastModifiedAt', 'updatedOn'] },
  { action: 'created', names: ['createdBy'], times: ['createdAt', 'createdOn'] },
] as const;

/**
 * The record of the cloud comes before tags, which anybody can set. Of a new resource, who created it comes first; of a
 * changed one, who modified it.
 */
export function findActor(drift_type: DriftType, live: LiveResource | null): Actor | null {
  if (live === null) return null;
  const found = [...readRecords(live), ...readTags(live)];
  const first = drift_type === 'new' ? 'created' : 'modified';
  return found.find(({ action }) => action === first) ?? found[0] ?? null;
}

function readRecords({ properties }: LiveResource): Actor[] {
  return listRecords(properties).flatMap((record) =>
    RECORDS.flatMap(({ action, names, times }): Actor[] => {
      const name = readName(names.map((one) => record[one]).find((value) => value !== undefined));
      const at = toTime(times.map((one) => record[one]).find((value) => value !== undefined));
      return name === null ? [] : [{ name, action, at, source: 'cloud' }];
    }),
  );
}

function listRecords(properties: JsonObject | null): JsonObject[] {
  const inner = properties?.['properties'];
  const levels = [properties, isObject(inner) ? inner : null];
  return levels.flatMap((level) => [level?.['systemData'], level]).filter((record) => isObject(record));
}

function readTags({ tags }: LiveResource): Actor[] {
  return Object.entries(tags).flatMap(([key, value]): Actor[] => {
    const action = TAGS.get(key.toLowerCase().replace(/[^a-z]/g, ''));
    const name = readName(value);
    return action === undefined || name === null ? [] : [{ name, action, at: null, source: 'tag' }];
  });
}

function readName(value: unknown): string | null {
  if (typeof value !== 'string' || isWithheld(value)) return null;
  const name = value.trim().slice(0, MAX_NAME);
  return name === '' ? null : name;
}

function toTime(text: unknown): string | null {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
