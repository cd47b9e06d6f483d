import type { ResourceChange } from '../changes/types.ts';
import type { AttributeDiff, ChangeNoise } from '../result.ts';
import { createWatchTest, type WatchTest } from '../risk/attributes/index.ts';
import { type BookNoiseRule, NO_RULES, type RuleBook } from '../rule-book.ts';
import { type CompiledRule, createRuleFinder, findNoiseRules, isMoreSevere, type RuleFinder } from './catalog/index.ts';
import { decideByOrg, findOwnRules, isCascade, isUpdateStamp, type OrgDecision } from './org-decision.ts';
import { type Pattern, Patterns, type Sighting } from './patterns.ts';
import { createProver, isWholeProof } from './prover.ts';
import type { LeafShape } from './shapes.ts';
import { canModelClassify, type UnknownLeaf } from './unknown.ts';

export interface NoiseOptions {
  /** The org's noise key; without it a `value_change` has no fingerprint. */
  key?: Uint8Array;
  /** What the org has decided; nothing unless given. */
  book?: RuleBook;
  /** Asked of a rule of the catalog that matches: whether the plan's provider no longer plans what it describes. */
  isFixed?(rule: CompiledRule): boolean;
  /** Takes each pattern of an update, once it is classified. */
  sightings?: Sighting[];
  /** Fingerprints that a word alone calls likely benign, a model's or the org's. Whoever judges has to know which did. */
  likely_benign?: ReadonlySet<string>;
  /** Takes the leaves on which nothing has decided, if a word about them would make noise of the update. */
  unknown?: UnknownLeaf[];
}

/**
 * Judges which leaves of an update are plan noise, and the update with them.
 *
 * What the org has decided comes first: a leaf is `known_benign` when a live suppression covers its pattern at this
 * address, or a rule of its own covers the leaf; even on a path that a risk rule watches, because the judgement lets
 * nothing be taken off a grave weakening. Then it is `known_benign` when a rule of the catalog speaks of its path and of
 * both its values. A rule that calls for caution only names the pattern. A leaf is `likely_benign` when its two
 * sides are proven to mean the same, unless it forces a replacement. On a path that a risk rule watches, only a proof that
 * leaves such a rule nothing to read counts. Leaves that only become unknown, under a name which the provider computes,
 * follow the verdict of the leaves that cause them; mere stamps of an update, with no leaf that causes it, are noise. The
 * change is noise only if all of its leaves are, and known only if rules know all that are not mere consequences; a
 * create, a delete or a replace never is. An update in which nothing differs is one as well.
 *
 * Of what is left, a leaf is `likely_benign` when a word says so of its pattern and it is such that words count; not where
 * a rule knows it that was switched off, or that its provider has outgrown.
 *
 * @param change with raw values; `noise` and `same` of its diffs are set in place
 * @returns fingerprints sorted and unique, of updates only, at most 200; without those of mere consequences
 * @see openapi.yaml, ChangeNoise
 */
export function classifyNoise(change: ResourceChange, options: NoiseOptions): ChangeNoise {
  if (change.action !== 'update') return { ...NOVEL, fingerprints: [] };
  if (change.diffs.length === 0) return verdict(isUnchanged(change) ? 'likely_benign' : 'novel', [], NO_CAUSES);
  const { book = NO_RULES } = options;
  const isOff = (rule: CompiledRule) => book.disabled_noise.has(rule.id) || options.isFixed?.(rule) === true;
  const rules = findNoiseRules(change.type);
  const findRule: RuleFinder = rules === undefined ? () => null : createRuleFinder(rules, change);
  const isWatched = createWatchTest(change.type);
  const own = findOwnRules(change, book);
  const is_suppressible = book.hasSuppressions(change.address);
  const proveLeaf = createProver(change);
  const patterns = new Patterns(change, options.key);
  const cascades: AttributeDiff[] = [];
  const consequences = new Set<Pattern>();
  const leaves = { known_benign: 0, likely_benign: 0 };
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

    if (diff.noise !== 'novel') leaves[diff.noise] += 1;
    else if (isCascade(diff) && canBeNoise(diff, leaf, isWatched)) {
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
    (benign > 0 || cascades.every((diff) => isUpdateStamp(diff, change.type)));
  if (noise) for (const diff of cascades) diff.noise = 'likely_benign';
  // Where nothing else changes there is nothing that they follow from.
  if (noise && benign === 0) for (const pattern of consequences) patterns.record(pattern, 'likely_benign', NO_CAUSES);
  options.sightings?.push(...patterns.sightings());
  const fingerprints = patterns.fingerprints();
  if (noise)
    return verdict(
      leaves.known_benign === benign && benign > 0 ? 'known_benign' : 'likely_benign',
      fingerprints,
      causes,
    );
  return verdict('novel', fingerprints, onlyCaution(causes));
}

/** Why leaves are, or look like, noise: of each kind the one that calls for most care. */
interface Causes {
  rule: CompiledRule | null;
  own: BookNoiseRule | null;
  suppression_id: string | null;
}

const NO_CAUSES: Causes = { rule: null, own: null, suppression_id: null };

/** Both sides are told, and equal: the members of a map in another order, or other marks of what is sensitive. */
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

/** What a change that is no noise still names: patterns to be careful about. */
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
