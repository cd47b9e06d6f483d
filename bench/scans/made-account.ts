import { setTimeout as wait } from 'node:timers/promises';
import { createThrottle, type ThrottleDeps } from '../../server/adapters/cloud/throttle.ts';
import type {
  CloudAdapter,
  CloudSession,
  FoundResource,
  ScanPage,
  ScanPart,
} from '../../server/adapters/cloud/types.ts';

/** An account that is made of numbers: one part for each type in each region, read page by page. */
export interface MadeAccount {
  /** Spread evenly over the regions and over the types that are not empty. */
  resources: number;
  page_size: number;
  regions: number;
  /** 1 by default. */
  types?: number;
  /** How many of the types have resources; all by default. */
  filled_types?: number;
  /** How long each page takes. */
  latency_ms?: number;
  /** Called for each page that is asked for; may throw what a cloud answers. */
  onPage?: (part: ScanPart, at: number) => void;
  /** Repeats rejected requests as the adapters of clouds do. */
  throttle?: ThrottleDeps;
}

export const ACCOUNT_ID = '123456789012';

export function createMadeAdapter(account: MadeAccount): CloudAdapter {
  return { provider: 'aws', calls: [], open: () => openMadeSession(account) };
}

/** The number of pages of an account. */
export function countPages({ resources, page_size, regions, types = 1, filled_types = types }: MadeAccount): number {
  const pages = Math.max(1, Math.ceil(resources / (regions * filled_types) / page_size));
  return regions * (filled_types * pages + (types - filled_types));
}

function openMadeSession(account: MadeAccount): CloudSession {
  const { resources, page_size, regions, types = 1, filled_types = types, latency_ms = 0, onPage } = account;
  const per_part = Math.floor(resources / (regions * filled_types));
  const throttle = createThrottle(account.throttle);

  async function answer(part: ScanPart, at: number, signal: AbortSignal): Promise<ScanPage> {
    onPage?.(part, at);
    if (latency_ms > 0) await wait(latency_ms, undefined, { signal });
    const type = Number(part.provider_type?.split('Type')[1]);
    const left = type < filled_types ? per_part - at : 0;
    const count = Math.max(0, Math.min(page_size, left));
    return {
      resources: Array.from({ length: count }, (_, i) => makeResource(part, at + i)),
      next_cursor: left > page_size ? String(at + page_size) : null,
      faults: [],
    };
  }

  return {
    identify: async () => ({ identity: 'bench', external_account_id: ACCOUNT_ID }),
    checkPermissions: async () => [],
    async outline() {
      const parts = Array.from({ length: types * regions }, (_, n) => makePart(Math.floor(n / regions), n % regions));
      return { parts, unchecked: [] };
    },
    readPage: (part, cursor, signal) =>
      throttle.run(part.service, part.region, () => answer(part, Number(cursor ?? 0), signal), signal),
    close() {},
  };
}

function makePart(type: number, region_number: number): ScanPart {
  const region = `region-${region_number}`;
  const provider_type = `AWS::Made::Type${type}`;
  return { key: `made/${region}/${provider_type}`, service: 'made', region, provider_type };
}

/** About 700 bytes of properties, as a listing of queues has them. */
function makeResource({ region, provider_type }: ScanPart, n: number): FoundResource {
  const name = `orders-${String(n).padStart(7, '0')}`;
  const arn = `arn:aws:sqs:${region}:${ACCOUNT_ID}:${name}`;
  return {
    provider_resource_id: `https://sqs.${region}.amazonaws.com/${ACCOUNT_ID}/${name}`,
    provider_type: String(provider_type),
    region,
    name,
    tags: {
      team: `team-${n % 40}`,
      environment: n % 3 === 0 ? 'production' : 'staging',
      service: `service-${n % 200}`,
    },
    aliases: [arn],
    properties: {
      QueueName: name,
      Arn: arn,
      DelaySeconds: n % 900,
      KmsMasterKeyId: `arn:aws:kms:${region}:${ACCOUNT_ID}:key/${String(n).padStart(12, '0')}`,
      MessageRetentionPeriod: 345_600,
      VisibilityTimeout: 30,
      RedrivePolicy: { deadLetterTargetArn: `${arn}-dead`, maxReceiveCount: 5 },
      Policy: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arn }] },
    },
  };
}
