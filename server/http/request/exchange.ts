import type { Request, Response } from 'express';
import type { OrgContext, Principal } from '../../lib/principal.ts';
import type { Operation } from '../contract/operations.ts';

/** One request on its way through the checks. */
export interface Exchange {
  req: Request;
  res: Response;
  request_id: string;
  operation: Operation;
  /** Path parameters, in lower case once they were checked. */
  params: Record<string, string>;
}

/** An exchange that passed authentication and access. */
export interface Admitted extends Exchange {
  /** undefined where the operation is open to everybody. */
  principal: Principal | undefined;
  org: OrgContext | undefined;
}

/** What is sent back, complete but for the headers that every answer has. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
  /** The same body in bytes, of an answer that is made once and sent often. */
  encoded?: Encoded;
}

export interface Encoded {
  plain: Buffer;
  gzip: Buffer;
}
