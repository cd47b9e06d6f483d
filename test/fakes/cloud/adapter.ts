import {
  type CloudAdapter,
  type CloudCall,
  CloudError,
  type CloudFault,
  type CloudProvider,
  type CloudSession,
  type CloudTarget,
  type FoundResource,
  type ScanOutline,
  type ScanPage,
  type ScanPart,
  type UncheckedPart,
} from '../../../server/adapters/cloud/types.ts';
import type { CloudGrants, Clouds } from '../../../server/domains/cloud-accounts/index.ts';

/** A cloud in memory. Roles and keys that name an account belong to it; other credentials belong to the claimed one. */
export class FakeCloud implements CloudAdapter {
  readonly provider: CloudProvider;
  readonly calls: readonly CloudCall[] = [
    call('ListResources', 'inventory:ListResources', 'Listing resources'),
    call('GetResource', 'inventory:GetResource', 'Reading properties'),
  ];
  /** The account of every credential, if set. */
  actual_account: string | null = null;
  /** Thrown by every question. */
  fault: CloudFault | null = null;
  /** An error other than a fault, such as a bug of the adapter. */
  bug: Error | null = null;
  /** Does not respond until the caller gives up. */
  hangs = false;
  /** Permissions that are not granted. */
  denied = new Set<string>();
  /** What every resource looks like; null if none exists. */
  properties: Record<string, unknown> | null = {};
  /** The resources that were read. */
  readonly reads: { provider_type: string; provider_resource_id: string; region: string | null }[] = [];
  /** Runs while a question is being answered. */
  meanwhile: () => Promise<void> = async () => {};
  /** What scans find. */
  account: FakeAccount = createFakeAccount();
  /** Runs before each page is answered; may throw. */
  onPage: (part: ScanPart, cursor: string | null, signal: AbortSignal) => Promise<void> = async () => {};
  /** The pages that were asked for, as part and cursor. */
  readonly pages: string[] = [];
  readonly opened: CloudTarget[] = [];
  open_sessions = 0;

  constructor(provider: CloudProvider) {
    this.provider = provider;
  }

  reset(): void {
    Object.assign(this, { actual_account: null, fault: null, bug: null, hangs: false, meanwhile: async () => {} });
    this.properties = {};
    this.reads.length = 0;
    Object.assign(this, { account: createFakeAccount(), onPage: async () => {} });
    this.denied.clear();
    this.pages.length = 0;
    this.opened.length = 0;
  }

  /** Fails every question with this fault. */
  fail(code: CloudFault['code'], message: string): void {
    this.fault = {
      code,
      message,
      service: null,
      region: null,
      provider_type: null,
      permission: null,
      retryable: false,
    };
  }

  open(target: CloudTarget): CloudSession {
    this.opened.push(target);
    this.open_sessions += 1;
    const answer = async <Answer>(signal: AbortSignal, value: Answer): Promise<Answer> => {
      await this.meanwhile();
      if (this.hangs) await aborted(signal);
      if (this.bug !== null) throw this.bug;
      if (this.fault !== null) throw new CloudError(this.fault);
      return value;
    };
    return {
      identify: (signal) =>
        answer(signal, {
          identity: describeIdentity(target),
          external_account_id: this.actual_account ?? findAccount(target) ?? target.external_account_id,
        }),
      checkPermissions: (signal) =>
        answer(
          signal,
          this.calls.flatMap(({ permissions, needed_for }) =>
            permissions.map((name) => ({ name, granted: !this.denied.has(name), needed_for })),
          ),
        ),
      outline: async (signal) => answer(signal, outlineFake(this.account, target.regions)),
      readPage: async (part, cursor, signal) => {
        signal.throwIfAborted();
        this.pages.push(`${part.key} ${cursor ?? ''}`.trim());
        await this.onPage(part, cursor, signal);
        return answer(signal, readFakePage(this.account, part, cursor));
      },
      readResource: ({ provider_type, provider_resource_id, region }, signal) => {
        this.reads.push({ provider_type, provider_resource_id, region });
        return answer(signal, this.properties);
      },
      close: () => {
        this.open_sessions -= 1;
      },
    };
  }
}

