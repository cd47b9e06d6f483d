/**
 * An installation joins an organization only after the person who came back from GitHub has confirmed it. A confirmation is
 * a one-time state of its own: it holds what GitHub said, and opens only in the browser that was shown the question.
 *
 * Requests that wait for an approval at GitHub end: an approval links nothing any more.
 */
export const up = /* sql */ `
  alter table oauth_states
    add column installation json,
    add column browser_hash bytea,
    drop constraint oauth_states_purpose_check,
    add constraint oauth_states_purpose_check check (purpose in ('scm', 'scm_confirm', 'chat')),
    add constraint oauth_states_browser_hash_check check (octet_length(browser_hash) = 32),
    add constraint oauth_states_confirm_check
      check (num_nonnulls(installation, browser_hash) = case when purpose = 'scm_confirm' then 2 else 0 end);

  -- Row-level security is forced, so that even the owner of the table would update nothing.
  alter table oauth_states no force row level security;
  update oauth_states set status = 'used' where status = 'pending';
  alter table oauth_states force row level security;
`;
