import type { PlanAnalysis } from '../engine/index.ts';
import type { Client, Schemas } from '../sdk/src/index.ts';
import type { BotEvent, Platform } from '../server/adapters/scm/types.ts';
import type { Orgs } from '../server/domains/orgs/index.ts';
import type { PullRequestSource } from '../server/domains/pull-requests/index.ts';

/** A webhook request of a Git host that the receiver has verified and stored. */
export interface Delivery {
  id: string;
  provider_delivery_id: string;
  event: string;
  raw: Buffer;
}

/** A source with its Git host, an API client for its organization, and the parser of its deliveries. */
export interface ConnectedSource {
  org_id: string;
  source: PullRequestSource;
  /** The repository of a webhook configuration; null for an installation, which has many. */
  repo_path: string | null;
  platform: Platform;
  /** Uses the integration key of the source. */
  dpa: Client;
  events(delivery: Delivery): Promise<BotEvent[]>;
}

/** Connects to a source; `missing` explains why that is not possible. */
export type Connect = (org_id: string, source: PullRequestSource) => Promise<ConnectedSource | { missing: string }>;

/** Called if a Git host rejects the credential of a source or lacks a permission, so that the credential is checked. */
export type OnForbidden = (org_id: string, source: PullRequestSource) => Promise<void>;

/** What became of a delivery. */
export interface DeliveryOutcome {
  status: 'accepted' | 'ignored' | 'failed';
  /** Why it failed. */
  error?: string | undefined;
}

/** Stored deliveries. */
export interface Deliveries {
  /** Returns undefined if there is no pending delivery with this ID. */
  open(orgId: string, id: string): Promise<(Delivery & PullRequestSource) | undefined>;
  settle(orgId: string, id: string, outcome: DeliveryOutcome): Promise<void>;
}

/** Settings of an organization for pull requests. */
export type OrgPolicy = Pick<Orgs, 'get' | 'getSettings'>;

/** Analyzes a plan that the service has rejected, with the rules of the organization, or with built-in rules only. */
export type JudgeLocally = (
  org_id: string,
  payload: Uint8Array,
  by: { book: Schemas['RuleBook'] | null; repo: string; branch: string | null },
) => Promise<PlanAnalysis | { error: string }>;
