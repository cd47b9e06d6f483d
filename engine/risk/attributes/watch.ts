import type { Path, Watch } from './types.ts';

/** The watched paths of one type as a tree, so that a path is looked up in as many steps as it has segments. */
export interface WatchTree {
  children: Map<string, WatchTree>;
  /** A watched path ends here. */
  watched: boolean;
}

export function buildWatchTree(watches: Iterable<Watch>): WatchTree {
  const root: WatchTree = { children: new Map(), watched: false };
  for (const { path } of watches) {
    let node = root;
    for (const segment of path.split('.')) {
      const child = node.children.get(segment) ?? { children: new Map(), watched: false };
      node.children.set(segment, child);
      node = child;
    }
    node.watched = true;
  }
  return root;
}

/** True when a path is watched itself, lies below a watched one, or holds one. */
export function isInTree(tree: WatchTree, path: Path): boolean {
  return descend(tree, path, 0, true);
}

/** True when a path is watched itself or lies below a watched one. */
export function isUnderTree(tree: WatchTree, path: Path): boolean {
  return descend(tree, path, 0, false);
}

function descend(node: WatchTree, path: Path, index: number, holders: boolean): boolean {
  if (node.watched) return true;
  if (index === path.length) return holders;
  const segment = path[index]!;
  const star = node.children.get('*');
  if (star && descend(star, path, index + 1, holders)) return true;
  if (typeof segment === 'number') return false;
  const child = node.children.get(segment);
  if (child && descend(child, path, index + 1, holders)) return true;
  // A block may be written as one object instead of a list of one.
  return star !== undefined && descend(star, path, index, holders);
}
