import type { PathNode } from './path-node.ts';

type Segment = string | number;

/** Many paths as one tree, so that a place is looked up in as many steps as it is deep. */
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

/** Whether a path of the tree leads to this place, ends above it, or goes on below it. */
export function touchesPath(tree: PathTree | null, segments: readonly Segment[]): boolean {
  let node = tree;
  for (const segment of segments) {
    if (node === null || node.ends) break;
    node = node.children.get(segment) ?? null;
  }
  return node !== null;
}

/** Where a walk stands in a tree: at a node, below the end of a path (`true`), or beside every path (`null`). */
export type PathCursor = PathTree | true | null;

/** One segment further; the walk touches a path of the tree wherever the cursor is not null. */
export function stepInTree(cursor: PathCursor, segment: Segment): PathCursor {
  if (cursor === null || cursor === true) return cursor;
  return cursor.ends ? true : (cursor.children.get(segment) ?? null);
}

/** The same as `touchesPath`, for many places that begin alike: each segment is looked up once. */
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
