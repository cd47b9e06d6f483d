import type { RiskLevel } from '../result.ts';

/** What may be sent to a model: short harmless values as well, or nothing but names. */
export type SendValues = 'redacted' | 'names_only';

/** The one JSON object that an answer has to be. */
export interface AnswerSchema {
  /** Letters, digits and `_`. */
  name: string;
  description: string;
  /** JSON Schema: every property required, nothing additional. */
  json: Record<string, unknown>;
}

/** A question's fixed part. What has been shipped stays as it is: a change of words is a new version in a new file. */
export interface PromptText {
  version: string;
  system: string;
  schema: AnswerSchema;
}

/** What a trace tells of a prompt without its text. */
export interface PromptInputs {
  /** SHA-256 of the user part, hex. */
  digest: string;
  char_count: number;
  /** Changes or patterns that were shown one by one. */
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
  /** As it is written in a text: the name, its middle left out where it is long. */
  shown: string;
  /** Index into the analysis' changes; null for whatever is no address of a planned change. */
  change: number | null;
}

/** What an answer may speak of: names and numbers of this plan, nothing else. */
export interface KnownFacts {
  names: ReadonlyMap<string, KnownName>;
  /** In digits, without separators of thousands. */
  numbers: ReadonlySet<string>;
}

export interface Proposal {
  address: string;
  level: RiskLevel;
  /** Plain text of known words, names and numbers. */
  reason: string;
}

/** What was left out of an answer, for the trace. */
export interface Dropped {
  /** The beginning of it, at most 160 characters, control characters made visible. */
  what: string;
  why: string;
}

/** An answer after everything in it was checked against the analysis. */
export interface Reading {
  /** Markdown: what will happen, why it matters, what to check; paragraphs, one list and code spans. */
  narrative: string;
  /** Markdown of one or two sentences for a change, at most one for each address. */
  notes: { address: string; note: string }[];
  proposals: Proposal[];
  overall: Pick<Proposal, 'level' | 'reason'> | null;
  dropped: Dropped[];
}

/** An answer about the ways to be rid of a pattern, after everything in it was checked. */
export interface FixReading {
  /** Names of the options, the best first. */
  order: string[];
  /** In the order of the question. Markdown that cannot act; null or empty where nothing stood. */
  options: { option: string; summary: string | null; detail: string | null; pros: string[]; cons: string[] }[];
  /** 0.41 to 0.9. */
  confidence: number;
  dropped: Dropped[];
}

export interface Unusable {
  /** Why, in our own words. */
  unusable: string;
}
