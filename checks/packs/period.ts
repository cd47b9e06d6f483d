export const PERIOD = { period_start: new Date('2026-01-01T00:00:00Z'), period_end: new Date('2026-02-01T00:00:00Z') };
