import type { JsonObject, JsonValue } from '../../../../engine/index.ts';

/** A resource as the provider holds it in the state and as the cloud shows it, which mean the same, and real changes. */
export interface Pair {
  type: string;
  /** The attributes in the state. */
  held: JsonObject;
  cloud_type: string;
  /** The ID in the cloud. */
  id: string;
  properties: JsonObject;
  /** What somebody changes in the cloud: the path in the properties, the new value, and the argument that then differs. */
  changes: readonly (readonly [path: string, value: JsonValue, argument: string])[];
}

export type Row = readonly [
  type: string,
  cloud_type: string,
  id: string,
  held: JsonObject,
  properties: JsonObject,
  ...changes: (readonly [path: string, value: JsonValue, argument: string])[],
];

export function toPair([type, cloud_type, id, held, properties, ...changes]: Row): Pair {
  return { type, cloud_type, id, held, properties, changes };
}
