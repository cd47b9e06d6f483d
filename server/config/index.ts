import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { LOG_LEVELS } from '../log.ts';
import { BILLING_VARIABLES, billingContradictions, billingSettings } from './billing.ts';
import { CHECKPOINT_VARIABLES, checkpointContradictions, checkpointSettings } from './checkpoints.ts';
import { awsKeys, FEDERATION_VARIABLES, federationContradictions, federationSettings } from './federation.ts';
import { GITHUB_VARIABLES, githubAppSettings, githubContradictions } from './github.ts';
import { IDENTITY_VARIABLES, identityContradictions, oidcSettings } from './identity.ts';
import { LLM_VARIABLES, llmContradictions, llmSettings } from './llm.ts';
import { MESSAGE_VARIABLES, messageContradictions, messageSettings } from './messages.ts';
import { SLACK_APP_VARIABLES, slackAppSettings, slackContradictions } from './slack.ts';
import { blobSettings, STORAGE_VARIABLES, storageContradictions } from './storage.ts';
import { baseUrl, flag, hosts, httpUrl, list, port, whole } from './values.ts';

/** All variables that the service reads; `.env.example` describes each, and a test keeps both in sync. */
const VARIABLES = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),

  HOST: z.string().default('127.0.0.1'),
  PORT: port().default(8080),
  INTERNAL_PORT: port().optional(),
  APP_URL: httpUrl().optional(),
  API_URL: baseUrl().optional(),
  BOT_API_URL: baseUrl().optional(),
  CORS_ORIGINS: list().default([]),
  TRUSTED_PROXIES: whole(0, 16).default(0),
  RATE_LIMIT_PER_CREDENTIAL: whole(1, 1_000_000).default(3_000),
  RATE_LIMIT_BURST: whole(1, 1_000_000).default(300),
  RATE_LIMIT_PER_ORG: whole(1, 1_000_000).default(6_000),
  RATE_LIMIT_PER_IP: whole(1, 1_000_000).default(600),
  SHUTDOWN_DRAIN_SECONDS: whole(0, 120).default(0),
  SHUTDOWN_GRACE_SECONDS: whole(1, 600).default(25),

  EGRESS_ALLOWED_HOSTS: hosts().default([]),

  ...STORAGE_VARIABLES,
  ...IDENTITY_VARIABLES,
  ...FEDERATION_VARIABLES,

  AUDIT_EXTENDED: flag().default(true),
  ...CHECKPOINT_VARIABLES,

  ANALYZE_CONCURRENCY: whole(1, 64).default(4),
  GLOB_REFRESH_CONCURRENCY: whole(1, 64).default(4),
  SCAN_CONCURRENCY: whole(1, 64).default(2),
  PACK_PDF: flag().default(true),
  RECORDED_ACCOUNTS: z.string().optional(),
  ANALYSES_PER_HOUR: whole(0, 1_000_000).default(30),
  // At least two, so that a slow plan leaves a thread for other organizations.
  PLAN_THREADS: whole(1, 64).default(Math.max(2, availableParallelism() - 1)),
  PLAN_INTAKE_THREADS: whole(1, 64).default(2),
  PLAN_THREAD_HEAP_MB: whole(64, 65_536).default(1_024),
  DRIFT_THREAD_HEAP_MB: whole(64, 65_536).default(1_152),
  JOB_HEARTBEAT_SECONDS: whole(1, 60).default(5),

  ...LLM_VARIABLES,
  ...GITHUB_VARIABLES,
  ...MESSAGE_VARIABLES,
  ...BILLING_VARIABLES,
  ...SLACK_APP_VARIABLES,
});

type Variables = z.infer<typeof VARIABLES>;

export const VARIABLE_NAMES = Object.keys(VARIABLES.shape);

/** A heartbeat can be late five times before its job counts as lost. */
const SILENT_HEARTBEATS = 6;
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '::1', 'localhost']);

