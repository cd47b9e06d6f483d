/** A job about a noise pattern stores its fingerprint, which is enough to find the pattern. */
export const up = /* sql */ `
  alter table llm_jobs
    add column subject text,
    add constraint llm_jobs_subject_check check (kind <> 'fix' or subject is not null);

  create index noise_patterns_fingerprint_idx on noise_patterns (org_id, fingerprint, last_seen desc);
`;
