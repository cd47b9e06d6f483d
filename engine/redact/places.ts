import { createFormFact, type Place } from '../changes/place.ts';
import { createSideReader, type SideReader } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isSecretKey, listSecretAttributes } from './known-attributes.ts';
import { extendNaming, type Naming, UNNAMED } from './secrets.ts';

/** What the places of one change say of their values. */
export interface Places {
  readonly change: ResourceChange;
  readonly before: SideReader;
  readonly after: SideReader;
  naming(place: Place): Naming;
  /** The attribute is known to hold a secret. */
  isSecret(place: Place): boolean;
  /** No key on the way holds a secret itself; the first is a name of the provider's schema. */
  isClean(place: Place): boolean;
}

interface Known {
  naming: Naming;
  secret: boolean;
  clean: boolean;
  depth: number;
}

const ROOT: Known = { naming: UNNAMED, secret: false, clean: true, depth: 0 };

/** @param cleanKey the key without secrets: the same where it holds none */
export function createPlaces(change: ResourceChange, cleanKey: (key: string) => string): Places {
  const secrets = listSecretAttributes(change.type);
  const factOf = createFormFact<Known>(ROOT, (above, name) => {
    const depth = above.depth + 1;
    if (name === null) return depth > 1 ? above : { ...above, depth };
    return {
      naming: extendNaming(above.naming, name),
      secret: above.secret || isSecretKey(name) || (depth === 1 && secrets.includes(name)),
      clean: above.clean && (depth === 1 || cleanKey(name) === name),
      depth,
    };
  });
  return {
    change,
    before: createSideReader(change.before),
    after: createSideReader(change.after),
    naming: ({ form }) => factOf(form).naming,
    isSecret: ({ form }) => factOf(form).secret,
    isClean: ({ form }) => factOf(form).clean,
  };
}
