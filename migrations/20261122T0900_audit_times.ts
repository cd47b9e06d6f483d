/**
 * The times of new audit rows must be in the years 2000 to 9999: other times have no canonical text to hash, and come
 * from a wrong clock. Existing rows are not checked, so that no upgrade fails; a user who can drop this constraint can
 * still store any time, so every verifier checks the form of times itself.
 *
 * @see docs/audit-log.md, "Canonical form v1"
 */
export const up = /* sql */ `
  alter table audit_log add constraint audit_log_created_at_check
    check (created_at >= '2000-01-01 00:00:00+00' and created_at < '10000-01-01 00:00:00+00') not valid;
`;
