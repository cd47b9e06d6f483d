import type { Request, Response } from 'express';
import { newId } from '../../lib/ids.ts';

const ACCEPTED = /^[A-Za-z0-9._-]{8,128}$/;

/** Uses the caller's id if it is safe to log and echo, otherwise creates one. */
export function setRequestId(req: Request, res: Response): void {
  const sent = req.headers['x-request-id'];
  const request_id = typeof sent === 'string' && ACCEPTED.test(sent) ? sent : newId();
  res.locals['request_id'] = request_id;
  res.setHeader('X-Request-Id', request_id);
}

export function readRequestId(res: Response): string {
  return String(res.locals['request_id']);
}
