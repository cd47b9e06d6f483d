/** The contract as types of calls; `generated/` is made from openapi.yaml. */
import type { components, operations } from './generated/openapi.ts';

/** Every schema of the contract by its name. */
export type Schemas = components['schemas'];
/** Name of an operation, `operationId` in openapi.yaml. */
export type OperationId = keyof operations;

export type Parameters<Op extends OperationId> = operations[Op]['parameters'];
export type Member<T, Name extends string> = T extends { [K in Name]?: infer Value }
  ? Exclude<Value, undefined>
  : never;

/** Left out where there is nothing to say, optional where all of it is, else required. */
type Part<Name extends string, T> = [T] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

export type RequestBody<Op extends OperationId> = JsonContent<Member<operations[Op], 'requestBody'>>;
/** Spread over its argument, so that of none comes none. */
type JsonContent<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never;

/** What governs one call, whatever the operation. */
export interface CallOptions {
  /** Ends the call and every wait of it at once; the call then throws the signal's reason. */
  signal?: AbortSignal;
  /** How long one try may take, in milliseconds, instead of the client's. */
  timeout_ms?: number;
  /** How often a failed try may be repeated, instead of the client's. */
  retries?: number;
}

/** What an operation takes. */
export type Params<Op extends OperationId> = Part<'path', Member<Parameters<Op>, 'path'>> &
  Part<'query', Member<Parameters<Op>, 'query'>> &
  Part<'headers', Member<Parameters<Op>, 'header'>> &
  Part<'body', RequestBody<Op>> &
  CallOptions;

/** The arguments behind the operation's name; none are needed where the contract requires none. */
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

/** An answer that the contract declares; `status` tells its forms apart. Everything else is thrown. */
export type Reply<Op extends OperationId> = {
  [Status in SuccessStatus<Op>]: {
    status: Status;
    headers: Headers;
    request_id: string;
    /** JSON as the contract says; text where it declares another type; undefined where it declares none. */
    body: DeclaredBody<Responses<Op>[Status]>;
  };
}[SuccessStatus<Op>];

/** The body of an answer to a request that was not conditional. */
export type ReplyBody<Op extends OperationId> = Exclude<Reply<Op>, { status: 304 }>['body'];

/** Operations that answer a list in pages. */
export type ListId = {
  [Op in OperationId]: Member<Parameters<Op>, 'query'> extends never
    ? never
    : Member<Parameters<Op>, 'query'> extends { limit?: number; offset?: number }
      ? 'offset' extends keyof Member<Parameters<Op>, 'query'>
        ? Op
        : never
      : never;
}[OperationId];

/** One of what a list holds. */
export type ItemOf<Op extends ListId> =
  ReplyBody<Op> extends readonly (infer Item)[] ? Item : MemberItem<ReplyBody<Op>>;

type MemberItem<Body> = { [K in keyof Body]: Body[K] extends readonly (infer Item)[] ? Item : never }[keyof Body];
