import type { AttributeDiff } from '../result.ts';
import { renderPath, writeSegment } from './path.ts';

export type Segment = string | number;

/**
 * One place within a value. Places that begin alike share their beginnings, so that a list of a million items deep within
 * an attribute takes a million segments and not a million paths.
 */
export class Place {
  readonly above: Place | null;
  /** The last one; empty at the root. */
  readonly segment: Segment;
  /** How many segments lead here; 0 at the root. */
  readonly depth: number;
  /** The first two segments, which most rules ask for. */
  readonly first: Segment | undefined;
  readonly second: Segment | undefined;
  /** How many characters its names have together. */
  readonly size: number;
  private known: Form | undefined;
  private known_length: number | undefined;

  constructor(above: Place | null = null, segment: Segment = '') {
    this.above = above;
    this.segment = segment;
    if (above === null) {
      this.depth = 0;
      this.size = 0;
      return;
    }
    this.depth = above.depth + 1;
    this.first = above.depth === 0 ? segment : above.first;
    this.second = above.depth === 1 ? segment : above.second;
    this.size = typeof segment === 'string' ? above.size + segment.length : above.size;
  }

  /** The place with its list indexes left open: the same object for all items of a list. */
  get form(): Form {
    this.known ??= this.above?.form.below(typeof this.segment === 'string' ? this.segment : null) ?? new Form();
    return this.known;
  }

  /** All segments, outermost first; made anew each time. */
  get segments(): Segment[] {
    const segments = new Array<Segment>(this.depth);
    for (let at: Place = this; at.above !== null; at = at.above) segments[at.depth - 1] = at.segment;
    return segments;
  }

  /** As `AttributeDiff.path`; made anew each time. */
  get path(): string {
    return renderPath(this.segments);
  }

  /** How many characters the rendered path has. */
  get length(): number {
    if (this.above === null) return 0;
    const { length } = this.above;
    this.known_length ??= length + writeSegment(length === 0, this.segment).length;
    return this.known_length;
  }

  /** Whether a text is the rendered path; told from its end, where paths differ first. */
  isWrittenAs(path: string): boolean {
    if (path.length !== this.length) return false;
    for (let at: Place = this, end = path.length; at.above !== null; end = at.above.length, at = at.above) {
      const { length } = at.above;
      if (path.slice(length, end) !== writeSegment(length === 0, at.segment)) return false;
    }
    return true;
  }

  /** The last name on the way here, which is the attribute itself where a list holds the value; empty without one. */
  get name(): string {
    return this.form.name;
  }
}

/** What all places have in common that differ in list indexes alone. */
export class Form {
  readonly above: Form | null;
  /** null for an item of a list, and at the root. */
  readonly segment: string | null;
  /** The last name on the way here; empty without one. */
  readonly name: string;
  private items: Form | undefined;
  private members: Map<string, Form> | undefined;

  constructor(above: Form | null = null, segment: string | null = null) {
    this.above = above;
    this.segment = segment;
    this.name = segment ?? above?.name ?? '';
  }

  /** @param segment a name; null for any index */
  below(segment: string | null): Form {
    if (segment === null) {
      this.items ??= new Form(this, null);
      return this.items;
    }
    this.members ??= new Map();
    let form = this.members.get(segment);
    if (form === undefined) {
      form = new Form(this, segment);
      this.members.set(segment, form);
    }
    return form;
  }
}

/**
 * Something that follows from the names on the way to a place: worked out once for each form, from what holds of the form
 * above it, so that the time does not grow with the depth of a place.
 *
 * @param root what holds at the root
 * @param extend what holds one segment further: a name, or null for an item of a list
 */
export function createFormFact<T extends object>(
  root: T,
  extend: (above: T, segment: string | null) => T,
): (form: Form) => T {
  let known: Map<Form, T> | undefined;
  return function find(form) {
    if (form.above === null) return root;
    known ??= new Map();
    let fact = known.get(form);
    if (fact === undefined) {
      fact = extend(find(form.above), form.segment);
      known.set(form, fact);
    }
    return fact;
  };
}

/** The place of a diff; of one that was stored, a place of its own. */
export function placeOf(diff: AttributeDiff): Place {
  return diff instanceof Leaf ? diff.place : placeAt(diff.path_segments);
}

export function placeAt(segments: readonly Segment[]): Place {
  let place = new Place();
  for (const segment of segments) place = new Place(place, segment);
  return place;
}

/** One changed leaf of a change that is being judged: its path is written only where it is asked for. */
export class Leaf implements AttributeDiff {
  readonly place: Place;
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
    place: Place,
    told: Pick<
      AttributeDiff,
      'op' | 'before' | 'after' | 'before_sensitive' | 'after_sensitive' | 'after_unknown' | 'forces_replacement'
    >,
  ) {
    this.place = place;
    this.op = told.op;
    this.before = told.before;
    this.after = told.after;
    this.before_sensitive = told.before_sensitive;
    this.after_sensitive = told.after_sensitive;
    this.after_unknown = told.after_unknown;
    this.forces_replacement = told.forces_replacement;
  }

  get path(): string {
    return this.place.path;
  }

  get path_segments(): Segment[] {
    return this.place.segments;
  }

  toJSON(): AttributeDiff {
    return writeOut(this);
  }
}

/** The same diff with other values; where it stands is not written out. */
export function withValues(
  diff: AttributeDiff,
  values: Pick<AttributeDiff, 'before' | 'after' | 'truncated'>,
): AttributeDiff {
  return diff instanceof Leaf ? Object.assign(new Leaf(diff.place, diff), diff, values) : { ...diff, ...values };
}

/** A diff with its path written out, as a result holds it. */
export function writeOut(diff: AttributeDiff): AttributeDiff {
  if (!(diff instanceof Leaf)) return diff;
  const path_segments = diff.place.segments;
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
