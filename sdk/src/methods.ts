/** Types of the parameters and results of resource methods; `generated/resources.ts` lists the methods. */
import type {
  CallOptions,
  ItemOf,
  ListId,
  Member,
  OperationId,
  Parameters,
  ReplyBody,
  RequestBody,
} from './contract.ts';
import type { OPERATIONS } from './generated/operations.ts';

type InOrg<Op extends OperationId> = (typeof OPERATIONS)[Op]['path'] extends `/orgs/{id}${string}` ? true : false;

/** The organization is `org_id`, which is optional if the client has a default organization. */
type PathPart<Op extends OperationId> =
  InOrg<Op> extends true
    ? { org_id?: string } & Omit<Member<Parameters<Op>, 'path'>, 'id'>
    : OrNothing<Member<Parameters<Op>, 'path'>>;

type Nothing = Record<never, never>;
type OrNothing<T> = [T] extends [never] ? Nothing : T;

/** Path parameters, query parameters and body members in one object. */
export type MethodParams<Op extends OperationId> = PathPart<Op> &
  OrNothing<Member<Parameters<Op>, 'query'>> &
  OrNothing<RequestBody<Op>>;

/** Headers such as `Idempotency-Key` and `If-Match`. For `If-None-Match` use `request`, which can return 304. */
export type MethodOptions<Op extends OperationId> = CallOptions & HeadersPart<Header<Op>>;

type Header<Op extends OperationId> = Omit<OrNothing<Member<Parameters<Op>, 'header'>>, 'If-None-Match'>;
type HeadersPart<H> = [keyof H] extends [never] ? { headers?: never } : { headers?: H };

type MethodArgs<Op extends OperationId> =
  Nothing extends MethodParams<Op>
    ? [params?: MethodParams<Op>, options?: MethodOptions<Op>]
    : [params: MethodParams<Op>, options?: MethodOptions<Op>];

/** Await it to get the first page; iterate over it to get every item of every page. */
export interface Listing<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {}

export type Method<Op extends OperationId> = (
  ...args: MethodArgs<Op>
) => Op extends ListId ? Listing<ReplyBody<Op>, ItemOf<Op>> : Promise<ReplyBody<Op>>;
