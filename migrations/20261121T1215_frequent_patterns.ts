/** The fix of a pattern is for the address where it occurs most often. */
export const up = /* sql */ `
  create index noise_patterns_frequent_idx
    on noise_patterns (org_id, fingerprint, window_count desc, last_seen desc, resource_address);
  drop index noise_patterns_fingerprint_idx;
`;
