/**
 * The response to a request with an `Idempotency-Key` is stored in the transaction of its work, with any role. `app_rw`
 * can change the table only through this function: it ends one claim, whose random id only its holder knows, and never
 * one of another organization. A claim without an organization belongs to a path without one, such as POST /orgs.
 *
 * @see docs/adr/0026-an-answer-is-committed-with-its-work.md
 */
export const up = /* sql */ `
  create policy keeper on idempotency_keys to app_migrator using (true);

  create function keep_answer(claim_id uuid, answer_status integer, answer_headers jsonb, answer_body text)
  returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
  begin
    update idempotency_keys
      set status = 'done', response_status = answer_status, response_headers = answer_headers,
          response_body = answer_body, locked_until = null
      where id = claim_id and status = 'running'
        -- The role that was taken when the session began: within this function the owner is the current user.
        and (org_id is null or current_setting('role') = 'app_platform'
             or org_id = nullif(current_setting('app.org_id', true), '')::uuid);
    return found;
  end
  $body$;
  revoke execute on function keep_answer from public;
  grant execute on function keep_answer to app_rw, app_platform;
`;
