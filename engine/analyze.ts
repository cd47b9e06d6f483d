import { RelevantAttributes, selectDrift } from './analysis/drift-relevance.ts';
import { Reversals } from './analysis/drift-reversal.ts';
import { fitResult, MAX_RESULT_BYTES } from './analysis/fit.ts';
import { createInsideFinder } from './analysis/inside.ts';
import { findLinkCandidates, type LinkCandidate } from './analysis/link-candidates.ts';
import { findOccurrences } from './analysis/occurrences.ts';
import { Outputs } from './analysis/outputs.ts';
import { createChangesPart, createDeferredPart, createDriftPart, type PartOptions } from './analysis/parts.ts';
import { findPlanFindings, Invocations } from './analysis/plan-findings.ts';
import { type AttributeRoom, presentChange, presentCheck, presentReason } from './analysis/present.ts';
import type { UnknownPattern } from './analysis/unknown-patterns.ts';
import type { KnownLive } from './changes/types.ts';
import { createDocumentReader } from './documents/reader.ts';
import type { DocumentParsers } from './documents/types.ts';
import type { JsonObject, PlanAnalysis } from './model/result.ts';
import { NO_RULES, type RuleBook } from './model/rule-book.ts';
import { writeNarrative } from './narrative/narrative.ts';
import { createProviderVersions } from './noise/fixed-version.ts';
import type { NoiseOccurrence } from './noise/occurrence.ts';
import { createPlanReader } from './plan/reader.ts';
import type { PlanHeader, PlanLimits, RawProviderConfig } from './plan/types.ts';
import { createRedactor } from './redact/redactor.ts';
import { ENGINE_VERSION } from './version.ts';

export interface AnalyzeOptions {
  /** The organization's key for fingerprints of changed values; without it, such changes have no fingerprint. */
  noise_key?: Uint8Array;
  /** The organization's rules from `compileRules`; none by default. */
  book?: RuleBook;
  /**
   * Fingerprints that a language model or the organization classified as likely benign. They affect noise counts and
   * classifications, but no risk level.
   */
  likely_benign?: ReadonlySet<string>;
  /**
   * Returns the parsers of documents inside attributes (`engine/documents/index.ts`), once they are loaded; without them,
   * YAML and XML are read as lines of text. Called for each document.
   */
  parsers?: () => DocumentParsers | undefined;
  /** The names that the object of a resource may have in its cloud; by default, only its IDs are known. */
  listNames?: (type: string, attributes: JsonObject) => readonly string[];
  /** What scans know about the resources of changes, by `Change.id`; nothing by default. */
  live?: ReadonlyMap<string, KnownLive>;
  /** Number of changes to list, 2,000 by default; all changes are evaluated and counted. */
  max_changes?: number;
  limits?: PlanLimits;
}

export interface PlanAnalyzer {
  write(chunk: Uint8Array): void;
  end(): PlanAnalysis;
  /** Noise patterns of the listed changes, at most 5,000. Call after `end`. */
  occurrences(): NoiseOccurrence[];
  /** The listed changes that are about an object in a cloud, with its IDs. Call after `end`. */
  linkCandidates(): LinkCandidate[];
  /** The 50 most frequent patterns of all changes that a model could still classify as noise. Call after `end`. */
  unknownPatterns(): UnknownPattern[];
  /** Owners that the provider configuration and prior values name, at most 200, without secrets. Call after `end`. */
  owners(): string[];
}

/** openapi.yaml, AnalyzeResult.changes */
const MAX_CHANGES = 2000;
/** openapi.yaml, AnalyzeResult.resource_drift */
const MAX_DRIFT = 500;
/** Relevant drift is known only at the end of the plan; beyond this number, the lowest-ranked entries are dropped. */
const MAX_DRIFT_KEPT = 2000;
const NOTHING_LIVE: ReadonlyMap<string, KnownLive> = new Map();

/**
 * Analyzes a plan in chunks of any size. Memory depends on the size of the result, not of the plan.
 *
 * Each change is normalized once; noise, rules, counts and facts use the same object. Secrets are removed at the end,
 * when all values that the plan marks as sensitive are known.
 *
 * `write` and `end` throw PlanError if the input is not a supported plan.
 */
