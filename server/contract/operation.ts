/**
 * The contract as types. `openapi.d.ts` is generated from `openapi.yaml`. A handler that violates it does not compile:
 * a missing operation, an undeclared status, a body without a required field.
 */
import type { Keep } from '../db/types.ts';
import type { OrgContext, Principal } from '../lib/principal.ts';
import type { ByteStream } from './byte-stream.ts';
import type { HtmlPage } from './html-page.ts';
import type { JsonText } from './json-text.ts';
import type { operations } from './openapi.d.ts';

/** Handled by the HTTP layer itself: they serve the contract and need no domain. */
export type DocumentOperationId = 'getOpenapiJson' | 'getOpenapiYaml' | 'getDocs';
export type OperationId = keyof operations;
export type DomainOperationId = Exclude<OperationId, DocumentOperationId>;
/** Open to unauthenticated callers. */
export type PublicOperationId =
  | 'exchangeToken'
  | 'completeGithubInstallation'
  | 'confirmGithubInstallation'
  | 'receiveGithubAppWebhook'
  | 'completeChatInstallation'
  | 'confirmChatInstallation'
  | 'receiveSlackEvent'
  | 'receiveSlackCommand'
  | 'receiveSlackInteraction'
  | 'receiveStripeWebhook'
  | 'getPublicCheckpoint'
  | 'getPublicCheckpointKey'
  | 'receiveGithubWebhook'
  | 'receiveGitlabWebhook';
/** Operations whose path parameter `id` is not an organization. */
export type PlatformRecordOperationId =
  | 'deleteDomain'
  | 'setMembershipRole'
  | 'deleteMembership'
  | 'deleteUser'
  | 'listUserMemberships';

type Parameters<Op extends OperationId> = operations[Op]['parameters'];
type Header<Op extends OperationId> = NonNullable<Parameters<Op>['header']>;
/** Operations that accept an `Idempotency-Key`. */
export type IdempotentOperationId = {
  [Op in OperationId]: [Header<Op>] extends [never] ? never : 'Idempotency-Key' extends keyof Header<Op> ? Op : never;
}[OperationId];

type Responses<Op extends OperationId> = operations[Op]['responses'];
type SuccessStatus<Op extends OperationId> = Extract<keyof Responses<Op>, 200 | 201 | 202 | 204 | 302 | 303>;

/** Lists always get the requested page, with defaults filled in and `limit` clamped. */
type Paged<Query> = Query extends { limit?: number; offset?: number }
  ? Omit<Query, 'limit' | 'offset'> & { limit: number; offset: number }
  : Query;

type Body<Op extends OperationId> = operations[Op] extends {
  requestBody: { content: { 'application/json': infer Json } };
}
  ? Json
  : undefined;

/** Undefined if the contract declares none. */
type Cookies<Op extends OperationId> =
  Parameters<Op> extends { cookie?: infer Declared } ? NonNullable<Declared> : Record<string, never>;

type Org<Op extends OperationId> = Op extends PlatformRecordOperationId
  ? undefined
  : Parameters<Op> extends { path: { id: string } }
    ? OrgContext
    : undefined;

/** A request that has passed contract validation, authentication and access checks. */
export interface Request<Op extends OperationId> {
  /** Path parameters, in lower case. */
  path: Parameters<Op> extends { path: infer Path } ? Path : Record<string, never>;
  query: Parameters<Op> extends { query?: infer Query } ? Paged<NonNullable<Query>> : Record<string, never>;
  body: Body<Op>;
  /** The cookies that the contract declares; all others are ignored. */
  cookies: Cookies<Op>;
  principal: Op extends PublicOperationId ? undefined : Principal;
  /** The organization of the path; undefined on paths without one. */
  org: Org<Op>;
  request_id: string;
  /** Base URL that this request was sent to, considering trusted proxies: `https://api.example.com`. */
  origin: string;
  /** The attachment of a BodyReader, otherwise undefined. */
  attachment: unknown;
  /**
   * Checks that the caller knows the current state of a record: if `If-Match` was sent, it must match the tag that a
   * GET of this record has.
   *
   * @param record the body of that GET
   * @throws PreconditionFailed
   */
  assertKnown(record: unknown): void;
  /** Runs the work of an operation that accepts an `Idempotency-Key`; undefined for every other operation. */
  once: Op extends IdempotentOperationId ? Once<Op> : undefined;
}

/**
 * Runs the work and stores its response in the same transaction, so that a repeated request does not run it again.
 *
 * @param reply creates the response from the result of the work; secrets that are shown once are removed from the
 *   stored copy
 * @param work calls `keep` within its transaction, exactly once
 * @throws errors of `work`; Error if it did not call `keep`
 */
export type Once<Op extends OperationId> = <Result>(
  reply: (result: Result) => Reply<Op>,
  work: (keep: Keep<Result>) => Promise<unknown>,
) => Promise<KeptReply<Op>>;

declare const kept: unique symbol;
/** A reply that was stored in the transaction of its work. Only `Request.once` creates one. */
export type KeptReply<Op extends OperationId> = Reply<Op> & { readonly [kept]: true };

/** Headers that the HTTP layer always sets itself. */
type OwnHeader =
  | 'X-Request-Id'
  | `X-RateLimit-${string}`
  | 'Cache-Control'
  | 'ETag'
  | 'Link'
  | 'X-Total-Count'
  | 'Idempotency-Replayed';

type Known<T> = { [K in keyof T as string extends K ? never : K extends OwnHeader ? never : K]: T[K] };
type HeaderValues<T> = { [K in keyof T]: T[K] | string };
/** A header that the contract requires is required here. */
type ReplyHeaders<Headers> = keyof Known<Headers> extends never
  ? { headers?: Record<string, never> }
  : Record<string, never> extends Known<Headers>
    ? { headers?: HeaderValues<Known<Headers>> }
    : { headers: HeaderValues<Known<Headers>> };

type ReplyBody<Response> = Response extends { content: { 'application/json': infer Json } }
  ? { body: Json | JsonText<Json> }
  : Response extends { content: { 'text/html': string } }
    ? { body: HtmlPage }
    : Response extends { content: { 'application/zip': string } | { 'text/plain': string } }
      ? { body: ByteStream }
      : { body?: undefined };

interface Position {
  total: number;
  limit: number;
  offset: number;
}

/** A page whose body does not contain its position, which is sent in headers. */
type ReplyPage<Response> = Response extends {
  headers: { 'X-Total-Count': number };
  content: { 'application/json': infer Json };
}
  ? Json extends unknown[]
    ? { page: Position }
    : { page?: Position }
  : { page?: undefined };

type ReplyFor<Status, Response> = Response extends { headers: infer Headers }
  ? { status: Status } & ReplyBody<Response> & ReplyPage<Response> & ReplyHeaders<Headers>
  : never;

/** A successful response that the contract declares. Errors are thrown as ServiceError. */
export type Reply<Op extends OperationId> = {
  [Status in SuccessStatus<Op>]: ReplyFor<Status, Responses<Op>[Status]>;
}[SuccessStatus<Op>];

export type Handler<Op extends OperationId> = (
  request: Request<Op>,
) => Promise<Op extends IdempotentOperationId ? KeptReply<Op> : Reply<Op>>;

/** One entry for each operation that a domain handles. */
export type Handlers = { [Op in DomainOperationId]: Handler<Op> };
