/**
 * A pull request counts once, however often it is pushed to, so the noise of an analysis must contain its pull request.
 */
export const up = /* sql */ `
  alter table noise_inbox
    add column pr_number integer,
    add constraint noise_inbox_pr_number_check check (pr_number > 0);
`;
