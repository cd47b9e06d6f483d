import type { RiskLevel } from '../../../engine/index.ts';
import type { CiContext, ScanRun } from '../scans/index.ts';

/** Maximum length of a CI field; openapi.yaml has more rules in CiContext. */
export type CiInput = { [Field in keyof CiContext]?: NonNullable<CiContext[Field]> };

/** An analysis with its final text. */
export interface Narrated {
  /** The contract's AnalyzeResult without the fields that only the service knows, as JSON text. */
  text: string;
  narrative_status: Extract<ScanRun['narrative_status'], 'ready' | 'fallback' | 'skipped'>;
  /** The levels of the changes that a model raised, by ID of the change. */
  raised: Readonly<Record<string, RiskLevel>>;
  trace_ids: string[];
  /** Whether the platform's model wrote the text, so that the reserved quota is used. */
  is_billed: boolean;
}
