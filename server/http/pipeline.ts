import type { Request, Response } from 'express';
import type { DocumentOperationId, DomainOperationId, OperationId } from '../contract/operation.ts';
import { InvalidInput, NotFound, PreconditionFailed, ServiceError } from '../lib/errors.ts';
import { withRequestId } from '../lib/request-context.ts';
import { documentAnswers } from './contract/docs.ts';
import type { Match, Operation } from './contract/operations.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { HttpDeps } from './ports.ts';
import { errorAnswer, shownError } from './reply/errors.ts';
import { type AnyReply, conditional, matchesBody, toAnswer, withTag } from './reply/reply.ts';
import { normalPath } from './request/access.ts';
import type { Admission } from './request/admission.ts';
import { createBodies } from './request/bodies.ts';
import { declaredCookies } from './request/cookies.ts';
import type { Admitted, Answer, Exchange } from './request/exchange.ts';
import { idempotencyKey, type KeepAnswer, once, replyOnce } from './request/idempotency.ts';
import { resolveOrigin } from './request/origin.ts';
import { declaredQuery, prepareQuery } from './request/query.ts';
import { readRequestId } from './request/request-id.ts';
import { withoutSecrets } from './request/secrets.ts';
import { checkTransport } from './transport.ts';

type AnyHandler = (request: unknown) => Promise<AnyReply>;

export interface PipelineDeps extends HttpDeps {
  admission: Admission;
  limits: RateLimits;
}

/**
 * Runs the checks of a request in the order that the contract promises: transport, authentication, type of caller,
 * organization, role and scope, the record of the path, body and query. The handler does later checks (plan, state, its
 * own limits).
 *
 * @returns the response, and the exchange if an operation matched; never throws
 */
export function createPipeline(deps: PipelineDeps) {
  const { contract } = deps;
  const documents = documentAnswers(contract.document);
  const bodies = createBodies(deps.bodyReaders, deps.config.body_memory);

  function answer(req: Request, res: Response): Promise<{ answer: Answer; exchange: Exchange | undefined }> {
    return withRequestId(readRequestId(res), async () => {
      const found = contract.operations.match(req.method, extractPath(req));
      const exchange = found.found === 'operation' ? createExchange(req, res, found) : undefined;
      try {
        await deps.limits.admitAddress(req, (exchange?.operation.access.credential ?? 'none') === 'none');
        return { answer: await perform(exchange ?? refuse(req, res, found)), exchange };
      } catch (error) {
        return { answer: failure(error, readRequestId(res), req, exchange?.operation), exchange };
      } finally {
        deps.limits.show(res);
      }
    });
  }

  async function perform(exchange: Exchange): Promise<Answer> {
    const { req, res, operation } = exchange;
    await deps.limits.admitNamed(req, operation.access.rate_limit);
    checkTransport(req, operation);
    const whole = isDocument(operation.id) ? documents[operation.id] : await performOwn(exchange);
    const answer = operation.conditional ? conditional(whole, req.headers['if-none-match']) : whole;
    if (answer.status === 304) await deps.limits.refundUnchanged(res);
    return answer;
  }

  async function performOwn(exchange: Exchange): Promise<Answer> {
    const plain = await act(await admit(exchange));
    return exchange.operation.tagged ? withTag(plain) : plain;
  }

  async function admit(exchange: Exchange): Promise<Admitted> {
    const { req, res, operation, params } = exchange;
    if (operation.access.credential === 'none') {
      return { ...exchange, params: normalPath(operation, params), principal: undefined, org: undefined };
    }
    const principal = await deps.admission.identify(req, res);
    const org = await deps.admission.enter(operation, params, principal, res);
    const path = normalPath(operation, params);
    await deps.pathChecks?.[operation.id as DomainOperationId]?.({ org_id: org?.id ?? '', path });
    return { ...exchange, params: path, principal, org };
  }

  function act(exchange: Admitted): Promise<Answer> {
    const { req, operation } = exchange;
    refuseHeaders(exchange);
    prepareQuery(req, operation);
    return bodies.hold(exchange, async ({ body, attachment, sha256 }) => {
      req.body = body;
      await contract.validator.checkRequest(exchange);
      return handleOnce(exchange, attachment, sha256);
    });
  }

  function handleOnce(exchange: Admitted, attachment: unknown, body_sha256: string): Promise<Answer> {
    const { req, operation, org, principal, request_id } = exchange;
    const key = idempotencyKey(exchange);
    if (key === undefined) return handle(exchange, attachment, async () => {});
    const attempt = {
      org_id: org?.id ?? null,
      credential_id: principal?.credential_id ?? '',
      method: operation.method,
      path: extractPath(req).toLowerCase(),
      key,
      body_sha256,
    };
    return once(deps.idempotency, attempt, deps.log, (keep) =>
      handle(exchange, attachment, (trx, answer) => keep(trx, withoutSecrets(operation, answer))).catch(
        (error: unknown) => failure(error, request_id, req, operation),
      ),
    );
  }

  async function handle(exchange: Admitted, attachment: unknown, keep: KeepAnswer): Promise<Answer> {
    const { req, operation, params, principal, org, request_id } = exchange;
    const handler = deps.handlers[operation.id as DomainOperationId] as AnyHandler;
    const query = declaredQuery(req, operation);
    const assertKnown = (record: unknown) => assertNamed(req.headers['if-match'], record);
    const answerTo = (reply: AnyReply) => toAnswer(operation, reply, req.originalUrl);
    const request = {
      path: params,
      query,
      body: req.body,
      cookies: declaredCookies(req, operation),
      principal,
      org,
      request_id,
      origin: resolveOrigin(req),
      attachment,
      assertKnown,
      once: operation.idempotent ? replyOnce((trx, reply) => keep(trx, answerTo(reply))) : undefined,
    };
    return answerTo(await handler(request));
  }

  function failure(error: unknown, request_id: string, req: Request, operation?: Operation): Answer {
    return errorAnswer(shownError(deps.log, error, request_id, req.method), request_id, operation?.error_form);
  }

  return { answer, failure };
}

function createExchange(req: Request, res: Response, { operation, params }: Match & { found: 'operation' }): Exchange {
  res.locals['operation_id'] = operation.id;
  return { req, res, request_id: readRequestId(res), operation, params };
}

/** @throws NotFound, or 405 with the methods of the path */
function refuse(req: Request, res: Response, found: Match): never {
  if (found.found !== 'path') throw new NotFound();
  res.setHeader('Allow', found.allow);
  throw new ServiceError(405, 'method_not_allowed', `${req.method} is not allowed here; allowed: ${found.allow}`);
}

function refuseHeaders({ req, operation }: Admitted): void {
  for (const [name, error_class] of operation.refused_headers) {
    if (req.headers[name] !== undefined) throw new InvalidInput(`header ${name} is not allowed here`, error_class);
  }
}

/** @see RFC 9110, section 13.1.1 */
function assertNamed(if_match: string | undefined, record: unknown): void {
  if (if_match === undefined || matchesBody(if_match, JSON.stringify(record))) return;
  throw new PreconditionFailed('the record has changed since you read it; read it again and repeat your change');
}

function extractPath({ originalUrl }: Request): string {
  return originalUrl.split('?', 1)[0] ?? '';
}

function isDocument(id: OperationId): id is DocumentOperationId {
  return id === 'getOpenapiJson' || id === 'getOpenapiYaml' || id === 'getDocs';
}
