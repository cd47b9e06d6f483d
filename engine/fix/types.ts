import type { AttributeDiff, Category, NoiseClass } from '../result.ts';

/** A pattern of plan noise as far as it is known: from where it was seen, and from the last plan that showed it. */
export interface FixSubject {
  resource_type: string;
  resource_address: string;
  /** Attribute path with every list index written `[*]`. */
  attribute: string;
  classification: NoiseClass;
  matched_rule_id: string | null;
  /** The leaf in the last result that shows it, redacted; null when there is none any more. */
  diff: AttributeDiff | null;
  categories: readonly Category[];
}

/** @see openapi.yaml, FixOption */
export interface FixOption {
  kind: 'fix' | 'workaround' | 'suppress';
  /** 1 = best. */
  rank: number;
  label: string;
  /** Markdown without anything that acts: prose and code spans; so are detail, pros and cons. */
  summary: string;
  detail: string;
  pros: string[];
  cons: string[];
  patch: { language: 'hcl'; before: string | null; after: string | null } | null;
  target: { resource_type: string; resource_address: string | null; attribute: string };
  min_provider_version: string | null;
  references: string[];
}

/** Two or three options, the best first. */
export interface FixProposal {
  fixes: FixOption[];
  /** 0 to 0.4: what rules alone can know; above it, to 0.9, where a model has spoken. */
  confidence: number;
}

export type FixDraft = Omit<FixOption, 'rank' | 'target' | 'references'>;
