import { createTemplateFold, type PathTemplate } from '../../changes/path-node.ts';
import type { Path, Watch } from './types.ts';

/** The watched paths of one type as a tree. A lookup takes one step for each segment. */
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

/** Returns true when a path is watched, is below a watched path, or contains one. */
export function isInTree(tree: WatchTree, path: Path): boolean {
  let cursor = startCursor(tree);
  for (const segment of path) cursor = advanceCursor(cursor, typeof segment === 'string' ? segment : null);
  return isWatched(cursor);
}

/** Tests of a tree for many paths of one resource. */
export interface Watcher {
  /** Returns true when the path is watched, is below a watched path, or contains one. */
  isWatched(template: PathTemplate): boolean;
  /** Returns true when the path is watched or is below a watched path. */
  isCovered(template: PathTemplate): boolean;
}

export function createWatcher(tree: WatchTree): Watcher {
  const cursorAt = createTemplateFold(startCursor(tree), advanceCursor, tree);
  return {
    isWatched: (template) => isWatched(cursorAt(template)),
    isCovered: (template) => cursorAt(template).covered,
  };
}

/** The positions in the tree that the path so far has reached. */
interface WatchCursor {
  nodes: readonly WatchTree[];
  /** A watched path ends here or above. */
  covered: boolean;
}

const UNWATCHED: WatchCursor = { nodes: [], covered: false };
const COVERED: WatchCursor = { nodes: [], covered: true };

function isWatched({ nodes, covered }: WatchCursor): boolean {
  return covered || nodes.length > 0;
}

function startCursor(tree: WatchTree): WatchCursor {
  return tree.watched ? COVERED : { nodes: [tree], covered: false };
}

/** @param segment a name, or null for an index */
function advanceCursor(cursor: WatchCursor, segment: string | null): WatchCursor {
  if (cursor.covered || cursor.nodes.length === 0) return cursor;
  const reached = new Set<WatchTree>();
  for (const node of cursor.nodes) collectChildren(node, segment, reached);
  if (reached.size === 0) return UNWATCHED;
  for (const node of reached) if (node.watched) return COVERED;
  return { nodes: [...reached], covered: false };
}

function collectChildren(node: WatchTree, segment: string | null, reached: Set<WatchTree>): void {
  const star = node.children.get('*');
  if (star) reached.add(star);
  if (segment === null) return;
  const child = node.children.get(segment);
  if (child) reached.add(child);
  // A block may be written as one object instead of a list of one.
  if (star) collectChildren(star, segment, reached);
}
