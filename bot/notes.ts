/**
 * Why a plan has no result, or a command no answer: one text for each cause. Where a plan has no result, the review adds
 * what to do next.
 */
export const NOTES = {
  plan_expired: 'The stored plan has expired.',
  result_expired: 'The result has expired.',
  analysis_failed: 'The analysis failed.',
  plan_rejected: 'The service rejected the plan.',
  api_key_invalid: 'The API key of this integration is not valid. An admin has to link the repository again.',
} as const;
