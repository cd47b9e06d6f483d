type Segment = string | number;

/** Many paths as one tree, so that a place is looked up in as many steps as it is deep. */
export interface PathTree {
  readonly below: Map<Segment, PathTree>;
  /** A path ends here. */
  ends: boolean;
}

/** @returns null when there are no paths */
export function createPathTree(paths: readonly (readonly Segment[])[]): PathTree | null {
  if (paths.length === 0) return null;
  const root = createNode();
  for (const path of paths) {
    let node = root;
    for (const segment of path) {
      let next = node.below.get(segment);
      if (next === undefined) {
        next = createNode();
        node.below.set(segment, next);
      }
      node = next;
    }
    node.ends = true;
  }
  return root;
}

/** Whether a path of the tree leads to this place, ends above it, or goes on below it. */
export function touchesPath(tree: PathTree | null, segments: readonly Segment[]): boolean {
  let node = tree;
  for (const segment of segments) {
    if (node === null || node.ends) break;
    node = node.below.get(segment) ?? null;
  }
  return node !== null;
}

function createNode(): PathTree {
  return { below: new Map(), ends: false };
}
