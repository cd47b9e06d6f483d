import { scrubText } from '../../../../engine/index.ts';
import { scrubProperties, scrubTags } from '../../../../engine/inventory/index.ts';
import { createConcurrencyLimit } from '../../../lib/concurrency-limit.ts';
import { createCloudError } from '../rest/fault.ts';
import {
  CloudError,
  type CloudFault,
  type CloudProvider,
  type CloudSession,
  type FoundResource,
  type ScanPart,
} from '../types.ts';
import { createRecordingFolder, type RecordingFolder } from './folder.ts';
import { FORMAT, type RecordedPage, type RecordedPart } from './format.ts';

const CONCURRENCY = 8;

export interface RecordOptions {
  provider: CloudProvider;
  /** The account that must be recorded. */
  external_account_id: string;
  /** The folder to write; it must not exist. */
  folder: string;
  signal: AbortSignal;
  /** Called after each part, with the number of parts that are done and of all. */
  onProgress?: (done: number, all: number) => void;
  now?: () => Date;
}

export interface RecordedSummary {
  parts: number;
  resources: number;
  faults: number;
  /** Permissions that the credential lacks. */
  missing: string[];
}

/**
 * Reads an account to its end and writes what the cloud answered to a folder. Secrets are removed again, whatever the
 * adapter did, also from IDs and names; otherwise these stay, like addresses.
 *
 * @throws CloudError if the credential is rejected, or belongs to another account; Error if the folder exists
 */
export async function recordAccount(session: CloudSession, options: RecordOptions): Promise<RecordedSummary> {
  const { provider, signal, onProgress, now = () => new Date() } = options;
  const identity = await session.identify(signal);
  assertAccount(identity.external_account_id, options.external_account_id);
  const permissions = await session.checkPermissions(signal);
  const outline = await session.outline(signal);
  const folder = await createRecordingFolder(options.folder);
  const limit = createConcurrencyLimit(CONCURRENCY);
  const missing = permissions.filter(({ granted }) => !granted).map(({ name }) => name);
  const summary: RecordedSummary = { parts: 0, resources: 0, faults: 0, missing };

  async function record(part: ScanPart): Promise<RecordedPart> {
    const recorded = await recordPart(session, part, { folder, signal, summary });
    summary.parts += 1;
    onProgress?.(summary.parts, outline.parts.length);
    return recorded;
  }

  const parts = await Promise.all(outline.parts.map((part) => limit(() => record(part))));
  await folder.finish({
    format: FORMAT,
    provider,
    ...identity,
    recorded_at: now().toISOString(),
    permissions: [...permissions],
    parts,
    unchecked: [...outline.unchecked],
  });
  return summary;
}

/** Azure compares IDs without case. */
function assertAccount(actual: string, expected: string): void {
  if (actual.toLowerCase() === expected.toLowerCase()) return;
  const message = `The credential belongs to the account ${actual}, not to ${expected}. Nothing was recorded.`;
  throw createCloudError({ code: 'credential_error', message });
}

interface PartContext {
  folder: RecordingFolder;
  signal: AbortSignal;
  summary: RecordedSummary;
}

async function recordPart(
  session: CloudSession,
  part: ScanPart,
  { folder, signal, summary }: PartContext,
): Promise<RecordedPart> {
  const recorded: RecordedPart = { ...part, pages: [], ends_with: null, latency_ms: 0, throttled: 0 };
  const started = performance.now();
  let requests = 0;
  let resources = 0;
  let cursor: string | null = null;
  do {
    requests += 1;
    const page = await readOrFault(session, part, cursor, signal);
    if ('fault' in page) {
      recorded.ends_with = page.fault;
      summary.faults += 1;
      break;
    }
    if (page.restarted) {
      await folder.removePages(recorded.pages.splice(0));
      resources = 0;
    }
    // Empty pages are requests, too, but a recording needs only the first.
    if (page.resources.length > 0 || recorded.pages.length === 0)
      recorded.pages.push(await folder.addPage(scrubPage(page)));
    resources += page.resources.length;
    cursor = page.next_cursor;
  } while (cursor !== null);
  summary.resources += resources;
  return { ...recorded, latency_ms: Math.min(60_000, Math.round((performance.now() - started) / requests)) };
}

async function readOrFault(session: CloudSession, part: ScanPart, cursor: string | null, signal: AbortSignal) {
  try {
    return await session.readPage(part, cursor, signal);
  } catch (error) {
    if (!(error instanceof CloudError) || error.fault.code === 'credential_error') throw error;
    return { fault: error.fault };
  }
}

function scrubPage({
  resources,
  faults,
}: {
  resources: readonly FoundResource[];
  faults: readonly CloudFault[];
}): RecordedPage {
  return { resources: resources.map(scrubResource), faults: [...faults] };
}

function scrubResource({ name, tags, properties, ...resource }: FoundResource): RecordedPage['resources'][number] {
  return {
    ...resource,
    provider_resource_id: scrubText(resource.provider_resource_id),
    aliases: resource.aliases.map((alias) => scrubText(alias)),
    name: name === null ? null : scrubText(name),
    tags: scrubTags(tags),
    properties: properties === null ? null : scrubProperties({ ...properties }, resource.provider_type),
  };
}
