import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { currentRequestId } from './lib/request-context.ts';

export type Logger = PinoLogger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Fields that hold a credential or a plan, wherever in a logged object they stand up to the third level. */
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
 * A logger of JSON lines: `level`, `time` (RFC 3339), `msg` and the fields given. Secrets in known fields read
 * `[redacted]`.
 *
 * @param destination where lines go; standard output unless a test listens
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

/** A line that names its request itself keeps that name. */
function addRequestId(): { request_id?: string } {
  const request_id = currentRequestId();
  return request_id === undefined ? {} : { request_id };
}

function atEveryDepth(field: string): string[] {
  const join = (prefix: string) => (field.startsWith('[') ? `${prefix}${field}` : `${prefix}.${field}`);
  return [field, join('*'), join('*.*'), join('*.*.*')];
}
