/** One log line and one measurement for each request; never a body, a query or a credential. */
import type { NextFunction, Request, Response } from 'express';
import { pinoHttp } from 'pino-http';
import { Histogram, type Registry } from 'prom-client';
import type { Logger } from '../log.ts';
import { requestIdOf } from './request-id.ts';

export function logRequests(log: Logger) {
  return pinoHttp<Request, Response>({
    logger: log,
    genReqId: (_req, res) => requestIdOf(res),
    wrapSerializers: false,
    serializers: {
      req: ({ method, url, socket }: Request) => ({ method, path: pathOf(url), address: socket.remoteAddress }),
      res: ({ statusCode }: Response) => ({ status: statusCode }),
    },
    customProps: (_req, res) => ({ request_id: requestIdOf(res), operation: operationOf(res) }),
    customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'warn' : 'info'),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'request_id', responseTime: 'duration_ms' },
  });
}

export function measureRequests(metrics: Registry) {
  const seconds = new Histogram({
    name: 'dpa_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer.',
    labelNames: ['operation', 'method', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });
  return (req: Request, res: Response, next: NextFunction): void => {
    const started = process.hrtime.bigint();
    res.once('finish', () => {
      const labels = { operation: operationOf(res), method: knownMethod(req.method), status: String(res.statusCode) };
      seconds.observe(labels, Number(process.hrtime.bigint() - started) / 1e9);
    });
    next();
  };
}

function operationOf(res: Response): string {
  return String(res.locals['operation_id'] ?? 'none');
}

function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').slice(0, 500);
}

/** A label per method that anybody may invent would grow without end. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
