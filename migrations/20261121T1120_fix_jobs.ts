/** Jobs about one pattern of plan noise name it, and a pattern is found by its fingerprint alone. */
export const up = /* sql */ `
  alter table llm_jobs
    add column subject text,
    add constraint llm_jobs_subject_check check (kind <> 'fix' or subject is not null);

  create index noise_patterns_fingerprint_idx on noise_patterns (org_id, fingerprint, last_seen desc);
`;
