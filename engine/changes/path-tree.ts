import type { PathNode } from './path-node.ts';

type Segment = string | number;

/** Many paths as one tree. A lookup takes one step for each segment. */
export interface PathTree {
  readonly children: Map<Segment, PathTree>;
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
      let next = node.children.get(segment);
      if (next === undefined) {
        next = createNode();
        node.children.set(segment, next);
      }
      node = next;
    }
    node.ends = true;
  }
  return root;
}

/** Returns true when a path of the tree equals this path, is a prefix of it, or extends it. */
export function touchesPath(tree: PathTree | null, segments: readonly Segment[]): boolean {
  let node = tree;
  for (const segment of segments) {
    if (node === null || node.ends) break;
    node = node.children.get(segment) ?? null;
  }
  return node !== null;
}

/** A position in a tree: at a node, below the end of a path (`true`), or on no path (`null`). */
export type PathCursor = PathTree | true | null;

/** Advances the cursor by one segment. The result touches a path of the tree unless it is null. */
export function stepInTree(cursor: PathCursor, segment: Segment): PathCursor {
  if (cursor === null || cursor === true) return cursor;
  return cursor.ends ? true : (cursor.children.get(segment) ?? null);
}

/** Returns a test that is equivalent to `touchesPath` and looks up common prefixes of many paths once. */
export function createTouchTest(tree: PathTree | null): (node: PathNode) => boolean {
  const known = new Map<PathNode, PathCursor>();
  const find = (node: PathNode): PathCursor => {
    if (node.parent === null) return tree;
    let cursor = known.get(node);
    if (cursor === undefined) {
      cursor = stepInTree(find(node.parent), node.segment);
      known.set(node, cursor);
    }
    return cursor;
  };
  return (node) => tree !== null && find(node) !== null;
}

function createNode(): PathTree {
  return { children: new Map(), ends: false };
}
