import { createTemplateFold, type PathNode } from '../changes/path-node.ts';
import { createSideReader, type SideReader } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isSecretKey, listSecretAttributes } from './known-attributes.ts';
import { extendNaming, type Naming, UNNAMED } from './secrets.ts';

/** What the places of one change say of their values. */
export interface PathFacts {
  readonly change: ResourceChange;
  readonly before: SideReader;
  readonly after: SideReader;
  naming(node: PathNode): Naming;
  /** The attribute is known to hold a secret. */
  isSecret(node: PathNode): boolean;
  /** No key on the way holds a secret itself; the first is a name of the provider's schema. */
  isClean(node: PathNode): boolean;
}

interface PathFact {
  naming: Naming;
  secret: boolean;
  clean: boolean;
  depth: number;
}

const ROOT: PathFact = { naming: UNNAMED, secret: false, clean: true, depth: 0 };

/** @param cleanKey the key without secrets: the same where it holds none */
export function createPathFacts(change: ResourceChange, cleanKey: (key: string) => string): PathFacts {
  const secrets = listSecretAttributes(change.type);
  const resolveFact = createTemplateFold<PathFact>(ROOT, (parent, name) => {
    const depth = parent.depth + 1;
    if (name === null) return depth > 1 ? parent : { ...parent, depth };
    return {
      naming: extendNaming(parent.naming, name),
      secret: parent.secret || isSecretKey(name) || (depth === 1 && secrets.includes(name)),
      clean: parent.clean && (depth === 1 || cleanKey(name) === name),
      depth,
    };
  });
  return {
    change,
    before: createSideReader(change.before),
    after: createSideReader(change.after),
    naming: ({ template: form }) => resolveFact(form).naming,
    isSecret: ({ template: form }) => resolveFact(form).secret,
    isClean: ({ template: form }) => resolveFact(form).clean,
  };
}
