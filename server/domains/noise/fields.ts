/** The columns of a suppression that a response contains. */
export const SUPPRESSION_FIELDS = [
  'id',
  'fingerprint',
  'resource_address',
  'resource_type',
  'attribute',
  'reason',
  'duration',
  'is_false_positive',
  'suppressed_by',
  'created_at',
  'expires_at',
] as const;
