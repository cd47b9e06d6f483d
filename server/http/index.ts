import { pipeline as pump } from 'node:stream/promises';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { ByteStream } from '../contract/byte-stream.ts';
import { ServiceError } from '../lib/errors.ts';
import { chooseEncoding, SCRIPT_PATH, serveScript } from './contract/docs.ts';
import { BASE_PATH } from './contract/operations.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { observeRequests } from './observe.ts';
import { healthRoutes } from './pages/health.ts';
import { pageRoutes } from './pages/pages.ts';
import { createResultPages } from './pages/result-pages.ts';
import { serveWellKnown, WELL_KNOWN_PATHS } from './pages/well-known.ts';
import { createPipeline } from './pipeline.ts';
import type { HttpDeps, Pages } from './ports.ts';
import { cors } from './reply/cors.ts';
import { errorAnswer } from './reply/errors.ts';
import { pageAnswer } from './reply/reply.ts';
import { setSecurityHeaders } from './reply/security-headers.ts';
import { createAdmission } from './request/admission.ts';
import type { Answer } from './request/exchange.ts';
import { endEarly } from './request/read-body.ts';
import { readRequestId, setRequestId } from './request/request-id.ts';

export { type AnswerCheck, type Contract, loadContract } from './contract/contract.ts';
export { type ContractDocument, loadDocument } from './contract/document.ts';
export { createMemoryLimiter, createRedisLimiter } from './limits/token-bucket.ts';
export type * from './ports.ts';
export { createIdempotencyStore, deleteExpiredAnswers } from './request/idempotency-store.ts';
export { createServer } from './server.ts';

/** The API over HTTP. */
export function createHttp(deps: HttpDeps): Express {
  const { config, contract, health, log, metrics } = deps;
  const limits = createRateLimits(deps.rateLimiter, config.rate_limits, log);
  const admission = createAdmission({ ...deps, limits });
  const pipeline = createPipeline({ ...deps, admission, limits });

  const answerCors = cors(config.cors_origins);
  const observe = observeRequests(log, metrics);

  async function serveApi(req: Request, res: Response): Promise<void> {
    if (answerCors(req, res)) return;
    const { answer, exchange } = await pipeline.answer(req, res);
    const fault = exchange && contract.findFault?.(exchange, answer);
    if (fault === undefined && answer.stream !== undefined) return sendStream(req, res, answer, answer.stream);
    answer.stream?.stream.destroy();
    send(req, res, fault === undefined ? answer : pipeline.failure(fault, readRequestId(res), req));
  }

  async function sendStream(req: Request, res: Response, answer: Answer, body: ByteStream): Promise<void> {
    endEarly(req, res);
    try {
      await sendFile(res, answer, body);
    } catch (error) {
      log.warn({ err: error, request_id: readRequestId(res) }, 'a file was not sent to its end');
    }
  }

  function pagesFor({ results, githubReturn, slackReturn }: Pages) {
    const { title: name, summary, version } = contract.document.api.info;
    const operation = contract.operations.all.find(({ id }) => id === 'getScan')!;
    return pageRoutes({
      facts: { name, summary, version, has_health: config.internal_port === null },
      openResult: createResultPages({ results, operation, admission, limits, log }),
      githubReturn: ({ query }) => pageAnswer(200, githubReturn(query)),
      slackReturn: ({ query }) => pageAnswer(200, slackReturn(query)),
      send,
    });
  }

  // Each router layer costs every request, so the first one handles most requests.
  const app = bareApp(config.trusted_proxies);
  app.use((req: Request, res: Response, next: NextFunction) => {
    frame(req, res);
    observe(req, res);
    // While the process is draining, each response closes its connection, so that the next request reaches another
    // process.
    if (health.phase() === 'draining') res.setHeader('Connection', 'close');
    if (req.url.startsWith(BASE_PATH)) return serveApi(req, res);
    next();
  });
  if (config.internal_port === null) app.use(healthRoutes({ health, metrics, metrics_on_loopback_only: true }));
  app.get(SCRIPT_PATH, serveScript);
  if (deps.wellKnown !== undefined) app.get(WELL_KNOWN_PATHS, serveWellKnown(deps.wellKnown));
  if (deps.pages !== undefined) app.use(pagesFor(deps.pages));
  app.use(serveApi);
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    send(req, res, pipeline.failure(error, readRequestId(res), req));
  });
  return app;
}

/** Only health and metrics, for a port that only operators can reach. */
export function createInternalApp({ health, metrics }: Pick<HttpDeps, 'health' | 'metrics'>): Express {
  const app = bareApp(0);
  app.use((req: Request, res: Response, next: NextFunction) => {
    frame(req, res);
    next();
  });
  app.use(healthRoutes({ health, metrics, metrics_on_loopback_only: false }));
  app.use((req: Request, res: Response) => {
    send(req, res, errorAnswer(new ServiceError(404, 'not_found', 'not found'), readRequestId(res)));
  });
  return app;
}

function bareApp(trusted_proxies: number): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing').enable('strict routing');
  app.set('etag', false).set('trust proxy', trusted_proxies);
  return app;
}

/** Headers of every response. Unless it sets others, it must not be cached. */
function frame(req: Request, res: Response): void {
  setRequestId(req, res);
  setSecurityHeaders(res);
  res.setHeader('Cache-Control', 'no-store');
}

function send(req: Request, res: Response, { status, headers, body, encoded }: Answer): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  endEarly(req, res);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const bytes = encoded === undefined ? body : chooseEncoding(req, res, encoded);
  if (bytes !== undefined) res.setHeader('Content-Length', Buffer.byteLength(bytes));
  res.statusCode = status;
  res.end(bytes);
}

/** Sends a file. After its first byte, a failure can only cut the connection. */
async function sendFile(res: Response, { status, headers }: Answer, { stream, onSent }: ByteStream): Promise<void> {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.statusCode = status;
  await pump(stream, res);
  await onSent();
}
