import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createRecordingFolder } from '../../server/adapters/cloud/recorded/folder.ts';
import {
  FORMAT,
  type RecordedAccount,
  type RecordedPage,
  type RecordedPart,
} from '../../server/adapters/cloud/recorded/format.ts';
import type { CloudFault, FoundResource } from '../../server/adapters/cloud/types.ts';

export type Resource = Pick<FoundResource, 'provider_resource_id' | 'provider_type' | 'region'> &
  Partial<FoundResource>;

export interface MadePart extends Pick<RecordedPart, 'key' | 'service' | 'region' | 'provider_type'> {
  resources: readonly Resource[];
  ends_with?: CloudFault;
  throttled?: number;
}

export interface MadeAccount
  extends Pick<RecordedAccount, 'provider' | 'external_account_id' | 'identity' | 'permissions' | 'unchecked'> {
  parts: readonly MadePart[];
}

const PAGE_SIZE = 25;
const LATENCY_MS = 2;

/** Hexadecimal characters that are always the same for a name, for IDs. */
export function hex(name: string, length: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, length);
}

/** Writes an account to `<folder>/<provider>`. @returns the number of its resources */
export async function writeAccount(folder: string, { parts, ...account }: MadeAccount): Promise<number> {
  const recording = await createRecordingFolder(join(folder, account.provider));
  const written: RecordedPart[] = [];
  for (const { resources, ends_with = null, throttled = 0, ...part } of parts) {
    const pages: string[] = [];
    for (const page of cutPages(resources)) pages.push(await recording.addPage(page));
    written.push({ ...part, pages, ends_with, throttled, latency_ms: LATENCY_MS });
  }
  await recording.finish({ ...account, format: FORMAT, recorded_at: '2026-11-01T00:00:00.000Z', parts: written });
  return parts.reduce((sum, { resources }) => sum + resources.length, 0);
}

function cutPages(resources: readonly Resource[]): RecordedPage[] {
  const pages: RecordedPage[] = [];
  for (let start = 0; start < Math.max(1, resources.length); start += PAGE_SIZE) {
    pages.push({ resources: resources.slice(start, start + PAGE_SIZE).map(complete), faults: [] });
  }
  return pages;
}

function complete({ name = null, tags = {}, aliases = [], properties = null, ...resource }: Resource) {
  return {
    ...resource,
    name,
    tags: { ...tags },
    aliases: [...aliases],
    properties: properties === null ? null : { ...properties },
  };
}
