import { createFormFact, type Form } from '../../changes/place.ts';
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
  let watching = beginWatching(tree);
  for (const segment of path) watching = extendWatching(watching, typeof segment === 'string' ? segment : null);
  return isIn(watching);
}

/** What a tree watches, asked about many places of one resource. */
export interface Watcher {
  /** The place is watched itself, lies below a watched one, or holds one. */
  isIn(form: Form): boolean;
  /** The place is watched itself or lies below a watched one. */
  isUnder(form: Form): boolean;
}

export function createWatcher(tree: WatchTree): Watcher {
  const watchingAt = createFormFact(beginWatching(tree), extendWatching);
  return { isIn: (form) => isIn(watchingAt(form)), isUnder: (form) => watchingAt(form).under };
}

/** Where the watched paths may stand that a path has followed so far. */
interface Watching {
  nodes: readonly WatchTree[];
  /** A watched path has ended here or above. */
  under: boolean;
}

const BESIDE: Watching = { nodes: [], under: false };
const UNDER: Watching = { nodes: [], under: true };

function isIn({ nodes, under }: Watching): boolean {
  return under || nodes.length > 0;
}

function beginWatching(tree: WatchTree): Watching {
  return tree.watched ? UNDER : { nodes: [tree], under: false };
}

/** @param segment a name, or null for an index */
function extendWatching(watching: Watching, segment: string | null): Watching {
  if (watching.under || watching.nodes.length === 0) return watching;
  const reached = new Set<WatchTree>();
  for (const node of watching.nodes) collect(node, segment, reached);
  if (reached.size === 0) return BESIDE;
  for (const node of reached) if (node.watched) return UNDER;
  return { nodes: [...reached], under: false };
}

function collect(node: WatchTree, segment: string | null, reached: Set<WatchTree>): void {
  const star = node.children.get('*');
  if (star) reached.add(star);
  if (segment === null) return;
  const child = node.children.get(segment);
  if (child) reached.add(child);
  // A block may be written as one object instead of a list of one.
  if (star) collect(star, segment, reached);
}
