import type { CatalogRule } from '../noise/catalog/index.ts';
import type { AttributeDiff } from '../result.ts';
import { hclAssignment } from './hcl.ts';
import type { FixDraft, FixSubject } from './types.ts';

interface Advice {
  label: string;
  summary: string;
  detail: string;
  cons: string[];
}

const SAME_VALUE: Advice = {
  label: 'Write what the service returns',
  summary: 'Set the attribute to the value that the resource already has.',
  detail: 'The next plan then compares equal values. Nothing is applied for it, and later changes stay visible.',
  cons: ['Each resource is edited on its own'],
};

const BY_PROOF: Partial<Record<NonNullable<AttributeDiff['same']>, Partial<Advice>>> = {
  order: {
    label: 'Write the items in the order that the service returns',
    summary: 'Sort the list in the configuration, or build it with sort() or toset().',
    detail: 'The items are the same; only their order differs, and for this attribute it means nothing.',
  },
  document: {
    label: 'Write the document as the service stores it',
    summary: 'Build the JSON with jsonencode() from values in the order of the stored document.',
    detail: 'Both documents say the same. A heredoc keeps its own blanks and order, which the service does not.',
  },
  policy: {
    label: 'Write the policy as the service stores it',
    summary: 'Build the policy with the provider’s policy document data source, which writes it in the stored form.',
    detail: 'Both policies grant and deny the same; order and spelling differ.',
  },
};

const BECOMES_UNKNOWN: Advice = {
  label: 'Mend what the attribute follows from',
  summary: 'The provider computes this attribute anew with any update: look for the change beside it.',
  detail: 'By itself it changes nothing. It goes quiet once the update that it belongs to is gone.',
  cons: ['Nothing can be written for the attribute itself'],
};

/** What mends the cause in the code: the remedy of a rule, or what the shape of the difference tells. */
export function rewriteOption({ diff }: FixSubject, rule: CatalogRule | null): FixDraft {
  const advice = pickAdvice(diff);
  return {
    kind: 'fix',
    label: advice.label,
    summary: rule?.remedy ?? advice.summary,
    detail: advice.detail,
    pros: ['Later changes of the attribute stay visible', 'Works with every version of the provider'],
    cons: advice.cons,
    patch: diff === null ? null : buildPatch(diff),
    min_provider_version: null,
  };
}

function pickAdvice(diff: AttributeDiff | null): Advice {
  if (diff?.after_unknown) return BECOMES_UNKNOWN;
  return { ...SAME_VALUE, ...(diff?.same === undefined ? {} : BY_PROOF[diff.same]) };
}

/** What the code says now, and what it would say; null where a value is withheld, cut, or not to be written in one place. */
function buildPatch(diff: AttributeDiff): FixDraft['patch'] {
  const { path_segments, before, after, before_sensitive, after_sensitive, after_unknown, truncated, scrubbed } = diff;
  if (before_sensitive || after_sensitive || after_unknown || truncated || scrubbed === true) return null;
  const corrected = hclAssignment(path_segments, before);
  if (corrected === null) return null;
  return { language: 'hcl', before: after === null ? null : hclAssignment(path_segments, after), after: corrected };
}
