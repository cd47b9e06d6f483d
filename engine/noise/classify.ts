import type { ResourceChange } from '../changes/types.ts';
import type { DocumentReader } from '../documents/reader.ts';
import { findEffect, isComputedPath } from '../effects/index.ts';
import { createProver, isWholeProof } from '../equivalence/prover.ts';
import type { LeafShape } from '../equivalence/shapes.ts';
import type { AttributeDiff, ChangeNoise } from '../model/result.ts';
import { type BookNoiseRule, NO_RULES, type RuleBook } from '../model/rule-book.ts';
import {
  type CompiledRule,
  createRuleFinder,
  findNoiseRules,
  isMoreSevere,
  type RuleContext,
} from '../noise-catalog/index.ts';
import { createWatchTest, type WatchTest } from '../risk/attributes/index.ts';
import { decideByOrg, findOwnRules, isCascade, isUpdateStamp, type OrgDecision } from './org-decision.ts';
import { type Pattern, Patterns, type Sighting } from './patterns.ts';
import { canModelClassify, type UnknownLeaf } from './unknown.ts';
import { isEqualVersion } from './versions.ts';

export interface NoiseOptions {
  /** The organization's noise key; without it a `value_change` has no fingerprint. */
  key?: Uint8Array;
  /** The organization's rules; none by default. */
  book?: RuleBook;
  /** Whether the plan's provider version no longer produces the noise that a matching catalog rule describes. */
  isFixed?(rule: CompiledRule): boolean;
  /** Whether something in the plan may read a leaf of the metadata of a resource; by default, nothing does. */
  isRead?: RuleContext['isRead'];
  /** Reads documents inside attributes; JSON only by default. */
  documents?: DocumentReader;
  /** Receives each classified pattern of an update. */
  sightings?: Sighting[];
  /** Fingerprints that a model or the organization classified as likely benign. They do not lower a risk level. */
  likely_benign?: ReadonlySet<string>;
  /** Receives leaves that only record a run or a read. Beside a real change, they do not count for its level. */
  records?: AttributeDiff[];
  /** Receives unclassified leaves, if classifying all of them as benign would make the update noise. */
  unknown?: UnknownLeaf[];
}

/**
 * Classifies the leaves of an update, and the update itself, as plan noise or not.
 *
 * 1. Organization: a leaf is `known_benign` if an active suppression covers its pattern at this address, or a custom
 *    rule covers the leaf. This includes paths that risk rules watch, because a guarded change keeps its level anyway.
 * 2. Catalog: a leaf is `known_benign` if a rule matches its path and both values. A `caution` rule only names the
 *    pattern.
 * 3. Proof: a leaf is `likely_benign` if its two values are proven equivalent, unless it forces a replacement. On a
 *    path that a risk rule watches, the proof must leave nothing for that rule to read.
 * 4. Model: other leaves are `likely_benign` if their pattern is in `likely_benign` and a model may classify them; not
 *    if a disabled or outdated rule matches them.
 *
 * The replacement of a version by an equal one is `likely_benign`, see `isEqualVersion`.
 *
 * Computed attributes that become unknown follow the leaves that cause them. Renewed records cause nothing; if nothing
 * else changes, only timestamps of the update are noise. An update is noise only if all of its leaves are, or if nothing
 * differs, and `known_benign` only if rules match all leaves except computed ones. Creates, deletes and other replaces
 * are never noise.
 *
 * @param change with raw values; sets `noise` and `same` of its diffs in place
 * @returns fingerprints of updates only, sorted and unique, at most 200, without computed attributes
 * @see openapi.yaml, ChangeNoise
 */
