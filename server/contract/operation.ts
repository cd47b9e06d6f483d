/**
 * The contract as types. `openapi.d.ts` is generated from `openapi.yaml`; a handler that does not keep to it does not
 * compile: an operation left out, a status that is not declared, a body without a required field.
 */
import type { Keep } from '../db/types.ts';
import type { OrgContext, Principal } from '../lib/principal.ts';
import type { HtmlPage } from './html-page.ts';
import type { JsonText } from './json-text.ts';
import type { operations } from './openapi.d.ts';

/** Answered by the HTTP layer itself: they show the contract and touch no domain. */
export type DocumentOperationId = 'getOpenapiJson' | 'getOpenapiYaml' | 'getDocs';
export type OperationId = keyof operations;
export type DomainOperationId = Exclude<OperationId, DocumentOperationId>;
/** Open to callers who are nobody yet. */
export type PublicOperationId =
  | 'exchangeToken'
  | 'completeGithubInstallation'
  | 'confirmGithubInstallation'
  | 'receiveGithubAppWebhook'
  | 'receiveGithubWebhook'
  | 'receiveGitlabWebhook';
/** Whose path parameter `id` names no organization. */
export type PlatformRecordOperationId =
  | 'deleteDomain'
  | 'setMembershipRole'
  | 'deleteMembership'
  | 'deleteUser'
  | 'listUserMemberships';

type Parameters<Op extends OperationId> = operations[Op]['parameters'];
type Header<Op extends OperationId> = NonNullable<Parameters<Op>['header']>;
/** Takes an `Idempotency-Key`. */
export type IdempotentOperationId = {
  [Op in OperationId]: [Header<Op>] extends [never] ? never : 'Idempotency-Key' extends keyof Header<Op> ? Op : never;
}[OperationId];

type Responses<Op extends OperationId> = operations[Op]['responses'];
type SuccessStatus<Op extends OperationId> = Extract<keyof Responses<Op>, 200 | 201 | 202 | 204 | 302 | 303>;

/** Lists always get the page that was asked for, defaults filled in and `limit` clamped. */
type Paged<Query> = Query extends { limit?: number; offset?: number }
  ? Omit<Query, 'limit' | 'offset'> & { limit: number; offset: number }
  : Query;

type Body<Op extends OperationId> = operations[Op] extends {
  requestBody: { content: { 'application/json': infer Json } };
}
  ? Json
  : undefined;

/** Nothing where the contract declares none. */
type Cookies<Op extends OperationId> =
  Parameters<Op> extends { cookie?: infer Declared } ? NonNullable<Declared> : Record<string, never>;

type Org<Op extends OperationId> = Op extends PlatformRecordOperationId
  ? undefined
  : Parameters<Op> extends { path: { id: string } }
    ? OrgContext
    : undefined;

/** A checked request. Whatever the contract, authentication and access could refuse has been refused. */
export interface Request<Op extends OperationId> {
  /** Path parameters, in lower case. */
  path: Parameters<Op> extends { path: infer Path } ? Path : Record<string, never>;
  query: Parameters<Op> extends { query?: infer Query } ? Paged<NonNullable<Query>> : Record<string, never>;
  body: Body<Op>;
  /** The cookies that the contract declares; all others are ignored. */
  cookies: Cookies<Op>;
  principal: Op extends PublicOperationId ? undefined : Principal;
  /** The organization that the path names; undefined on paths without one. */
  org: Org<Op>;
  request_id: string;
  /** The address that this request was sent to, as far as trusted proxies tell it: `https://api.example.com`. */
  origin: string;
  /** What a BodyReader kept beside the body, else undefined. */
  attachment: unknown;
  /**
   * Sees that the caller knows the state that is about to be overwritten: where `If-Match` was sent, it names the tag
   * that a GET of this record has.
   *
   * @param record the body of that GET
   * @throws PreconditionFailed
   */
  assertKnown(record: unknown): void;
  /** Does the work of an operation that takes an `Idempotency-Key`; undefined for every other. */
  once: Op extends IdempotentOperationId ? Once<Op> : undefined;
}

/**
 * Does the work and keeps its answer in the same transaction, so that no repetition of the request does it again.
 *
 * @param reply from the result of the work; what is shown once may be in it, and is left out of what is kept
 * @param work calls `keep` within its transaction, exactly once
 * @throws what `work` throws; Error when it did not call `keep`
 */
export type Once<Op extends OperationId> = <Result>(
  reply: (result: Result) => Reply<Op>,
  work: (keep: Keep<Result>) => Promise<unknown>,
) => Promise<KeptReply<Op>>;

declare const kept: unique symbol;
/** A reply that was kept by the transaction it tells of. Nothing but `Request.once` makes one. */
export type KeptReply<Op extends OperationId> = Reply<Op> & { readonly [kept]: true };

/** Headers that the HTTP layer sets on its own, so that no handler can forget them. */
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
    : { body?: undefined };

/** A page without an envelope: where it stands among all items goes into the headers. */
type ReplyPage<Response> = Response extends {
  headers: { 'X-Total-Count': number };
  content: { 'application/json': unknown[] };
}
  ? { page: { total: number; limit: number; offset: number } }
  : { page?: undefined };

type ReplyFor<Status, Response> = Response extends { headers: infer Headers }
  ? { status: Status } & ReplyBody<Response> & ReplyPage<Response> & ReplyHeaders<Headers>
  : never;

/** A success that the contract declares. Everything else is thrown, as a ServiceError. */
export type Reply<Op extends OperationId> = {
  [Status in SuccessStatus<Op>]: ReplyFor<Status, Responses<Op>[Status]>;
}[SuccessStatus<Op>];

export type Handler<Op extends OperationId> = (
  request: Request<Op>,
) => Promise<Op extends IdempotentOperationId ? KeptReply<Op> : Reply<Op>>;

/** One entry for each operation that a domain answers. */
export type Handlers = { [Op in DomainOperationId]: Handler<Op> };
