import type { Action, NoiseClass } from '../model/result.ts';

/** One occurrence of a noise pattern: an analysis found this difference at this address. */
export interface NoiseOccurrence {
  /** 32 lowercase hex digits. */
  fingerprint: string;
  address: string;
  resource_type: string;
  /** Attribute path with every list index written `[*]`. */
  attribute: string;
  action: Action;
  classification: NoiseClass;
  matched_rule_id: string | null;
  matched_custom_rule_id: string | null;
}
