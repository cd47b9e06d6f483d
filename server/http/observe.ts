/** One log line and one measurement for each request; never a body, a query or a credential. */
import type { Request, Response } from 'express';
import { Histogram, type Registry } from 'prom-client';
import type { Logger } from '../log.ts';
import { readRequestId } from './request/request-id.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const MAX_PATH_CHARS = 500;

/** Used instead of pino-http, whose child logger per request costs more than all of the routing. */
export function observeRequests(log: Logger, metrics: Registry) {
  const seconds = new Histogram({
    name: 'dpa_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['operation', 'method', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });

  // Its lines contain nothing to redact, and redaction would cost more than the rest of a line.
  const lines = log.child({}, { redact: [] });

  return (req: Request, res: Response): void => {
    const started = performance.now();
    // The address is not available after the connection has closed.
    const { method, originalUrl, ip } = req;
    res.once('close', () => {
      const duration_ms = Math.round((performance.now() - started) * 10) / 10;
      const operation = String(res.locals['operation_id'] ?? 'none');
      const status = res.statusCode;
      seconds.observe({ operation, method: METHODS.has(method) ? method : 'other', status }, duration_ms / 1000);
      const line = {
        request_id: readRequestId(res),
        operation,
        method,
        path: extractPath(originalUrl),
        address: ip,
        status,
        duration_ms,
        // The client disconnected before the response.
        ...(res.writableFinished ? {} : { cut_off: true }),
      };
      lines[status >= 500 ? 'warn' : 'info'](line, 'request');
    });
  };
}

function extractPath(url: string): string {
  const end = url.indexOf('?');
  return url.slice(0, Math.min(end === -1 ? url.length : end, MAX_PATH_CHARS));
}
