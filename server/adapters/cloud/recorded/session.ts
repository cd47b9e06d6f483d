import { setTimeout as delay } from 'node:timers/promises';
import { lazy } from '../../../lib/lazy.ts';
import { createThrottledError, createUnknownPartError } from '../rest/fault.ts';
import { createThrottle, type ThrottleDeps } from '../throttle.ts';
import { CloudError, type CloudSession, type ScanPage, type ScanPart } from '../types.ts';
import { readAccount, readPage } from './folder.ts';
import type { RecordedPart } from './format.ts';

export interface RecordedSessionDeps extends ThrottleDeps {
  /** Regions to read; all if it is empty or omitted. */
  regions?: readonly string[];
}

/** A session that answers from a folder as the cloud did, with its pages, denials, throttling and latencies. */
export function openRecordedSession(folder: string, { regions = [], ...deps }: RecordedSessionDeps = {}): CloudSession {
  const load = lazy(() => readAccount(folder));
  const throttle = createThrottle(deps);
  const { sleep = delayFor } = deps;
  /** How often a request was throttled, by part and page. */
  const rejections = new Map<string, number>();

  async function request(part: RecordedPart, at: number, signal: AbortSignal): Promise<ScanPage> {
    if (part.latency_ms > 0) await sleep(part.latency_ms, signal);
    const rejected = rejections.get(`${part.key}#${at}`) ?? 0;
    if (rejected < part.throttled) {
      rejections.set(`${part.key}#${at}`, rejected + 1);
      throw createThrottledError('The recorded cloud', part.service, undefined);
    }
    const name = part.pages[at];
    if (name === undefined) return endPart(part);
    const is_last = at + 1 >= part.pages.length && part.ends_with === null;
    return { ...(await readPage(folder, name)), next_cursor: is_last ? null : String(at + 1) };
  }

  async function findPart(key: string): Promise<RecordedPart> {
    const part = (await load()).parts.find((one) => one.key === key);
    if (part === undefined) throw createUnknownPartError(key);
    return part;
  }

  function isInRegions({ region }: { region: string | null }): boolean {
    return region === null || regions.length === 0 || regions.includes(region);
  }

  return {
    async identify() {
      const { identity, external_account_id } = await load();
      return { identity, external_account_id };
    },
    checkPermissions: async () => (await load()).permissions,
    async outline() {
      const { parts, unchecked } = await load();
      return { parts: parts.filter(isInRegions).map(toScanPart), unchecked };
    },
    async readPage({ key }, cursor, signal) {
      const part = await findPart(key);
      const at = Number(cursor ?? 0);
      const page = await throttle.run(part.service, part.region, () => request(part, at, signal), signal);
      return part.by_region === true ? { ...page, resources: page.resources.filter(isInRegions) } : page;
    },
    async readResource({ provider_type, provider_resource_id }) {
      const { parts } = await load();
      for (const name of parts.flatMap(({ pages }) => pages)) {
        const { resources } = await readPage(folder, name);
        const found = resources.find(
          (one) => one.provider_type === provider_type && one.provider_resource_id === provider_resource_id,
        );
        if (found !== undefined) return found.properties ?? {};
      }
      return null;
    },
    close() {},
  };
}

function toScanPart({ key, service, region, provider_type, by_region }: RecordedPart): ScanPart {
  return { key, service, region, provider_type, ...(by_region !== undefined && { by_region }) };
}

function endPart({ ends_with }: RecordedPart): ScanPage {
  if (ends_with !== null) throw new CloudError(ends_with);
  return { resources: [], next_cursor: null, faults: [] };
}

async function delayFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}