export type Config = Readonly<ReturnType<typeof toConfig>>;

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration has ${problems.length} problem(s):\n${problems.map((one) => `  ${one}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * The configuration of this process. An empty variable counts as unset.
 *
 * @throws ConfigError that lists all problems
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const parsed = VARIABLES.safeParse(given);
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  problems.push(...findContradictions(parsed.success ? parsed.data : given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(toConfig(parsed.data));
}

/** Problems that no single variable shows. Also considers invalid values, so that all problems are reported at once. */
function findContradictions(given: Partial<Record<keyof Variables, unknown>>): string[] {
  const production = given.NODE_ENV === 'production';
  const isSet = (name: keyof Variables) => given[name] !== undefined;
  const host = given.HOST === undefined ? '127.0.0.1' : String(given.HOST);
  const rules: [boolean, string][] = [
    [
      !production && !isSet('OIDC_ISSUER') && !LOOPBACK_HOSTS.has(host),
      `HOST is ${host}, but without OIDC_ISSUER the service listens only on loopback`,
    ],
    [
      production && isSet('RECORDED_ACCOUNTS'),
      'RECORDED_ACCOUNTS must not be set when NODE_ENV=production: with it, anyone who can connect a cloud account can ' +
        'fill the inventory with resources that do not exist',
    ],
  ];
  const broken_rules = rules.filter(([broken]) => broken).map(([, message]) => message);
  return [
    ...broken_rules,
    ...identityContradictions(given),
    ...storageContradictions(given),
    ...federationContradictions(given),
    ...llmContradictions(given),
    ...checkpointContradictions(given),
    ...githubContradictions(given),
    ...messageContradictions(given),
    ...billingContradictions(given),
    ...slackContradictions(given),
  ];
}

function toConfig(given: Variables) {
  const heartbeat_ms = given.JOB_HEARTBEAT_SECONDS * 1_000;
  return {
    production: given.NODE_ENV === 'production',
    log_level: given.LOG_LEVEL,
    data_dir: resolve(given.DATA_DIR),
    recorded_accounts: given.RECORDED_ACCOUNTS === undefined ? null : resolve(given.RECORDED_ACCOUNTS),
    http: {
      host: given.HOST,
      port: given.PORT,
      internal_port: given.INTERNAL_PORT ?? null,
      app_url: given.APP_URL ?? null,
      cors_origins: given.CORS_ORIGINS,
      trusted_proxies: given.TRUSTED_PROXIES,
      rate_limits: {
        credential: { burst: given.RATE_LIMIT_BURST, per_minute: given.RATE_LIMIT_PER_CREDENTIAL },
        org: { burst: given.RATE_LIMIT_PER_ORG, per_minute: given.RATE_LIMIT_PER_ORG },
        ip: { burst: given.RATE_LIMIT_PER_IP, per_minute: given.RATE_LIMIT_PER_IP },
      },
    },
    shutdown_drain_ms: given.SHUTDOWN_DRAIN_SECONDS * 1_000,
    shutdown_grace_ms: given.SHUTDOWN_GRACE_SECONDS * 1_000,
    /** null = the embedded PostgreSQL in `data_dir`. */
    database:
      given.DATABASE_URL === undefined
        ? null
        : { url: given.DATABASE_URL, migrate_url: given.DATABASE_MIGRATE_URL ?? null },
    /** null = the queue is in PostgreSQL. */
    redis_url: given.REDIS_URL ?? null,
    blobs: blobSettings(given),
    /** null = keys that are created and stored in `data_dir`. */
    master_keys: given.MASTER_KEY ?? null,
    /** null = the development issuer. */
    oidc: oidcSettings(given),
    allowlist: { allowed_emails: given.ALLOWED_EMAILS, seed_domains: given.SEED_ALLOWED_DOMAINS },
    audit_extended: given.AUDIT_EXTENDED,
    checkpoints: checkpointSettings(given),
    federation: federationSettings(given),
    /** Keys of the principal that assumes roles at AWS; null = no roles can be assumed. */
    aws_keys: awsKeys(given),
    /** null = keys that are created and stored in `data_dir`. */
    federation_signing_key: given.FEDERATION_SIGNING_KEY ?? null,
    jobs: {
      analyze_concurrency: given.ANALYZE_CONCURRENCY,
      analyses_hourly: given.ANALYSES_PER_HOUR,
      glob_refresh_concurrency: given.GLOB_REFRESH_CONCURRENCY,
      scan_concurrency: given.SCAN_CONCURRENCY,
      /** Whether Compliance Packs have a summary.pdf. */
      pack_pdf: given.PACK_PDF,
      heartbeat_ms,
      silence_ms: heartbeat_ms * SILENT_HEARTBEATS,
    },
    plan_pool: {
      threads: given.PLAN_THREADS,
      intake_threads: given.PLAN_INTAKE_THREADS,
      heap_mb: given.PLAN_THREAD_HEAP_MB,
    },
    drift_pool: { heap_mb: given.DRIFT_THREAD_HEAP_MB },
    llm: llmSettings(given),
    /** Where bots reach the API; null = the process itself if it serves it, otherwise its public address. */
    bot_api_url: given.BOT_API_URL ?? null,
    /** null = installations cannot be linked. */
    github_app: githubAppSettings(given),
    messages: messageSettings(given),
    billing: billingSettings(given),
    /** null = organizations cannot install a Slack app. */
    slack_app: slackAppSettings(given),
    egress: { allowed_hosts: given.EGRESS_ALLOWED_HOSTS },
  };
}

/** Buffers are not frozen, because their bytes cannot be. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
