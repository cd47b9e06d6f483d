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
  /** An access policy document: equal by meaning, not by text. */
  | { kind: 'policy' }
  /** An optional block: one of nothing but empty members is the same as none. */
  | { kind: 'block' }
  /** The service fills in `value` where the configuration names nothing. */
  | { kind: 'default'; value: JsonValue };

type Nominations = ReadonlyMap<string, Nomination>;

const byType = readData();

/** The nominated paths of a resource type, or undefined for most types. */
export function nominationsOf(type: string): Nominations | undefined {
  return byType.get(type);
}

/** The nomination of the attribute itself or of the innermost optional block that holds it; list indexes do not count. */
export function findNomination(nominations: Nominations, segments: (string | number)[]): Nomination | null {
  let found: Nomination | null = null;
  let path = '';
  for (const segment of segments) {
    if (typeof segment === 'number') continue;
    path = path === '' ? segment : `${path}.${segment}`;
    const nomination = nominations.get(path);
    if (nomination !== undefined) found = nomination;
    else if (found?.kind !== 'block') found = null;
  }
  return found;
}

function readData(): Map<string, Map<string, Nomination>> {
  const types = new Map<string, Map<string, Nomination>>();
  const nominate = (type: string, path: string, nomination: Nomination) => {
    const paths = types.get(type) ?? new Map<string, Nomination>();
    types.set(type, paths.set(path, nomination));
  };

  for (const kind of ['case', 'space', 'order', 'policy', 'block'] as const) {
    for (const [type, paths] of Object.entries<string[]>(data[kind])) {
      for (const path of paths) nominate(type, path, { kind });
    }
  }
  for (const [type, values] of Object.entries<Record<string, JsonValue>>(data.default)) {
    for (const [path, value] of Object.entries(values)) nominate(type, path, { kind: 'default', value });
  }
  return types;
}
