import { ServiceError } from '../../lib/errors.ts';

const HOUR_S = 3_600;

export function appNotConfigured(): ServiceError {
  const message =
    'this deployment has no Slack app; its operator can set one up with SLACK_CLIENT_ID and the related variables';
  return new ServiceError(503, 'chat_not_configured', message, { retry_after: HOUR_S });
}
