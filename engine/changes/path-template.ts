/** Facts about the templates of one tree, by the fold that computes them. */
type Facts = WeakMap<object, Map<PathTemplate, object>>;

/** The common part of all paths that differ only in list indexes. */
export class PathTemplate {
  readonly parent: PathTemplate | null;
  /** null for an item of a list and at the root. */
  readonly segment: string | null;
  /** The last name in the path; empty if there is none. */
  readonly name: string;
  readonly root: PathTemplate;
  private items: PathTemplate | undefined;
  private members: Map<string, PathTemplate> | undefined;
  /** Of the root only. */
  private facts: Facts | undefined;
  private count = 1;

  constructor(parent: PathTemplate | null = null, segment: string | null = null) {
    this.parent = parent;
    this.segment = segment;
    this.name = segment ?? parent?.name ?? '';
    this.root = parent?.root ?? this;
  }

  /** @param segment a name; null for any index */
  child(segment: string | null): PathTemplate {
    if (segment === null) {
      this.items ??= this.make(null);
      return this.items;
    }
    this.members ??= new Map();
    let template = this.members.get(segment);
    if (template === undefined) {
      template = this.make(segment);
      this.members.set(segment, template);
    }
    return template;
  }

  /** The number of templates in the tree of a root. */
  get size(): number {
    return this.root.count;
  }

  /** What is known about the templates of this tree. */
  findFacts(key: object): Map<PathTemplate, object> {
    const { root } = this;
    root.facts ??= new WeakMap();
    let known = root.facts.get(key);
    if (known === undefined) {
      known = new Map();
      root.facts.set(key, known);
    }
    return known;
  }

  private make(segment: string | null): PathTemplate {
    this.root.count += 1;
    return new PathTemplate(this, segment);
  }
}

/**
 * Returns a function that computes a fact from the names of a path. The fact is computed once for each template, from
 * the fact of its parent, so the time does not grow with the depth of the path.
 *
 * @param root the fact at the root
 * @param extend computes the fact for one more segment: a name, or null for an item of a list
 * @param key what the facts depend on besides the names: folds with the same key share their facts, which changes with
 *   templates of one tree then compute once. Without it, the facts belong to this fold
 */
export function createTemplateFold<T extends object>(
  root: T,
  extend: (parent: T, segment: string | null) => T,
  key: object = {},
): (template: PathTemplate) => T {
  let tree: PathTemplate | undefined;
  let known = new Map<PathTemplate, object>();
  return function find(template) {
    if (template.parent === null) return root;
    if (template.root !== tree) {
      tree = template.root;
      known = tree.findFacts(key);
    }
    let fact = known.get(template) as T | undefined;
    if (fact === undefined) {
      fact = extend(find(template.parent), template.segment);
      known.set(template, fact);
    }
    return fact;
  };
}

/** A tree of more templates is replaced: a plan can have any number of names. */
const MAX_TEMPLATES = 20_000;

/** The templates of many changes. The same attributes occur in all resources of a type, so their paths share a tree. */
export class PathTemplates {
  private tree = new PathTemplate();

  /** The root for the paths of the next change. */
  get root(): PathTemplate {
    if (this.tree.size > MAX_TEMPLATES) this.tree = new PathTemplate();
    return this.tree;
  }
}