/** What a fake cloud contains: pages of resources by part. */
export interface FakeAccount {
  parts: { part: ScanPart; pages: FoundResource[][]; faults?: CloudFault[]; ends_with?: CloudFault }[];
  unchecked: UncheckedPart[];
  /** Thrown instead of an outline. */
  hidden?: CloudFault;
}

export function createFakeAccount(): FakeAccount {
  return { parts: [], unchecked: [] };
}

/** A part of one type in one region. */
export function fakePart(provider_type: string, region: string | null = 'eu-west-1'): ScanPart {
  return { key: `lists/${region ?? 'global'}/${provider_type}`, service: 'lists', region, provider_type };
}

export function fakeResource(provider_resource_id: string, more: Partial<FoundResource> = {}): FoundResource {
  return {
    provider_resource_id,
    provider_type: 'AWS::SQS::Queue',
    region: 'eu-west-1',
    name: provider_resource_id,
    tags: {},
    aliases: [],
    properties: { QueueName: provider_resource_id },
    ...more,
  };
}

export function fakeFault(code: CloudFault['code'], message: string, more: Partial<CloudFault> = {}): CloudFault {
  return {
    code,
    message,
    service: null,
    region: null,
    provider_type: null,
    permission: null,
    retryable: false,
    ...more,
  };
}

function outlineFake({ parts, unchecked, hidden }: FakeAccount, regions: readonly string[]): ScanOutline {
  if (hidden !== undefined) throw new CloudError(hidden);
  const isRead = ({ region }: ScanPart) => regions.length === 0 || region === null || regions.includes(region);
  return { parts: parts.map(({ part }) => part).filter(isRead), unchecked };
}

function readFakePage({ parts }: FakeAccount, { key }: ScanPart, cursor: string | null): ScanPage {
  const found = parts.find(({ part }) => part.key === key);
  if (found === undefined) throw new Error(`there is no part ${key}`);
  const at = Number(cursor ?? 0);
  if (found.ends_with !== undefined && at >= found.pages.length) throw new CloudError(found.ends_with);
  const is_last = at + 1 >= found.pages.length && found.ends_with === undefined;
  return {
    resources: found.pages[at] ?? [],
    next_cursor: is_last ? null : String(at + 1),
    faults: is_last ? (found.faults ?? []) : [],
  };
}

export type FakeClouds = Record<CloudProvider, FakeCloud>;

export const GRANTS: CloudGrants = {
  aws: {
    policy_document: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: ['inventory:ListResources'], Resource: '*' }],
    },
  },
  gcp: { roles: ['roles/viewer'], permissions: ['inventory.list'], apis: ['inventory.googleapis.com'] },
  azure: { role: 'Reader' },
};

export function createFakeClouds(): FakeClouds {
  return { aws: new FakeCloud('aws'), gcp: new FakeCloud('gcp'), azure: new FakeCloud('azure') };
}

/** The clouds as the service takes them. */
export function toClouds(fakes: FakeClouds): Clouds {
  return {
    aws: { adapter: fakes.aws, grants: GRANTS.aws },
    gcp: { adapter: fakes.gcp, grants: GRANTS.gcp },
    azure: { adapter: fakes.azure, grants: GRANTS.azure },
  };
}

function call(operation: string, permission: string, needed_for: string): CloudCall {
  return { service: 'inventory', operation, permissions: [permission], needed_for };
}

function findAccount({ credentials }: CloudTarget): string | undefined {
  if ('role_arn' in credentials) return credentials.role_arn.split(':')[4];
  if ('service_account_json' in credentials) return JSON.parse(credentials.service_account_json).project_id;
  return undefined;
}

function describeIdentity({ credentials }: CloudTarget): string {
  if ('role_arn' in credentials) return `${credentials.role_arn.replace(':role/', ':assumed-role/')}/dpa`;
  if ('access_key_id' in credentials) return 'arn:aws:iam::123456789012:user/dpa';
  if ('service_account_json' in credentials) return JSON.parse(credentials.service_account_json).client_email;
  return 'service_account_email' in credentials ? credentials.service_account_email : credentials.client_id;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
