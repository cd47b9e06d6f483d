/** The queues of jobs. Migrations make a sequence for each, which the serving role may not. */
export const QUEUE_NAMES = [
  'analyze',
  'scm',
  'pull-request',
  'webhook',
  'state-refresh',
  'scan',
  'drift',
  'notify',
  'notify-send',
  'pack',
  'billing',
  'chat',
] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
