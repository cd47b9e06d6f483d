/** What the HTTP layer needs from the rest of the service. */
import type { Registry } from 'prom-client';
import type { BodyReaders, PathChecks } from '../contract/domain-parts.ts';
import type { HtmlPage } from '../contract/html-page.ts';
import type { Handlers } from '../contract/operation.ts';
import type { Db } from '../db/index.ts';
import type { OrgContext, Principal } from '../lib/principal.ts';
import type { Logger } from '../log.ts';
import type { Contract } from './contract/contract.ts';

export interface Credential {
  kind: 'bearer' | 'api_key';
  token: string;
}

/** @throws Unauthenticated, Forbidden or Unavailable */
export type Authenticate = (credential: Credential) => Promise<Principal>;

/** The organization as the caller may see it; undefined answers 404. `org_id` is a lower-case UUID. */
export type FindOrg = (principal: Principal, org_id: string) => Promise<OrgContext | undefined>;

/** How much of bodies may stand in memory at once, in bytes. */
export interface BodyMemory {
  /** Of callers who are known, and as much again of those who are not. */
  total: number;
  /** Of one organization or caller. */
  share: number;
  /** How long a body may wait for room. */
  wait_ms: number;
  /** How long the body of an unknown caller may take to arrive. */
  anonymous_ms: number;
}

/** A token bucket: `burst` requests at once, refilled by `per_minute`. */
export interface Bucket {
  burst: number;
  per_minute: number;
}

export interface BucketState {
  allowed: boolean;
  /** Tokens left; a fraction counts. */
  remaining: number;
}

/** Rejects when its store is out of reach. A negative cost gives tokens back. */
export interface RateLimiter {
  take(key: string, bucket: Bucket, cost: number): Promise<BucketState>;
}

/** One attempt, as `Idempotency-Key` names it. */
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

/** First answers to attempts, kept for 24 hours. An attempt is named by the id of its claim. */
export interface IdempotencyStore {
  /** Takes the key for an attempt when it is free, or its holder has stopped renewing its claim. */
  claim(attempt: Attempt): Promise<Claim>;
  /** Extends the claim of an attempt that is still running. Without it another attempt may take the key. */
  renew(id: string): Promise<void>;
  renew_every_ms: number;
  /**
   * Keeps the answer in the transaction that does the work.
   *
   * @returns false when another attempt has taken the key: the transaction must roll back
   */
  keep(trx: Db, id: string, answer: StoredAnswer): Promise<boolean>;
  /** Keeps the answer of an attempt that did no work. Does nothing when an answer is kept or the key was taken. */
  keepRefusal(id: string, answer: StoredAnswer): Promise<void>;
  /** Gives the key back. Does nothing when an answer is kept or the key was taken. */
  release(id: string): Promise<void>;
}

/** `draining`: not ready any more, but still serving what comes. */
export type Phase = 'serving' | 'draining';

export interface Health {
  phase(): Phase;
  /** One entry for each backend that is configured (postgres, redis, migrations, object_store), and plan_threads. */
  checks(): Promise<Record<string, 'ok' | 'fail'>>;
}

/** Discovery document and public keys of the tokens that the deployment signs; null where it signs none. */
export type WellKnown = () => { configuration: object; jwks: object } | null;

/** Results of analyses as pages. */
export interface ResultPages {
  /** What the text of a signed link opens. @param id of the result in the address, a lower-case UUID */
  openLink(
    text: string,
    id: string,
  ): Promise<{ state: 'valid'; org_id: string } | { state: 'expired'; at: Date } | { state: 'invalid' }>;
  /** The organization in which a caller may find a result; undefined when it is in none of theirs. */
  findOrgId(principal: Principal, id: string): Promise<string | undefined>;
  /** @throws NotFound */
  getPage(org_id: string, id: string): Promise<HtmlPage>;
}

/** Pages for people beside the API. */
export interface Pages {
  results: ResultPages;
  /** Where a person lands who comes back from GitHub. @param query as it was sent */
  githubReturn(query: Record<string, unknown>): HtmlPage;
}

export interface HttpConfig {
  /** Origins whose pages may call, such as `https://app.example.com`. */
  cors_origins: readonly string[];
  /** Proxies in front, whose X-Forwarded-For is believed. */
  trusted_proxies: number;
  /** When set, health and metrics are served there and not here. */
  internal_port: number | null;
  rate_limits: Record<'credential' | 'org' | 'ip', Bucket>;
  /** 32 MiB, 16 MiB, 10 s and 10 s unless given. */
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
