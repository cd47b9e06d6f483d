import type { ResourceChange } from '../changes/types.ts';
import { createRedactor } from '../redact/redactor.ts';
import type { AttributeDiff, NoiseClass } from '../result.ts';
import type { BookNoiseRule } from '../rule-book.ts';
import type { CompiledRule } from './catalog/index.ts';
import { attributePattern, fingerprint, valueDigest } from './fingerprint.ts';
import type { ChangeShape } from './shapes.ts';

/** What was found of one pattern in one change. */
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
  /** Null as long as only consequences of other leaves were seen of it. */
  sighting: Sighting | null;
}

/** As many as a change shows attributes. */
const MAX_PATTERNS = 200;

/** The patterns of one update, by what goes into their fingerprints, so that fifty tags are hashed once. */
export class Patterns {
  private readonly change: ResourceChange;
  private readonly key: Uint8Array | undefined;
  private readonly known = new Map<string, Pattern>();
  private withheld: ReadonlySet<AttributeDiff> | undefined;

  constructor(change: ResourceChange, key: Uint8Array | undefined) {
    this.change = change;
    this.key = key;
  }

  /** Whether further patterns are still listed. */
  get has_room(): boolean {
    return this.known.size < MAX_PATTERNS;
  }

  /** The pattern of a leaf; null where its value has to go into the fingerprint and may not. */
  of(diff: AttributeDiff, change_shape: ChangeShape): Pattern | null {
    const value_digest = change_shape === 'value_change' ? this.digest(diff) : null;
    if (change_shape === 'value_change' && value_digest === null) return null;
    const attribute = attributePattern(diff);
    const content = `${change_shape}|${value_digest}|${attribute}`;
    const known = this.known.get(content);
    if (known !== undefined) return known;
    const { action, type } = this.change;
    const print = fingerprint({ action, attribute, change_shape, resource_type: type, value_digest });
    const pattern = { fingerprint: print, attribute, sighting: null };
    if (this.has_room) this.known.set(content, pattern);
    return pattern;
  }

  /** Of leaves of one pattern that are judged differently, the one that is no noise counts. */
  saw(
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

  /** Without the mere consequences of other leaves. */
  sightings(): Sighting[] {
    return [...this.known.values()].flatMap(({ sighting }) => sighting ?? []);
  }

  /** Null without a key, and for a value that the redactor would withhold from this change. */
  private digest(diff: AttributeDiff): string | null {
    if (this.key === undefined) return null;
    this.withheld ??= findWithheld(this.change);
    return this.withheld.has(diff) ? null : valueDigest(this.key, diff.before, diff.after);
  }
}

/** The diffs of which nothing may be shown, and so nothing hashed: told by the redactor itself, from this change alone. */
function findWithheld(change: ResourceChange): ReadonlySet<AttributeDiff> {
  const redactor = createRedactor();
  redactor.observe(change);
  const shown = redactor.redactChange(change);
  return new Set(change.diffs.filter((diff, i) => shown[i] !== diff));
}
