import type { AttributeDiff } from '../model/result.ts';
import { renderPath, writeSegment } from './path.ts';
import { PathTemplate } from './path-template.ts';

export { createTemplateFold, PathTemplate } from './path-template.ts';

export type Segment = string | number;

/**
 * One path within a value. Paths share their common prefixes, so a list of a million items deep in an attribute needs a
 * million segments and not a million full paths.
 */
export class PathNode {
  readonly parent: PathNode | null;
  /** The last segment; empty at the root. */
  readonly segment: Segment;
  /** The number of segments; 0 at the root. */
  readonly depth: number;
  /** The first two segments, which most rules read. */
  readonly first: Segment | undefined;
  readonly second: Segment | undefined;
  /** The total number of characters of its names. */
  readonly size: number;
  private known: PathTemplate | undefined;
  private known_length: number | undefined;

  /** @param root the template of a path without a parent */
  constructor(parent: PathNode | null = null, segment: Segment = '', root?: PathTemplate) {
    this.parent = parent;
    this.segment = segment;
    if (parent === null) {
      this.depth = 0;
      this.size = 0;
      this.known = root;
      return;
    }
    this.depth = parent.depth + 1;
    this.first = parent.depth === 0 ? segment : parent.first;
    this.second = parent.depth === 1 ? segment : parent.second;
    this.size = typeof segment === 'string' ? parent.size + segment.length : parent.size;
  }

  /** The path without list indexes: the same object for all items of a list. */
  get template(): PathTemplate {
    this.known ??=
      this.parent?.template.child(typeof this.segment === 'string' ? this.segment : null) ?? new PathTemplate();
    return this.known;
  }

  /** All segments, outermost first. Returns a new array on each access. */
  get segments(): Segment[] {
    const segments = new Array<Segment>(this.depth);
    for (let at: PathNode = this; at.parent !== null; at = at.parent) segments[at.depth - 1] = at.segment;
    return segments;
  }

  /** The rendered path, as in `AttributeDiff.path`. Computed on each access. */
  get path(): string {
    return renderPath(this.segments);
  }

  /** The number of characters of the rendered path. */
  get length(): number {
    if (this.parent === null) return 0;
    const { length } = this.parent;
    this.known_length ??= length + writeSegment(length === 0, this.segment).length;
    return this.known_length;
  }

  /** Returns true when a text equals the rendered path. Compares from the end, where paths usually differ. */
  matchesPath(path: string): boolean {
    if (path.length !== this.length) return false;
    for (let at: PathNode = this, end = path.length; at.parent !== null; end = at.parent.length, at = at.parent) {
      const { length } = at.parent;
      if (path.slice(length, end) !== writeSegment(length === 0, at.segment)) return false;
    }
    return true;
  }

  /** The last name in the path: the attribute name for an item of a list; empty if there is none. */
  get name(): string {
    return this.template.name;
  }
}

/** Returns the path node of a diff. For a diff from a stored result, builds a new node. */
export function toPathNode(diff: AttributeDiff): PathNode {
  return diff instanceof Leaf ? diff.node : buildPathNode(diff.path_segments);
}

export function buildPathNode(segments: readonly Segment[]): PathNode {
  let node = new PathNode();
  for (const segment of segments) node = new PathNode(node, segment);
  return node;
}

/** One changed leaf of a change that is being evaluated. Its path is rendered only on access. */
export class Leaf implements AttributeDiff {
  readonly node: PathNode;
  op: AttributeDiff['op'];
  before: AttributeDiff['before'];
  after: AttributeDiff['after'];
  before_sensitive: boolean;
  after_sensitive: boolean;
  after_unknown: boolean;
  forces_replacement: boolean;
  direction: AttributeDiff['direction'] = 'neutral';
  noise: AttributeDiff['noise'] = 'novel';
  truncated = false;
  declare same?: NonNullable<AttributeDiff['same']>;

  constructor(
    node: PathNode,
    fields: Pick<
      AttributeDiff,
      'op' | 'before' | 'after' | 'before_sensitive' | 'after_sensitive' | 'after_unknown' | 'forces_replacement'
    >,
  ) {
    this.node = node;
    this.op = fields.op;
    this.before = fields.before;
    this.after = fields.after;
    this.before_sensitive = fields.before_sensitive;
    this.after_sensitive = fields.after_sensitive;
    this.after_unknown = fields.after_unknown;
    this.forces_replacement = fields.forces_replacement;
  }

  get path(): string {
    return this.node.path;
  }

  get path_segments(): Segment[] {
    return this.node.segments;
  }

  toJSON(): AttributeDiff {
    return toPlainDiff(this);
  }
}

/** Returns a copy of a diff with other values, without rendering its path. */
export function withValues(
  diff: AttributeDiff,
  values: Pick<AttributeDiff, 'before' | 'after' | 'truncated'>,
): AttributeDiff {
  return diff instanceof Leaf ? Object.assign(new Leaf(diff.node, diff), diff, values) : { ...diff, ...values };
}

/** Returns a plain diff with its rendered path, as in a result. */
export function toPlainDiff(diff: AttributeDiff): AttributeDiff {
  if (!(diff instanceof Leaf)) return diff;
  const path_segments = diff.node.segments;
  const written: AttributeDiff = {
    path: renderPath(path_segments),
    path_segments,
    op: diff.op,
    before: diff.before,
    after: diff.after,
    before_sensitive: diff.before_sensitive,
    after_sensitive: diff.after_sensitive,
    after_unknown: diff.after_unknown,
    forces_replacement: diff.forces_replacement,
    direction: diff.direction,
    noise: diff.noise,
    truncated: diff.truncated,
  };
  if (diff.same !== undefined) written.same = diff.same;
  return written;
}
