import type { AttributeDiff } from '../model/result.ts';
import type { CatalogRule } from '../noise-catalog/index.ts';
import { hclAssignment } from './hcl.ts';
import type { FixDraft, FixSubject } from './types.ts';

interface Advice {
  label: string;
  summary: string;
  detail: string;
  cons: string[];
}

const SAME_VALUE: Advice = {
  label: 'Use the value that the service returns',
  summary: 'Set the attribute to the value that the resource already has.',
  detail: 'The next plan then compares equal values. Nothing needs to be applied, and later changes stay visible.',
  cons: ['You edit each resource separately'],
};

const BY_PROOF: Partial<Record<NonNullable<AttributeDiff['same']>, Partial<Advice>>> = {
  order: {
    label: 'Use the order that the service returns',
    summary: 'Sort the list in the configuration, or build it with sort() or toset().',
    detail: 'The items are the same; only their order differs, and it has no effect for this attribute.',
  },
  document: {
    label: 'Use the form in which the service stores the document',
    summary: 'Build the JSON with jsonencode() from values in the order of the stored document.',
    detail: 'Both documents are equivalent. A heredoc keeps its own whitespace and order; the service does not.',
  },
  policy: {
    label: 'Use the form in which the service stores the policy',
    summary: 'Build the policy with the provider’s policy document data source, which writes it in the stored form.',
    detail: 'Both policies grant and deny the same permissions; only order and format differ.',
  },
};

const BECOMES_UNKNOWN: Advice = {
  label: 'Fix the change that causes this one',
  summary: 'The provider recomputes this attribute on every update: look for the other change in this resource.',
  detail: 'The attribute changes nothing by itself. The difference disappears when the resource has no other update.',
  cons: ['You cannot set the attribute itself'],
};

/** The fix for the configuration: the remedy of a rule, or advice based on the kind of equivalence. */
export function rewriteOption({ diff }: FixSubject, rule: CatalogRule | null): FixDraft {
  const advice = pickAdvice(diff);
  return {
    kind: 'fix',
    label: advice.label,
    summary: rule?.remedy ?? advice.summary,
    detail: advice.detail,
    pros: ['Later changes to the attribute stay visible', 'Works with every version of the provider'],
    cons: advice.cons,
    patch: diff === null ? null : buildPatch(diff),
    min_provider_version: null,
  };
}

function pickAdvice(diff: AttributeDiff | null): Advice {
  if (diff?.after_unknown) return BECOMES_UNKNOWN;
  return { ...SAME_VALUE, ...(diff?.same === undefined ? {} : BY_PROOF[diff.same]) };
}

/** Current and corrected HCL; null if a value is withheld or truncated, or cannot be written as one assignment. */
function buildPatch(diff: AttributeDiff): FixDraft['patch'] {
  const { path_segments, before, after, before_sensitive, after_sensitive, after_unknown, truncated, scrubbed } = diff;
  if (before_sensitive || after_sensitive || after_unknown || truncated || scrubbed === true) return null;
  const corrected = hclAssignment(path_segments, before);
  if (corrected === null) return null;
  return { language: 'hcl', before: after === null ? null : hclAssignment(path_segments, after), after: corrected };
}
