/** The columns of a delivery that a response contains. */
export const DELIVERY_FIELDS = [
  'id',
  'direction',
  'event',
  'status',
  'http_status',
  'attempts',
  'next_attempt_at',
  'duration_ms',
  'error',
  'created_at',
  'finished_at',
] as const;
