/**
 * The times of new audit rows lie in the years 2000 to 9999: beyond, a time has no canonical text to be hashed, and a
 * clock that says so is wrong. Rows that are there are not checked, so that no deployment is kept from upgrading; whoever
 * may drop this constraint can still store any time, so every verifier checks the form of a time by itself.
 *
 * @see docs/audit-log.md, "Canonical form v1"
 */
export const up = /* sql */ `
  alter table audit_log add constraint audit_log_created_at_check
    check (created_at >= '2000-01-01 00:00:00+00' and created_at < '10000-01-01 00:00:00+00') not valid;
`;
