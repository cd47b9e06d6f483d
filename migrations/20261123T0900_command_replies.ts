/**
 * Replies to commands become separate comments, each posted once; earlier replies are already in the single comment. A
 * plan stores its CI run, so that the comment can link to it.
 */
export const up = /* sql */ `
  alter table pull_request_plans
    add column run_url text,
    add constraint pull_request_plans_run_url_check check (length(run_url) <= 2000);
  update pull_requests set answers = (
    select jsonb_agg(jsonb_build_object('comment_id', answer ->> 'comment_id', 'state', 'posted') order by place)
    from jsonb_array_elements(answers) with ordinality as all_of_them(answer, place))
  where answers <> '[]';
`;
