/**
 * When an attempt began to post a message, until its outcome is known. Slack has no key for repeated messages, so an
 * attempt that follows such a mark first looks whether the message was posted.
 */
export const up = /* sql */ `
  alter table notification_deliveries add column posting_at timestamptz(3);
`;
