import type { Concern, Explanation, JsonValue, RiskLevel } from '../model/result.ts';
import type { KnownValue } from './shown-values.ts';

/** What may be sent to a model: names and short harmless values, or names only. */
export type SendValues = 'redacted' | 'names_only';

/** Schema of the JSON object that a model must return. */
export interface AnswerSchema {
  /** Letters, digits and `_`. */
  name: string;
  description: string;
  /** JSON Schema: every property required, nothing additional. */
  json: Record<string, unknown>;
}

/** Fixed part of a prompt. Released prompts never change; a new wording is a new version in a new file. */
export interface PromptText {
  version: string;
  system: string;
  schema: AnswerSchema;
}

/** Metadata of a prompt for traces, without its text. */
export interface PromptInputs {
  /** SHA-256 of the user message, hex. */
  digest: string;
  char_count: number;
  /** Number of changes or patterns listed individually. */
  resource_count: number;
}

export interface Prompt {
  system: string;
  user: string;
  schema: AnswerSchema;
  prompt_version: string;
  inputs: PromptInputs;
}

/** A name that an answer may use. */
export interface KnownName {
  /** The name, shortened in the middle if it is long. */
  shown: string;
  /** Index in the analysis' `changes`; null if the name is not the address of a planned change. */
  change: number | null;
}

/** Names and numbers that an answer may use. */
export interface KnownFacts {
  names: ReadonlyMap<string, KnownName>;
  /** In digits, without thousands separators. */
  numbers: ReadonlySet<string>;
}

/** A changed value of the plan that was shown to the model. */
export interface ShownValue {
  /** Shortened in the middle if it is long. For a value inside a document, it continues the path of the attribute. */
  path: string;
  before: JsonValue;
  after: JsonValue;
  /** The new value is unknown until apply. */
  unknown?: true;
  /** This side is a value that may not be sent, and null here. */
  withheld?: 'before' | 'after' | 'both';
  /** The sides are not the values: only what differs in a longer text, or its operators and names of fields. */
  shows?: 'parts' | 'outline';
}

/** The same with the values that a concern may cite. */
export interface PlanFacts extends KnownFacts {
  /** By the change's index in the analysis; changes without shown values are empty or missing. */
  values: readonly (readonly KnownValue[])[];
}

export interface Proposal {
  address: string;
  level: RiskLevel;
  /** Plain text with verified names and numbers. */
  reason: string;
}

/** A rejected part of an answer, for the trace. */
export interface Dropped {
  /** Its beginning, at most 160 characters, with control characters escaped. */
  what: string;
  why: string;
}

/** A verified answer about an analysis. */
export interface Reading extends Explanation {
  proposals: Proposal[];
  overall: Pick<Proposal, 'level' | 'reason'> | null;
  /** Sorted, at most ten. Absent if the prompt did not ask for concerns. */
  concerns?: Concern[];
  dropped: Dropped[];
}

/** A verified answer about fix options. */
export interface FixReading {
  /** Names of the options, best first. */
  order: string[];
  /** In the order of the prompt. Inert Markdown; null or empty if nothing was accepted. */
  options: { option: string; summary: string | null; detail: string | null; pros: string[]; cons: string[] }[];
  /** 0.41 to 0.9. */
  confidence: number;
  dropped: Dropped[];
}

export interface Unusable {
  /** Why the answer cannot be used. */
  unusable: string;
}
