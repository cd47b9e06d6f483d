import type { JsonValue } from '../result.ts';
import data from './equivalences.json' with { type: 'json' };

/**
 * What the provider's own source declares of one attribute. It nominates the path only: whether the two values at hand
 * are equal is decided by looking at them.
 */
export type Nomination =
  /** Letter case means nothing (ids, region names). */
  | { kind: 'case' }
  /** Runs of blanks mean nothing (XML documents, SSH keys). */
  | { kind: 'space' }
  /** A list that the service keeps as a set. */
  | { kind: 'order' }
  /** An access policy document of AWS: equal by meaning, not by text. */
  | { kind: 'policy' }
  /** An access policy document of Google. */
  | { kind: 'bindings' }
  /** A date with its time, or a time of day. */
  | { kind: 'time' }
  /** A length of time with its unit. */
  | { kind: 'duration' }
  /** An IPv6 address or block. */
  | { kind: 'address' }
  /** A host or zone name. */
  | { kind: 'host' }
  /** The id of an Azure resource. */
  | { kind: 'arm_id' }
  /** A boolean that the provider keeps as a text. */
  | { kind: 'bool' }
  /** An optional block: one of nothing but empty members is the same as none. */
  | { kind: 'block' }
  /** The service fills in `value` where the configuration names nothing. */
  | { kind: 'default'; value: JsonValue };

interface Nominations {
  paths: ReadonlyMap<string, Nomination>;
  /** Attributes named as ids hold ids of Azure resources. */
  arm_ids: boolean;
}

const ARM_ID: Nomination = { kind: 'arm_id' };
const ID_NAME = /(^|_)(id|ids|scope|scopes)$/;

/** Those that need no more than a path. */
const KINDS = [
  'case',
  'space',
  'order',
  'policy',
  'block',
  'time',
  'duration',
  'address',
  'host',
  'bool',
] as const satisfies Nomination['kind'][];

const byType = readData();
const ofAzure: Nominations = { paths: new Map(), arm_ids: true };
const ofGooglePolicies: Nominations = { paths: new Map([['policy_data', { kind: 'bindings' }]]), arm_ids: false };

/** The nominated paths of a resource type, or undefined for most types. */
export function nominationsOf(type: string): Nominations | undefined {
  const own = byType.get(type);
  if (own !== undefined) return own;
  if (type.startsWith('azurerm_')) return ofAzure;
  return type.startsWith('google_') && type.endsWith('_iam_policy') ? ofGooglePolicies : undefined;
}

/** The nomination of the attribute itself or of the innermost optional block that holds it; list indexes do not count. */
export function findNomination(nominations: Nominations, segments: (string | number)[]): Nomination | null {
  let found: Nomination | null = null;
  let path = '';
  for (const segment of segments) {
    if (typeof segment === 'number') continue;
    path = path === '' ? segment : `${path}.${segment}`;
    const nomination = nominations.paths.get(path);
    if (nomination !== undefined) found = nomination;
    else if (found?.kind !== 'block') found = null;
  }
  return found === null && nominations.arm_ids && isIdOfSchema(segments) ? ARM_ID : found;
}

/** Named as an id, and by the schema: an attribute, or one of a block in a list, but no key of a user's map. */
function isIdOfSchema(segments: (string | number)[]): boolean {
  let name = '';
  for (const [i, segment] of segments.entries()) {
    if (typeof segment === 'number') continue;
    if (i > 0 && typeof segments[i - 1] === 'string') return false;
    name = segment;
  }
  return ID_NAME.test(name);
}

function readData(): Map<string, Nominations> {
  const types = new Map<string, { paths: Map<string, Nomination>; arm_ids: boolean }>();
  const nominate = (type: string, path: string, nomination: Nomination) => {
    const entry = types.get(type) ?? { paths: new Map(), arm_ids: type.startsWith('azurerm_') };
    entry.paths.set(path, nomination);
    types.set(type, entry);
  };

  for (const kind of KINDS) {
    for (const [type, paths] of Object.entries<string[]>(data[kind])) {
      for (const path of paths) nominate(type, path, { kind });
    }
  }
  for (const [type, values] of Object.entries<Record<string, JsonValue>>(data.default)) {
    for (const [path, value] of Object.entries(values)) nominate(type, path, { kind: 'default', value });
  }
  return types;
}
