/** Types of calls, derived from the contract; `generated/` is generated from openapi.yaml. */
import type { components, operations } from './generated/openapi.ts';

/** Every schema of the contract, by name. */
export type Schemas = components['schemas'];
/** ID of an operation, `operationId` in openapi.yaml. */
export type OperationId = keyof operations;

export type Parameters<Op extends OperationId> = operations[Op]['parameters'];
export type Member<T, Name extends string> = T extends { [K in Name]?: infer Value }
  ? Exclude<Value, undefined>
  : never;

/** Absent if there is nothing to pass, optional if all members are optional, otherwise required. */
type Part<Name extends string, T> = [T] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

export type RequestBody<Op extends OperationId> = JsonContent<Member<operations[Op], 'requestBody'>>;
/** Distributes over its argument, so that `never` stays `never`. */
type JsonContent<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never;

/** Options of one call, for every operation. */
export interface CallOptions {
  /** Cancels the call immediately, also while it waits; the call then throws the reason of the signal. */
  signal?: AbortSignal;
  /** Time limit of one attempt, in milliseconds; default: the client's. */
  timeout_ms?: number;
  /** Maximum number of retries; default: the client's. */
  retries?: number;
}

/** The parameters of an operation. */
export type Params<Op extends OperationId> = Part<'path', Member<Parameters<Op>, 'path'>> &
  Part<'query', Member<Parameters<Op>, 'query'>> &
  Part<'headers', Member<Parameters<Op>, 'header'>> &
  Part<'body', RequestBody<Op>> &
  CallOptions;

/** The arguments after the operation ID; optional if the contract requires no parameters. */
export type Args<Op extends OperationId> =
  Record<never, never> extends Params<Op> ? [params?: Params<Op>] : [params: Params<Op>];

type Responses<Op extends OperationId> = operations[Op]['responses'];
type SuccessStatus<Op extends OperationId> = Extract<keyof Responses<Op>, 200 | 201 | 202 | 204 | 304>;

type DeclaredBody<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : [Content] extends [never]
      ? undefined
      : string
  : undefined;

/** A successful response; `status` is the discriminator. Every other response is thrown as an error. */
export type Reply<Op extends OperationId> = {
  [Status in SuccessStatus<Op>]: {
    status: Status;
    headers: Headers;
    request_id: string;
    /** Parsed JSON; text if the contract declares another type; undefined if it declares no body. */
    body: DeclaredBody<Responses<Op>[Status]>;
  };
}[SuccessStatus<Op>];

/** The response body of a request without `If-None-Match`. */
export type ReplyBody<Op extends OperationId> = Exclude<Reply<Op>, { status: 304 }>['body'];

/** Operations that return a paged list. */
export type ListId = {
  [Op in OperationId]: Member<Parameters<Op>, 'query'> extends never
    ? never
    : Member<Parameters<Op>, 'query'> extends { limit?: number; offset?: number }
      ? 'offset' extends keyof Member<Parameters<Op>, 'query'>
        ? Op
        : never
      : never;
}[OperationId];

/** One item of a list. */
export type ItemOf<Op extends ListId> =
  ReplyBody<Op> extends readonly (infer Item)[] ? Item : MemberItem<ReplyBody<Op>>;

type MemberItem<Body> = { [K in keyof Body]: Body[K] extends readonly (infer Item)[] ? Item : never }[keyof Body];
