/** A pull request counts once, however often it is pushed to: what an analysis saw has to say which one it was about. */
export const up = /* sql */ `
  alter table noise_inbox
    add column pr_number integer,
    add constraint noise_inbox_pr_number_check check (pr_number > 0);
`;
