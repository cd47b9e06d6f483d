import type { AttributeDiff, Category, NoiseClass } from '../model/result.ts';

/** A noise pattern with its location and its difference in the last plan that contained it. */
export interface FixSubject {
  resource_type: string;
  resource_address: string;
  /** Attribute path with every list index written `[*]`. */
  attribute: string;
  classification: NoiseClass;
  matched_rule_id: string | null;
  /** The redacted difference in the last result that contains the pattern; null if that result has expired. */
  diff: AttributeDiff | null;
  categories: readonly Category[];
}

/** @see openapi.yaml, FixOption */
export interface FixOption {
  kind: 'fix' | 'workaround' | 'suppress';
  /** 1 = best. */
  rank: number;
  label: string;
  /** Inert Markdown of prose and code spans, like detail, pros and cons. */
  summary: string;
  detail: string;
  pros: string[];
  cons: string[];
  patch: { language: 'hcl'; before: string | null; after: string | null } | null;
  target: { resource_type: string; resource_address: string | null; attribute: string };
  min_provider_version: string | null;
  references: string[];
}

/** Two or three options, best first. */
export interface FixProposal {
  fixes: FixOption[];
  /** 0 to 0.4 for rules only, up to 0.9 with a language model. */
  confidence: number;
}

export type FixDraft = Omit<FixOption, 'rank' | 'target' | 'references'>;
