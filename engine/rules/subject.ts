import { createPathTree, type PathTree, touchesPath } from '../changes/path-tree.ts';
import type { ResourceChange } from '../changes/types.ts';
import { holdsMark } from '../changes/values.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';
import type { AttributeDiff } from '../result.ts';
import { type Parts, splitAddress } from './globs.ts';
import { type Place, placesAt } from './places.ts';

interface Withheld {
  before: boolean;
  after: boolean;
}

/** One change as rules ask about it; what many rules ask is worked out once. */
export class Subject {
  readonly change: ResourceChange;
  private parts: Parts | undefined;
  private home: Parts | undefined;
  private redactor: Redactor | undefined;
  private changed: { tree: PathTree | null; reorders: AttributeDiff[] } | undefined;
  private readonly places = new Map<string, readonly Place[]>();
  private readonly nets = new Map<Place, Withheld>();

  constructor(change: ResourceChange) {
    this.change = change;
  }

  get address(): Parts {
    this.parts ??= splitAddress(this.change.address);
    return this.parts;
  }

  /** Of the root module: no parts. */
  get module(): Parts {
    this.home ??= splitAddress(this.change.module_address ?? '');
    return this.home;
  }

  /** @param key text of the path, by which its places are remembered */
  placesAt(key: string, path: Parts): readonly Place[] {
    let places = this.places.get(key);
    if (places === undefined) {
      places = placesAt(this.change, path);
      this.places.set(key, places);
    }
    return places;
  }

  /** Whether a difference was found at the place or below it, or in the one value that it is part of. */
  isChanged({ segments }: Place): boolean {
    this.changed ??= indexDiffs(this.change.diffs);
    if (touchesPath(this.changed.tree, segments)) return true;
    return this.changed.reorders.some(({ path_segments }) =>
      segments.every((segment, i) => segment === path_segments[i]),
    );
  }

  /** Nothing may be told of the value: the plan marks it or a part of it, or the redactor would not show it as it is. */
  isSecret(place: Place): boolean {
    return this.isSecretSide(place, 'before') || this.isSecretSide(place, 'after');
  }

  isSecretSide(place: Place, side: 'before' | 'after'): boolean {
    const mask = side === 'before' ? place.before_sensitive : place.after_sensitive;
    return holdsMark(mask) || this.withheld(place)[side];
  }

  private withheld(place: Place): Withheld {
    let net = this.nets.get(place);
    if (net === undefined) {
      net = this.askRedactor(place);
      this.nets.set(place, net);
    }
    return net;
  }

  private askRedactor({ segments, before = null, after = null }: Place): Withheld {
    if (this.redactor === undefined) {
      this.redactor = createRedactor();
      this.redactor.observe(this.change);
    }
    const diffs = [{ ...UNMARKED, path_segments: [...segments], before, after }];
    const [shown] = this.redactor.redactChange({ ...this.change, diffs });
    return { before: shown?.before !== before, after: shown?.after !== after };
  }
}

/** A diff as the redactor expects it; what the plan marks is asked for elsewhere. */
const UNMARKED: AttributeDiff = {
  path: '',
  path_segments: [],
  op: 'update',
  before: null,
  after: null,
  before_sensitive: false,
  after_sensitive: false,
  after_unknown: false,
  forces_replacement: false,
  direction: 'neutral',
  noise: 'novel',
  truncated: false,
};

/** A list in another order is changed as a list; each of its items is still there. */
function indexDiffs(diffs: readonly AttributeDiff[]) {
  const reorders = diffs.filter(({ op }) => op === 'reorder');
  const others = reorders.length === 0 ? diffs : diffs.filter(({ op }) => op !== 'reorder');
  return { tree: createPathTree(others.map(({ path_segments }) => path_segments)), reorders };
}
