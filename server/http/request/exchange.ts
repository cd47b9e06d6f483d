import type { Request, Response } from 'express';
import type { ByteStream } from '../../contract/byte-stream.ts';
import type { OrgContext, Principal } from '../../lib/principal.ts';
import type { Operation } from '../contract/operations.ts';

/** A request and its state during the checks. */
export interface Exchange {
  req: Request;
  res: Response;
  request_id: string;
  operation: Operation;
  /** Path parameters, in lower case after their check. */
  params: Record<string, string>;
}

/** An exchange after authentication and access checks. */
export interface Admitted extends Exchange {
  /** undefined if the operation is public. */
  principal: Principal | undefined;
  org: OrgContext | undefined;
}

/** A complete response, except for the headers that every response has. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
  /** The body instead of `body`, for a file. */
  stream?: ByteStream;
  /** The same body as bytes, for a response that is created once and sent often. */
  encoded?: Encoded;
}

export interface Encoded {
  plain: Buffer;
  gzip: Buffer;
}
