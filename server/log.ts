import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { currentRequestId } from './lib/request-context.ts';

export type Logger = PinoLogger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Fields that contain a credential or a plan, up to the third level of a logged object. */
const SECRET_FIELDS = [
  'authorization',
  'Authorization',
  '["x-api-key"]',
  '["X-Api-Key"]',
  'cookie',
  '["set-cookie"]',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'secret',
  'client_secret',
  'api_key',
  'azure_api_key',
  'aws_secret_access_key',
  'master_key',
  'plan_json',
  'connectionString',
];

/**
 * A logger of JSON lines: `level`, `time` (RFC 3339), `msg` and the given fields. Secrets in known fields are shown as
 * `[redacted]`.
 *
 * @param destination of the lines; standard output except in tests
 */
export function createLogger(config: { log_level: string }, destination?: DestinationStream): Logger {
  const options = {
    level: config.log_level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: addRequestId,
    redact: { paths: SECRET_FIELDS.flatMap(atEveryDepth), censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** A line with its own request id keeps it. */
function addRequestId(): { request_id?: string } {
  const request_id = currentRequestId();
  return request_id === undefined ? {} : { request_id };
}

function atEveryDepth(field: string): string[] {
  const join = (prefix: string) => (field.startsWith('[') ? `${prefix}${field}` : `${prefix}.${field}`);
  return [field, join('*'), join('*.*'), join('*.*.*')];
}
