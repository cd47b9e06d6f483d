import { createTemplateFold, type PathNode } from '../changes/path-node.ts';
import { createSideReader, type SideReader } from '../changes/side-reader.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isSecretKey, listSecretAttributes } from './known-attributes.ts';
import { extendNaming, type Naming, UNNAMED } from './secrets.ts';

/** Secret-related facts about the paths of one change. */
export interface PathFacts {
  readonly change: ResourceChange;
  readonly before: SideReader;
  readonly after: SideReader;
  naming(node: PathNode): Naming;
  /** Whether the attribute is known to contain a secret. */
  isSecret(node: PathNode): boolean;
  /** Whether no key on the path contains a secret; the first segment is a schema name. */
  isClean(node: PathNode): boolean;
}

interface PathFact {
  naming: Naming;
  secret: boolean;
  clean: boolean;
  depth: number;
}

const ROOT: PathFact = { naming: UNNAMED, secret: false, clean: true, depth: 0 };

/**
 * @param cleanKey masks secrets in a key; returns the same key if it contains none
 * @param findKey the key of the facts for a list of secret attributes; another one when `cleanKey` changes
 */
export function createPathFacts(
  change: ResourceChange,
  cleanKey: (key: string) => string,
  findKey: (secrets: readonly string[]) => object,
): PathFacts {
  const secrets = listSecretAttributes(change.type);
  const resolveFact = createTemplateFold<PathFact>(
    ROOT,
    (parent, name) => {
      const depth = parent.depth + 1;
      if (name === null) return depth > 1 ? parent : { ...parent, depth };
      return {
        naming: extendNaming(parent.naming, name),
        secret: parent.secret || isSecretKey(name) || (depth === 1 && secrets.includes(name)),
        clean: parent.clean && (depth === 1 || cleanKey(name) === name),
        depth,
      };
    },
    findKey(secrets),
  );
  return {
    change,
    before: createSideReader(change.before),
    after: createSideReader(change.after),
    naming: ({ template: form }) => resolveFact(form).naming,
    isSecret: ({ template: form }) => resolveFact(form).secret,
    isClean: ({ template: form }) => resolveFact(form).clean,
  };
}
