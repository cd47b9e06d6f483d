import { z } from 'zod';

/** The version of the folder format that this service writes; it reads only this one. */
export const FORMAT = 1;
export const ACCOUNT_FILE = 'account.json';

const text = z.string().max(4_096);
const nullable = text.nullable();
const provider = z.enum(['aws', 'gcp', 'azure']);
const code = z.enum([
  'access_denied',
  'throttled',
  'timeout',
  'region_disabled',
  'unsupported_type',
  'truncated',
  'credential_error',
  'parse_error',
  'internal',
]);

const fault = z.object({
  code,
  message: text,
  service: nullable,
  region: nullable,
  provider_type: nullable,
  permission: nullable,
  retryable: z.boolean(),
});

const part = z.object({ key: text, service: text, region: nullable, provider_type: nullable });

const recordedPart = part.extend({
  /** True if its pages leave out what is in other regions than those of the target. */
  by_region: z.boolean().optional(),
  /** Names of files in the folder, in order; one for each page. */
  pages: z.array(z.string().regex(/^pages\/\d{4,6}\.json$/)),
  /** What happens after the last page, such as a denial; null if the part ends there. */
  ends_with: fault.nullable(),
  /** How long each request takes. */
  latency_ms: z.int().min(0).max(60_000),
  /** How often each request is throttled before it succeeds. */
  throttled: z.int().min(0).max(20),
});

/** `account.json`: everything about an account except its resources. */
export const accountFile = z.object({
  format: z.literal(FORMAT),
  provider,
  external_account_id: text,
  identity: text,
  recorded_at: z.iso.datetime(),
  permissions: z.array(z.object({ name: text, granted: z.boolean(), needed_for: text })),
  parts: z.array(recordedPart),
  unchecked: z.array(part.extend({ code, message: text })),
});

/** `pages/0001.json`: one page of a part. */
export const pageFile = z.object({
  resources: z.array(
    z.object({
      provider_resource_id: text,
      provider_type: text,
      region: nullable,
      name: nullable,
      tags: z.record(z.string(), z.string()),
      aliases: z.array(text),
      properties: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  faults: z.array(fault),
});

export type RecordedAccount = z.infer<typeof accountFile>;
export type RecordedPart = z.infer<typeof recordedPart>;
export type RecordedPage = z.infer<typeof pageFile>;
