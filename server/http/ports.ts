/** Interfaces that the HTTP layer needs from the rest of the service. */
import type { Registry } from 'prom-client';
import type { BodyReaders, PathChecks } from '../contract/domain-parts.ts';
import type { HtmlPage } from '../contract/html-page.ts';
import type { Handlers } from '../contract/operation.ts';
import type { Db } from '../db/index.ts';
import type { Credential } from '../lib/credential.ts';
import type { OrgContext, Principal } from '../lib/principal.ts';
import type { Logger } from '../log.ts';
import type { Contract } from './contract/contract.ts';

/** @throws Unauthenticated, Forbidden or Unavailable */
export type Authenticate = (credential: Credential) => Promise<Principal>;

/** The organization for the caller; undefined causes 404. `org_id` is a lower-case UUID. */
export type FindOrg = (principal: Principal, org_id: string) => Promise<OrgContext | undefined>;

/** Maximum memory for bodies, in bytes. */
export interface BodyMemory {
  /** For authenticated callers, and the same again for unauthenticated ones. */
  total: number;
  /** For one organization or caller. */
  share: number;
  /** How long a body can wait for memory. */
  wait_ms: number;
  /** How long the body of an unauthenticated caller can take to arrive. */
  anonymous_ms: number;
}

/** A token bucket: `burst` requests at once, refilled by `per_minute`. */
export interface Bucket {
  burst: number;
  per_minute: number;
}

export interface BucketState {
  allowed: boolean;
  /** Remaining tokens; can be fractional. */
  remaining: number;
}

/** Rejects if its store is not available. A negative cost returns tokens. */
export interface RateLimiter {
  take(key: string, bucket: Bucket, cost: number): Promise<BucketState>;
}

/** A request identified by its `Idempotency-Key`. */
export interface Attempt {
  org_id: string | null;
  credential_id: string;
  method: string;
  path: string;
  key: string;
  /** Lower-case hex of SHA-256 over the body after decompression. */
  body_sha256: string;
}

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Claim =
  | { state: 'claimed'; id: string }
  | { state: 'replay'; answer: StoredAnswer }
  | { state: 'running' }
  | { state: 'other_body' };

/** Stored responses, kept for 24 hours. A request is identified by the id of its claim. */
export interface IdempotencyStore {
  /** Claims the key if it is free, or its holder has stopped renewing its claim. */
  claim(attempt: Attempt): Promise<Claim>;
  /** Extends the claim of a running request. Otherwise, another request can take the key. */
  renew(id: string): Promise<void>;
  renew_every_ms: number;
  /**
   * Stores the response in the transaction of the work.
   *
   * @returns false if another request has taken the key: the transaction must roll back
   */
  keep(trx: Db, id: string, answer: StoredAnswer): Promise<boolean>;
  /** Stores the response of a request that did no work. Does nothing if a response is stored or the key was taken. */
  keepRefusal(id: string, answer: StoredAnswer): Promise<void>;
  /** Releases the key. Does nothing if a response is stored or the key was taken. */
  release(id: string): Promise<void>;
}

/** `draining`: not ready any more, but still serving requests. */
export type Phase = 'serving' | 'draining';

export interface Health {
  phase(): Phase;
  /** One entry for each configured backend (postgres, redis, migrations, object_store), and plan_threads. */
  checks(): Promise<Record<string, 'ok' | 'fail'>>;
}

/** Discovery document and public keys for the tokens that the deployment signs; null if it signs none. */
export type WellKnown = () => { configuration: object; jwks: object } | null;

/** Results of analyses as pages. */
export interface ResultPages {
  /** Verifies a signed link. @param id of the result in the URL, a lower-case UUID */
  openLink(
    text: string,
    id: string,
  ): Promise<{ state: 'valid'; org_id: string } | { state: 'expired'; at: Date } | { state: 'invalid' }>;
  /** The organization in which a caller can find a result; undefined if there is none. */
  findOrgId(principal: Principal, id: string): Promise<string | undefined>;
  /** @throws NotFound */
  getPage(org_id: string, id: string): Promise<HtmlPage>;
}

/** Pages for people, next to the API. */
export interface Pages {
  results: ResultPages;
  /** The page for a person who returns from GitHub. @param query as received */
  githubReturn(query: Record<string, unknown>): HtmlPage;
  /** The page for a person who returns from Slack. @param query as received */
  slackReturn(query: Record<string, unknown>): HtmlPage;
}

export interface HttpConfig {
  /** Origins whose pages can call the API, such as `https://app.example.com`. */
  cors_origins: readonly string[];
  /** Trusted proxies, whose X-Forwarded-For is used. */
  trusted_proxies: number;
  /** If set, health and metrics are served there and not here. */
  internal_port: number | null;
  rate_limits: Record<'credential' | 'org' | 'ip', Bucket>;
  /** Defaults: 32 MiB, 16 MiB, 10 s and 10 s. */
  body_memory?: BodyMemory;
}

export interface HttpDeps {
  contract: Contract;
  handlers: Handlers;
  authenticate: Authenticate;
  findOrg: FindOrg;
  pathChecks?: PathChecks;
  bodyReaders?: BodyReaders;
  wellKnown?: WellKnown;
  pages?: Pages;
  health: Health;
  rateLimiter: RateLimiter;
  idempotency: IdempotencyStore;
  config: HttpConfig;
  log: Logger;
  metrics: Registry;
}
