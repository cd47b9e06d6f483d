import type { Request, Response } from 'express';
import express from 'express';
import type { Registry } from 'prom-client';
import { NotFound } from '../../lib/errors.ts';
import type { Health } from '../ports.ts';
import { errorAnswer, toServiceError } from '../reply/errors.ts';
import { readRequestId } from '../request/request-id.ts';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

interface HealthDeps {
  health: Health;
  metrics: Registry;
  /** Serves metrics only locally, because the port is public. */
  metrics_on_loopback_only: boolean;
}

/** `/healthz`, `/readyz` and `/metrics`: without credentials, and outside the API. */
export function healthRoutes({ health, metrics, metrics_on_loopback_only }: HealthDeps) {
  const routes = express.Router({ caseSensitive: true, strict: true });

  routes.get('/healthz', (_req, res) => sendJson(res, 200, { status: 'ok' }));

  routes.get('/readyz', async (_req, res) => {
    const checks = await health.checks();
    const phase = health.phase();
    const failed = Object.values(checks).includes('fail');
    const status = phase === 'serving' ? (failed ? 'fail' : 'ok') : phase;
    sendJson(res, status === 'ok' ? 200 : 503, { status, checks });
  });

  routes.get('/metrics', async (req, res) => {
    if (metrics_on_loopback_only && !isLocal(req)) {
      const { status, headers, body } = errorAnswer(toServiceError(new NotFound()), readRequestId(res));
      res.writeHead(status, headers).end(body);
      return;
    }
    res.setHeader('Content-Type', metrics.contentType);
    res.end(await metrics.metrics());
  });

  return routes;
}

/** From this machine itself, not forwarded by a local proxy. */
function isLocal({ headers, socket }: Request): boolean {
  const passed_on = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !passed_on && LOOPBACK.test(socket.remoteAddress ?? '');
}

function sendJson(res: Response, status: number, body: unknown): void {
  if (status === 503) res.setHeader('Retry-After', '1');
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.writeHead(status).end(JSON.stringify(body));
}
