import type { PlanAnalysis } from '../engine/index.ts';
import type { Client, Schemas } from '../sdk/src/index.ts';
import type { BotEvent, Platform, Source } from '../server/adapters/scm/types.ts';
import type { Orgs } from '../server/domains/orgs/index.ts';
import type { PullRequestSource } from '../server/domains/pull-requests/index.ts';

/** Something that a host has sent, and that its receiver has checked and kept. */
export interface Delivery {
  id: string;
  provider_delivery_id: string;
  event: string;
  raw: Buffer;
}

/** A source with all that is needed to act for it: its host, the API in its org's name, and what its deliveries mean. */
export interface ConnectedSource {
  source: Source;
  platform: Platform;
  /** Carries the integration key of the source. */
  dpa: Client;
  events(delivery: Delivery): Promise<BotEvent[]>;
}

/** Connects to a source; what keeps from it is said in words for people. */
export type Connect = (org_id: string, source: PullRequestSource) => Promise<ConnectedSource | { missing: string }>;

/** Told when a host has refused a source's credential, or what it asked for: whoever keeps the credential looks into it. */
export type OnForbidden = (source: Source) => Promise<void>;

/** Deliveries as the service keeps them. */
export interface Deliveries {
  /** undefined: there is none of that id that still waits. */
  open(orgId: string, id: string): Promise<(Delivery & PullRequestSource) | undefined>;
  settle(
    orgId: string,
    id: string,
    outcome: { status: 'accepted' | 'ignored' | 'failed'; error?: string | undefined },
  ): Promise<void>;
}

/** How an org wants its pull requests treated. */
export type OrgPolicy = Pick<Orgs, 'get' | 'getSettings'>;

/** Judges a plan while the service takes none: by what its organization has decided, or by the built-in rules alone. */
export type JudgeLocally = (
  org_id: string,
  payload: Uint8Array,
  by: { book: Schemas['RuleBook'] | null; repo: string; branch: string | null },
) => Promise<PlanAnalysis | { error: string }>;
