import type { ResourceChange } from '../changes/types.ts';
import { holdsMark } from '../changes/values.ts';
import type { AttributeDiff } from '../model/result.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';
import { type Parts, splitAddress } from './globs.ts';
import { type MatchedAttribute, matchAttributes } from './matched-attributes.ts';

type Segment = string | number;

interface Withheld {
  before: boolean;
  after: boolean;
}

/** One change for rule evaluation; caches data that several rules need. */
export class Subject {
  readonly change: ResourceChange;
  private addressParts: Parts | undefined;
  private moduleParts: Parts | undefined;
  private redactor: Redactor | undefined;
  private diffs: Map<Segment | undefined, AttributeDiff[]> | undefined;
  private readonly attributes = new Map<string, readonly MatchedAttribute[]>();
  private readonly withheldSides = new Map<MatchedAttribute, Withheld>();

  constructor(change: ResourceChange) {
    this.change = change;
  }

  get address(): Parts {
    this.addressParts ??= splitAddress(this.change.address);
    return this.addressParts;
  }

  /** Empty for the root module. */
  get module(): Parts {
    this.moduleParts ??= splitAddress(this.change.module_address ?? '');
    return this.moduleParts;
  }

  /** @param key cache key of the path */
  matchAttributes(key: string, path: Parts): readonly MatchedAttribute[] {
    let attributes = this.attributes.get(key);
    if (attributes === undefined) {
      attributes = matchAttributes(this.change, path);
      this.attributes.set(key, attributes);
    }
    return attributes;
  }

  /** Whether the attribute, anything below it, or the value that contains it changed. */
  isChanged(attribute: MatchedAttribute): boolean {
    if (isPlainlySame(attribute)) return false;
    const { segments } = attribute;
    if (segments.length === 0) return this.change.diffs.length > 0;
    this.diffs ??= groupByStart(this.change.diffs);
    return (this.diffs.get(segments[0]) ?? []).some((diff) => touches(diff, segments));
  }

  /** Whether the value is secret: the plan marks it or a part of it, or the redactor withholds it. */
  isSecret(attribute: MatchedAttribute): boolean {
    return this.isSecretSide(attribute, 'before') || this.isSecretSide(attribute, 'after');
  }

  isSecretSide(attribute: MatchedAttribute, side: 'before' | 'after'): boolean {
    const mask = side === 'before' ? attribute.before_sensitive : attribute.after_sensitive;
    return holdsMark(mask) || this.withheld(attribute)[side];
  }

  private withheld(attribute: MatchedAttribute): Withheld {
    let sides = this.withheldSides.get(attribute);
    if (sides === undefined) {
      sides = this.askRedactor(attribute);
      this.withheldSides.set(attribute, sides);
    }
    return sides;
  }

  private askRedactor({ segments, before = null, after = null }: MatchedAttribute): Withheld {
    if (this.redactor === undefined) {
      this.redactor = createRedactor();
      this.redactor.observe(this.change);
    }
    const diffs = [{ ...UNMARKED, path_segments: [...segments], before, after }];
    const [shown] = this.redactor.redactChange({ ...this.change, diffs });
    return { before: shown?.before !== before, after: shown?.after !== after };
  }
}

/** Template for the redactor; sensitivity marks are checked separately. */
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

/** Quick check without diffs; not for values that may have been withheld. */
function isPlainlySame({ before, after, unknown, before_sensitive, after_sensitive }: MatchedAttribute): boolean {
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

/** Reordering changes the list, but not its items. */
function touches({ path_segments, op }: AttributeDiff, segments: readonly Segment[]): boolean {
  if (op === 'reorder' && path_segments.length < segments.length) return false;
  const shared = Math.min(path_segments.length, segments.length);
  for (let i = 0; i < shared; i++) if (path_segments[i] !== segments[i]) return false;
  return true;
}