export function createAnalysis(options: AnalyzeOptions = {}): PlanAnalyzer {
  const redactor = createRedactor();
  const book = options.book ?? NO_RULES;
  const { noise_key, likely_benign } = options;
  const documents = createDocumentReader(options.parsers);
  const common: Omit<PartOptions, 'max_changes'> = {
    ...{ redactor, noise_key, likely_benign, book, documents },
    live: options.live ?? NOTHING_LIVE,
    listNames: options.listNames,
    versions: () => providers.versions,
    isReferenced: (change, diff) => relevant.matches({ ...change, diffs: [diff] }),
  };
  const newChanges = () => createChangesPart({ ...common, max_changes: options.max_changes ?? MAX_CHANGES });
  const newDrift = () => createDriftPart({ ...common, max_changes: MAX_DRIFT_KEPT }, () => changes);
  const newDeferred = () => createDeferredPart({ ...common, max_changes: 0 }, () => changes);
  let changes = newChanges();
  let drift = newDrift();
  let deferred = newDeferred();
  let invocations = new Invocations();
  let relevant = new RelevantAttributes();
  let providers = createProviderVersions();
  let configured: RawProviderConfig[] = [];
  let outputs = new Outputs(redactor);
  let occurrences: NoiseOccurrence[] = [];
  let link_candidates = (): LinkCandidate[] => [];

  const reader = createPlanReader(
    {
      resourceChange: (raw) => changes.judging.read(raw),
      resourceDrift: (raw) => drift.judging.read(raw),
      deferredChange: (raw) => deferred.judging.read(raw),
      invocation: (raw) => invocations.read(raw),
      outputChange: (name, raw) => outputs.read(name, raw),
      relevantAttribute: (raw) => relevant.add(raw),
      providerConfig(raw) {
        providers.observe(raw);
        configured.push(raw);
      },
      restart(member) {
        if (member === 'resource_changes') changes = newChanges();
        else if (member === 'resource_drift') drift = newDrift();
        else if (member === 'deferred_changes') deferred = newDeferred();
        else if (member === 'action_invocations') invocations = new Invocations();
        else if (member === 'output_changes') outputs = new Outputs(redactor);
        else if (member === 'relevant_attributes') relevant = new RelevantAttributes();
        else {
          providers = createProviderVersions();
          configured = [];
        }
      },
    },
    options.limits,
  );

  function end(): PlanAnalysis {
    const header = reader.end();
    changes.configure(configured);
    changes.judging.finish();
    drift.judging.finish();
    deferred.judging.finish();
    const analysis = assemble(header);
    fitResult(analysis);
    return analysis;
  }

  function assemble(header: PlanHeader): PlanAnalysis {
    const { redactText } = redactor;
    const others = findPlanFindings(header, invocations, deferred.riskiest());
    const { level, escalations, plan_level } = changes.overall.result(header, outputs.countShown(), others);
    const block_reasons = changes.blocks.reasons();
    const shown = changes.ranking.list();
    const output_changes = outputs.present();
    const drifted = drift.ranking.list();
    const { planned } = changes;
    const selected = selectDrift(drifted, { header, relevant, planned, changes_outputs: output_changes.length > 0 });
    // Must run before `presentChange`, which shortens the values of drift.
    const reversals = new Reversals(drifted);
    const room: AttributeRoom = { left: MAX_RESULT_BYTES };
    const findInside = createInsideFinder(documents);
    const presented = shown.map((judged) =>
      presentChange(judged, redactor, room, { reversal: reversals.find(judged.change), findInside }),
    );
    occurrences = findOccurrences(shown, presented);
    link_candidates = () => findLinkCandidates(shown, { presented, drifted, redactText });
    const analysis = {
      schema_version: 1 as const,
      risk_level: level,
      risk: {
        deterministic_level: level,
        llm_level: null,
        escalations: escalations.map((reason) => presentReason(reason, redactText)),
        policy_version: book.policy_version,
        engine_version: ENGINE_VERSION,
        blocked: block_reasons.length > 0,
        block_reasons: block_reasons.map((reason) => presentReason(reason, redactText)),
        ...(plan_level === 'none' ? {} : { plan_level }),
      },
      narrative_status: 'fallback' as const,
      skip_reason: null,
      changes: presented,
      changes_total: changes.ranking.total,
      changes_truncated: shown.length < changes.ranking.total,
      summary: changes.summary.finish({ header, level, drift_detected: drift.ranking.total }),
      output_changes,
      resource_drift: selected.slice(0, MAX_DRIFT).map((judged) => presentChange(judged, redactor, room)),
      plan_noise: changes.noise.counts(redactText),
      checks: header.check_findings.map((finding) => presentCheck(finding, redactText)),
      not_evaluated: changes.unknowns.present(header, redactText),
    };
    return { ...analysis, narrative: writeNarrative(analysis) };
  }

  return {
    write: reader.write,
    end,
    occurrences: () => occurrences,
    linkCandidates: () => link_candidates(),
    owners: () => changes.learnedOwners().filter((owner) => redactor.redactText(owner) === owner),
    unknownPatterns: () => changes.unknown_patterns.list(redactor.redactText, providers.versions),
  };
}

/**
 * Analyzes a complete plan.
 *
 * @param plan JSON text, or its bytes in UTF-8 or UTF-16
 * @throws PlanError if the input is not a supported plan
 */
export function analyzePlan(plan: Uint8Array | string, options: AnalyzeOptions = {}): PlanAnalysis {
  const analysis = createAnalysis(options);
  analysis.write(typeof plan === 'string' ? Buffer.from(plan) : plan);
  return analysis.end();
}
