/**
 * Renames columns after their content: `revision` and `published_revision` of a pull request, and its `published`
 * review.
 */
export const up = /* sql */ `
  alter table pull_requests rename column wanted to revision;
  alter table pull_requests rename column seen to published_revision;
  alter table pull_requests rename column told to published;
  alter table pull_requests rename column reminded_at to requeued_at;
  alter table noise_suppressions rename column followed_at to superseded_at;
`;
