/**
 * The revision of a thread that people were last notified of below its message, by account. A delivery that waited does
 * not repeat what a later one has said, and what happened to another account is still said.
 */
export const up = /* sql */ `
  alter table notification_threads add column notified_revisions jsonb not null default '{}';
`;