export function classifyNoise(change: ResourceChange, options: NoiseOptions): ChangeNoise {
  if (isEqualVersion(change, options.documents)) return verdict('likely_benign', [], NO_CAUSES);
  if (change.action !== 'update') return { ...NOVEL, fingerprints: [] };
  if (change.diffs.length === 0) return verdict(isUnchanged(change) ? 'likely_benign' : 'novel', [], NO_CAUSES);
  const { book = NO_RULES } = options;
  const isOff = (rule: CompiledRule) => book.disabled_noise.has(rule.id) || options.isFixed?.(rule) === true;
  const context: RuleContext = { isRead: options.isRead ?? (() => false), isArgument, isComputed };
  const findRule = createRuleFinder(findNoiseRules(change.type), change, context);
  const isWatched = createWatchTest(change.type);
  const own = findOwnRules(change, book);
  const is_suppressible = book.hasSuppressions(change.address);
  const proveLeaf = createProver(change, options.documents);
  const patterns = new Patterns(change, options.key);
  const cascades: AttributeDiff[] = [];
  const consequences = new Set<Pattern>();
  const leaves = { known_benign: 0, likely_benign: 0 };
  const records: AttributeDiff[] = [];
  const unknown: UnknownLeaf[] = [];
  const causes: Causes = { rule: null, own: null, suppression_id: null };
  for (const diff of change.diffs) {
    const leaf = proveLeaf(diff);
    if (leaf.same !== null) diff.same = leaf.same;
    const pattern = is_suppressible || patterns.has_room ? patterns.findPattern(diff, leaf.shape) : null;
    const is_decidable = own.length > 0 || (is_suppressible && pattern !== null);
    const decided = is_decidable
      ? decideByOrg(change, diff, { own, book, fingerprint: pattern?.fingerprint ?? null })
      : null;
    const rule = decided !== null ? null : findRule(diff, isOff);
    if (decided !== null) diff.noise = decided.noise;
    else if (rule !== null) diff.noise = noiseByRule(diff, leaf, rule, isWatched);
    else diff.noise = leaf.same !== null && canBeNoise(diff, leaf, isWatched) ? 'likely_benign' : 'novel';
    if (rule !== null || decided !== null) noteCauses(causes, rule, decided);
    else if (pattern !== null && canModelClassify(change, diff, leaf) && findRule(diff, () => false) === null) {
      if (options.likely_benign?.has(pattern.fingerprint)) diff.noise = 'likely_benign';
      else unknown.push({ fingerprint: pattern.fingerprint, attribute: pattern.attribute, change_shape: leaf.shape });
    }

    if (diff.noise !== 'novel') {
      leaves[diff.noise] += 1;
      if (rule?.is_record) records.push(diff);
    } else if (isCascade(diff, change.type) && canBeNoise(diff, leaf, isWatched)) {
      cascades.push(diff);
      if (pattern !== null) consequences.add(pattern);
      continue;
    }
    if (pattern !== null) patterns.record(pattern, diff.noise, { rule, own: decided?.own ?? null });
  }
  const benign = leaves.known_benign + leaves.likely_benign;
  const all_known = benign + cascades.length + unknown.length === change.diffs.length;
  if (all_known) for (const leaf of unknown) options.unknown?.push(leaf);
  const noise =
    benign + cascades.length === change.diffs.length &&
    (benign > records.length || cascades.every((diff) => isUpdateStamp(diff, change.type)));
  if (noise) for (const diff of cascades) diff.noise = 'likely_benign';
  // Without other changes, nothing causes the computed attributes.
  if (noise && benign === 0) for (const pattern of consequences) patterns.record(pattern, 'likely_benign', NO_CAUSES);
  options.sightings?.push(...patterns.sightings());
  for (const diff of records) options.records?.push(diff);
  const fingerprints = patterns.fingerprints();
  if (noise)
    return verdict(
      leaves.known_benign === benign && benign > 0 ? 'known_benign' : 'likely_benign',
      fingerprints,
      causes,
    );
  return verdict('novel', fingerprints, onlyCaution(causes));
}

/** An argument that only describes, such as an optional `etag`, is as good as a computed one. */
function isArgument({ type }: ResourceChange, { path_segments }: AttributeDiff): boolean {
  const effect = findEffect(type, path_segments)?.effect;
  return effect !== undefined && effect !== 'metadata';
}

function isComputed({ type }: ResourceChange, { path_segments }: AttributeDiff): boolean {
  return isComputedPath(type, path_segments);
}

/** The most severe rule of each kind that matched, and the suppression. */
interface Causes {
  rule: CompiledRule | null;
  own: BookNoiseRule | null;
  suppression_id: string | null;
}

const NO_CAUSES: Causes = { rule: null, own: null, suppression_id: null };

/** Both sides are present and equal: only the order of map keys or the sensitivity marks differ. */
function isUnchanged({ before, after }: ResourceChange): boolean {
  return before !== null && after !== null && Object.keys(after).length > 0;
}

const NOVEL: ChangeNoise = {
  classification: 'novel',
  severity: null,
  fingerprints: [],
  matched_rule_id: null,
  matched_custom_rule_id: null,
  suppression_id: null,
  overridden: false,
};

function verdict(
  classification: ChangeNoise['classification'],
  fingerprints: string[],
  { rule, own, suppression_id }: Causes,
): ChangeNoise {
  const mostSevere = own !== null && isMoreSevere(own, rule) ? own : rule;
  return {
    classification,
    severity: mostSevere?.severity ?? null,
    fingerprints,
    matched_rule_id: rule?.id ?? null,
    matched_custom_rule_id: own?.id ?? null,
    suppression_id,
    overridden: false,
  };
}

function noteCauses(causes: Causes, rule: CompiledRule | null, decided: OrgDecision | null): void {
  if (rule !== null && isMoreSevere(rule, causes.rule)) causes.rule = rule;
  if (decided?.own && isMoreSevere(decided.own, causes.own)) causes.own = decided.own;
  causes.suppression_id ??= decided?.suppression_id ?? null;
}

/** A change that is not noise names only `caution` rules. */
function onlyCaution({ rule, own }: Causes): Causes {
  return {
    rule: rule?.severity === 'caution' ? rule : null,
    own: own?.severity === 'caution' ? own : null,
    suppression_id: null,
  };
}

function noiseByRule(
  diff: AttributeDiff,
  leaf: LeafShape,
  rule: CompiledRule,
  isWatched: WatchTest,
): AttributeDiff['noise'] {
  if (rule.severity === 'caution' || diff.forces_replacement) return 'novel';
  return rule.on_watched || canBeNoise(diff, leaf, isWatched) ? 'known_benign' : 'novel';
}

function canBeNoise(diff: AttributeDiff, { same }: LeafShape, isWatched: WatchTest): boolean {
  if (diff.forces_replacement) return false;
  return isWholeProof(same, diff) || !isWatched(diff);
}
