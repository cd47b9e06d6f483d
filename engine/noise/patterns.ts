import { type PathTemplate, toPathNode } from '../changes/path-node.ts';
import type { ResourceChange } from '../changes/types.ts';
import { isContainer } from '../changes/values.ts';
import type { ChangeShape } from '../equivalence/shapes.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { AttributeDiff, NoiseClass } from '../model/result.ts';
import type { BookNoiseRule } from '../model/rule-book.ts';
import type { CompiledRule } from '../noise-catalog/index.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';
import { attributePattern, fingerprint, valueDigest } from './fingerprint.ts';

/** The classification of one pattern in one change. */
export interface Sighting {
  fingerprint: string;
  attribute: string;
  classification: NoiseClass;
  matched_rule_id: string | null;
  matched_custom_rule_id: string | null;
}

export interface Pattern {
  fingerprint: string;
  attribute: string;
  /** Null while the pattern was seen only as a consequence of other leaves. */
  sighting: Sighting | null;
}

interface PatternsAt {
  attribute: string;
  patterns: Map<string, Pattern>;
}

/** Same as the maximum number of attributes of a change. */
const MAX_PATTERNS = 200;

/** The patterns of one update, cached by fingerprint input so that repeated leaves are hashed once. */
export class Patterns {
  private readonly change: ResourceChange;
  private readonly key: Uint8Array | undefined;
  private readonly known = new Map<string, PatternsAt>();
  private readonly byTemplate = new Map<PathTemplate, PatternsAt>();
  private count = 0;
  private readonly digests = new Map<string, string>();
  private latest: { diff: AttributeDiff; shape: ChangeShape; pattern: Pattern | null } | null = null;
  private redactor: Redactor | undefined;

  constructor(change: ResourceChange, key: Uint8Array | undefined) {
    this.change = change;
    this.key = key;
  }

  /** Whether more patterns can be listed. */
  get has_room(): boolean {
    return this.count < MAX_PATTERNS;
  }

  /** The pattern of a leaf; null if its fingerprint requires a value that must not be hashed. */
  findPattern(diff: AttributeDiff, change_shape: ChangeShape): Pattern | null {
    const { latest } = this;
    if (latest !== null && isAlike(latest.diff, diff) && latest.shape === change_shape) return latest.pattern;
    const pattern = this.resolvePattern(diff, change_shape);
    this.latest = { diff, shape: change_shape, pattern };
    return pattern;
  }

  private resolvePattern(diff: AttributeDiff, change_shape: ChangeShape): Pattern | null {
    const value_digest = change_shape === 'value_change' ? this.digest(diff) : null;
    if (change_shape === 'value_change' && value_digest === null) return null;
    const here = this.patternsAt(diff);
    const content = `${change_shape}|${value_digest}`;
    const known = here.patterns.get(content);
    if (known !== undefined) return known;
    const { attribute } = here;
    const { action, type } = this.change;
    const computed = fingerprint({ action, attribute, change_shape, resource_type: type, value_digest });
    const pattern = { fingerprint: computed, attribute, sighting: null };
    if (!this.has_room) return pattern;
    this.count += 1;
    here.patterns.set(content, pattern);
    return pattern;
  }

  private patternsAt(diff: AttributeDiff): PatternsAt {
    const { template: form } = toPathNode(diff);
    let here = this.byTemplate.get(form);
    if (here === undefined) {
      const attribute = attributePattern(diff);
      here = this.known.get(attribute) ?? { attribute, patterns: new Map() };
      this.known.set(attribute, here);
      this.byTemplate.set(form, here);
    }
    return here;
  }

  /** If leaves of one pattern are classified differently, `novel` wins. */
  record(
    pattern: Pattern,
    classification: NoiseClass,
    { rule, own }: { rule: CompiledRule | null; own: BookNoiseRule | null },
  ): void {
    if (pattern.sighting !== null && classification !== 'novel') return;
    pattern.sighting = {
      fingerprint: pattern.fingerprint,
      attribute: pattern.attribute,
      classification,
      matched_rule_id: rule?.id ?? null,
      matched_custom_rule_id: own?.id ?? null,
    };
  }

  /** Sorted and unique. */
  fingerprints(): string[] {
    return [...new Set(this.sightings().map((sighting) => sighting.fingerprint))].sort();
  }

  /** Excludes patterns seen only as consequences of other leaves. */
  sightings(): Sighting[] {
    return [...this.known.values()].flatMap(({ patterns }) =>
      [...patterns.values()].flatMap(({ sighting }) => sighting ?? []),
    );
  }

  /** Null without a key, and for values that the redactor withholds. */
  private digest(diff: AttributeDiff): string | null {
    if (this.key === undefined || this.isWithheld(diff)) return null;
    const values = canonicalJson([diff.before, diff.after]);
    let digest = this.digests.get(values);
    if (digest === undefined) {
      digest = valueDigest(this.key, values);
      if (this.digests.size < MAX_PATTERNS) this.digests.set(values, digest);
    }
    return digest;
  }

  /** Whether the redactor withholds the value; such values must not be hashed. Considers only this change. */
  private isWithheld(diff: AttributeDiff): boolean {
    if (this.redactor === undefined) {
      this.redactor = createRedactor();
      this.redactor.observe(this.change);
    }
    return this.redactor.withholds(diff, this.change);
  }
}

/** Whether two scalar items of one list change in the same way, such as a million numbers from 0 to 1. */
function isAlike(a: AttributeDiff, b: AttributeDiff): boolean {
  if (a.before !== b.before || a.after !== b.after || isContainer(a.before) || isContainer(a.after)) return false;
  if (a.before_sensitive !== b.before_sensitive || a.after_sensitive !== b.after_sensitive) return false;
  const [node, other] = [toPathNode(a), toPathNode(b)];
  return typeof node.segment === 'number' && node.template === other.template;
}
