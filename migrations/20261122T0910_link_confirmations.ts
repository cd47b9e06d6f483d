/**
 * An installation joins an organization only after the person who returned from GitHub has confirmed it. A confirmation
 * is a separate one-time state: it contains GitHub's data, and works only in the browser that was shown the
 * confirmation page.
 *
 * Requests that wait for an approval at GitHub end, because an approval no longer links anything.
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

  -- Row-level security is forced, so without this even the owner of the table could update no row.
  alter table oauth_states no force row level security;
  update oauth_states set status = 'used' where status = 'pending';
  alter table oauth_states force row level security;
`;
