import { RelevantAttributes, selectDrift } from './analysis/drift-relevance.ts';
import { Reversals } from './analysis/drift-reversal.ts';
import { fitResult, MAX_RESULT_BYTES } from './analysis/fit.ts';
import { findOccurrences } from './analysis/occurrences.ts';
import { Outputs } from './analysis/outputs.ts';
import { createChangesPart, createDriftPart } from './analysis/parts.ts';
import { type AttributeRoom, presentChange, presentCheck, presentReason } from './analysis/present.ts';
import type { UnknownPattern } from './analysis/unknown-patterns.ts';
import { deterministicNarrative } from './narrative.ts';
import { createProviderVersions } from './noise/fixed-version.ts';
import type { NoiseOccurrence } from './noise/occurrence.ts';
import { createPlanReader } from './plan/reader.ts';
import type { PlanHeader, PlanLimits } from './plan/types.ts';
import { createRedactor } from './redact/redactor.ts';
import type { PlanAnalysis } from './result.ts';
import { NO_RULES, type RuleBook } from './rule-book.ts';
import { ENGINE_VERSION } from './version.ts';

export interface AnalyzeOptions {
  /** The org's key for fingerprints of changed values; without it those have none. */
  noise_key?: Uint8Array;
  /** What the org has decided, made by `compileRules`; nothing unless given. */
  book?: RuleBook;
  /**
   * Fingerprints that a word alone calls likely benign, a model's or the org's. They change what is counted and called
   * noise, and no level.
   */
  likely_benign?: ReadonlySet<string>;
  /** How many changes are shown, 2,000 unless given; all of them are judged and counted. */
  max_changes?: number;
  limits?: PlanLimits;
}

export interface PlanAnalyzer {
  write(chunk: Uint8Array): void;
  end(): PlanAnalysis;
  /** The noise patterns of the changes that are shown, at most 5,000; to be asked for after `end`. */
  occurrences(): NoiseOccurrence[];
  /** What a word could still make noise of, of all changes: the 50 most frequent; to be asked for after `end`. */
  unknownPatterns(): UnknownPattern[];
}

/** openapi.yaml, AnalyzeResult.changes */
const MAX_CHANGES = 2000;
/** openapi.yaml, AnalyzeResult.resource_drift */
const MAX_DRIFT = 500;
/** Which of the drift is shown can be told only at the end; of more than this the lowest are let go. */
const MAX_DRIFT_KEPT = 2000;

/**
 * Judges a plan that comes in chunks, cut anywhere. Memory does not grow with the plan, only with what is shown of it.
 *
 * Each change is normalised once; noise, rules, counts and facts read that one object. Secrets are taken out at the end,
 * when every marked value of the plan is known.
 *
 * `write` and `end` throw PlanError when the text is no plan that we can judge.
 */
export function createAnalysis(options: AnalyzeOptions = {}): PlanAnalyzer {
  const redactor = createRedactor();
  const book = options.book ?? NO_RULES;
  const { noise_key, likely_benign } = options;
  const common = { redactor, noise_key, likely_benign, book, versions: () => providers.versions };
  const newChanges = () => createChangesPart({ ...common, max_changes: options.max_changes ?? MAX_CHANGES });
  const newDrift = () => createDriftPart({ ...common, max_changes: MAX_DRIFT_KEPT }, () => changes.facts);
  let changes = newChanges();
  let drift = newDrift();
  let relevant = new RelevantAttributes();
  let providers = createProviderVersions();
  let outputs = new Outputs(redactor);
  let occurrences: NoiseOccurrence[] = [];

  const reader = createPlanReader(
    {
      resourceChange: (raw) => changes.judging.read(raw),
      resourceDrift: (raw) => drift.judging.read(raw),
      outputChange: (name, raw) => outputs.read(name, raw),
      relevantAttribute: (raw) => relevant.add(raw),
      providerConfig: (raw) => providers.observe(raw),
      restart(member) {
        if (member === 'resource_changes') changes = newChanges();
        else if (member === 'resource_drift') drift = newDrift();
        else if (member === 'output_changes') outputs = new Outputs(redactor);
        else if (member === 'relevant_attributes') relevant = new RelevantAttributes();
        else providers = createProviderVersions();
      },
    },
    options.limits,
  );

  function end(): PlanAnalysis {
    const header = reader.end();
    changes.judging.finish();
    drift.judging.finish();
    const analysis = assemble(header);
    fitResult(analysis);
    return analysis;
  }

  function assemble(header: PlanHeader): PlanAnalysis {
    const { redactText } = redactor;
    const { level, escalations } = changes.overall.result(header);
    const block_reasons = changes.blocks.reasons();
    const shown = changes.ranking.list();
    const output_changes = outputs.present();
    const drifted = drift.ranking.list();
    const { planned } = changes;
    const selected = selectDrift(drifted, { header, relevant, planned, changes_outputs: output_changes.length > 0 });
    // Found before drift is presented, which shortens its values.
    const reversals = new Reversals(drifted);
    const room: AttributeRoom = { left: MAX_RESULT_BYTES };
    const presented = shown.map((judged) => presentChange(judged, redactor, room, reversals.find(judged.change)));
    occurrences = findOccurrences(shown, presented);
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
    return { ...analysis, narrative: deterministicNarrative({ analysis }) };
  }

  return {
    write: reader.write,
    end,
    occurrences: () => occurrences,
    unknownPatterns: () => changes.unknown_patterns.list(redactor.redactText, providers.versions),
  };
}

/**
 * Judges a whole plan.
 *
 * @param plan its text, or its bytes in UTF-8 or UTF-16
 * @throws PlanError when it is no plan that we can judge
 */
export function analyzePlan(plan: Uint8Array | string, options: AnalyzeOptions = {}): PlanAnalysis {
  const analysis = createAnalysis(options);
  analysis.write(typeof plan === 'string' ? Buffer.from(plan) : plan);
  return analysis.end();
}
