import type { ResourceChange } from '../changes/types.ts';
import { holdsMark } from '../changes/values.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';
import type { AttributeDiff } from '../result.ts';
import { type Parts, splitAddress } from './globs.ts';
import { type Place, placesAt } from './places.ts';

type Segment = string | number;

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
  private diffs: Map<Segment | undefined, AttributeDiff[]> | undefined;
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
  isChanged(place: Place): boolean {
    if (isPlainlySame(place)) return false;
    const { segments } = place;
    if (segments.length === 0) return this.change.diffs.length > 0;
    this.diffs ??= groupByStart(this.change.diffs);
    return (this.diffs.get(segments[0]) ?? []).some((diff) => touches(diff, segments));
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

/** Told without a look at the differences; a value that may have been withheld is not told so. */
function isPlainlySame({ before, after, unknown, before_sensitive, after_sensitive }: Place): boolean {
  const marks = unknown ?? before_sensitive ?? after_sensitive;
  return before === after && (marks === undefined || marks === null);
}

function groupByStart(diffs: readonly AttributeDiff[]): Map<Segment | undefined, AttributeDiff[]> {
  const groups = new Map<Segment | undefined, AttributeDiff[]>();
  for (const diff of diffs) {
    const start = diff.path_segments[0];
    const group = groups.get(start);
    if (group === undefined) groups.set(start, [diff]);
    else group.push(diff);
  }
  return groups;
}

/** A list in another order is changed as a list; each of its items is still there. */
function touches({ path_segments, op }: AttributeDiff, segments: readonly Segment[]): boolean {
  if (op === 'reorder' && path_segments.length < segments.length) return false;
  const shared = Math.min(path_segments.length, segments.length);
  for (let i = 0; i < shared; i++) if (path_segments[i] !== segments[i]) return false;
  return true;
}
