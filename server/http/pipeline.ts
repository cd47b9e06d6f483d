import type { Request, Response } from 'express';
import type { DocumentOperationId, DomainOperationId, OperationId } from '../contract/operation.ts';
import { InvalidInput, NotFound, ServiceError } from '../lib/errors.ts';
import { parseStrictJson } from '../lib/strict-json.ts';
import { assertCredentialType, assertRole, findOrgOf, normalPath } from './access.ts';
import { assertBodyShape } from './body-shape.ts';
import { readCredential } from './credential.ts';
import { documentAnswers } from './docs.ts';
import { errorAnswer, toServiceError } from './errors.ts';
import type { Admitted, Answer, Exchange } from './exchange.ts';
import { bodyHash, idempotencyKey, once } from './idempotency.ts';
import type { Operations } from './operations.ts';
import type { HttpDeps, ReadBody } from './ports.ts';
import { declaredQuery, prepareQuery } from './query.ts';
import type { RateLimits } from './rate-limits.ts';
import { readBody } from './read-body.ts';
import { type AnyReply, conditional, toAnswer } from './reply.ts';
import { requestIdOf } from './request-id.ts';
import { checkTransport } from './transport.ts';
import type { Validator } from './validator.ts';

type AnyHandler = (request: unknown) => Promise<AnyReply>;

export interface PipelineDeps extends HttpDeps {
  operations: Operations;
  limits: RateLimits;
  validator: Validator;
}

/**
 * Takes a request through the checks in the order that the contract promises: transport, authentication, credential
 * type, organization, role, path ids, body and query. What comes later (plan, state, own limits) is the handler's.
 *
 * @returns the answer, and the exchange when an operation was meant; it throws nothing
 */
export function createPipeline(deps: PipelineDeps) {
  const documents = documentAnswers(deps.document);

  async function answer(req: Request, res: Response): Promise<{ answer: Answer; exchange: Exchange | undefined }> {
    let exchange: Exchange | undefined;
    try {
      exchange = await route(req, res);
      return { answer: await perform(exchange), exchange };
    } catch (error) {
      return { answer: failure(error, requestIdOf(res), req), exchange };
    }
  }

  async function route(req: Request, res: Response): Promise<Exchange> {
    const found = deps.operations.match(req.method, pathOf(req));
    const anonymous = found.found !== 'operation' || found.operation.access.credential === 'none';
    await deps.limits.admitAddress(req, anonymous);
    if (found.found === 'nothing') throw new NotFound();
    if (found.found === 'path') {
      res.setHeader('Allow', found.allow);
      throw new ServiceError(405, 'method_not_allowed', `${req.method} is not allowed here; allowed: ${found.allow}`);
    }
    res.locals['operation_id'] = found.operation.id;
    return { req, res, request_id: requestIdOf(res), operation: found.operation, params: found.params };
  }

  async function perform(exchange: Exchange): Promise<Answer> {
    const { req, res, operation } = exchange;
    checkTransport(req, operation);
    const plain = isDocument(operation.id) ? documents[operation.id] : await act(await admit(exchange));
    if (!operation.conditional) return plain;
    const answer = conditional(plain, req.headers['if-none-match']);
    if (answer.status === 304) await deps.limits.refundUnchanged(res);
    return answer;
  }

  async function admit(exchange: Exchange): Promise<Admitted> {
    const { req, res, operation, params } = exchange;
    const principal = await deps.limits.countFailures(req, () => deps.authenticate(readCredential(req)));
    await deps.limits.spend(res, 'credential', principal.credential_id);
    assertCredentialType(operation.access, principal);
    const org = await findOrgOf(operation, params, principal, deps.findOrg);
    if (org !== undefined) await deps.limits.spend(res, 'org', org.id);
    assertRole(operation.access, org);
    return { ...exchange, params: normalPath(operation, params), principal, org };
  }

  async function act(exchange: Admitted): Promise<Answer> {
    const { req, operation } = exchange;
    refuseHeaders(exchange);
    prepareQuery(req, operation);
    const key = idempotencyKey(exchange);
    const raw = operation.body_shape && (await readBody(req, exchange.res, operation.body_limit));
    // A body reader may move the bytes to another thread, so they are hashed first.
    const body_sha256 = raw === undefined || key === undefined ? '' : bodyHash(raw);
    const { body, attachment } = await parse(exchange, raw);
    req.body = body;
    await deps.validator.checkRequest(exchange);

    const run = () => handle(exchange, attachment);
    if (key === undefined) return run();
    const attempt = {
      org_id: exchange.org?.id ?? null,
      credential_id: exchange.principal.credential_id,
      method: operation.method,
      path: pathOf(req).toLowerCase(),
      key,
      body_sha256,
    };
    const settled = () => run().catch((error: unknown) => failure(error, exchange.request_id, req));
    return once(deps.idempotency, attempt, deps.log, settled);
  }

  async function parse({ operation, request_id }: Admitted, raw: Buffer | undefined): Promise<ReadBody> {
    if (raw === undefined || operation.body_shape === undefined) return { body: undefined, attachment: undefined };
    const operation_id = operation.id as DomainOperationId;
    const reader = deps.bodyReaders?.[operation_id];
    const read = reader
      ? await reader(raw, { operation_id, request_id })
      : { body: parseStrictJson(raw), attachment: undefined };
    assertBodyShape(operation.body_shape, read.body);
    return read;
  }

  async function handle({ req, operation, params, principal, org, request_id }: Admitted, attachment: unknown) {
    const handler = deps.handlers[operation.id as DomainOperationId] as AnyHandler;
    const query = declaredQuery(req, operation);
    const reply = await handler({ path: params, query, body: req.body, principal, org, request_id, attachment });
    return toAnswer(operation, reply, req.originalUrl);
  }

  function failure(error: unknown, request_id: string, req: Request): Answer {
    const shown = toServiceError(error);
    if (shown.status >= 500) {
      const level = shown.status === 500 ? 'error' : 'warn';
      deps.log[level]({ err: shown.cause ?? shown, request_id, method: req.method }, 'request failed');
    }
    return errorAnswer(shown, request_id);
  }

  return { answer, failure };
}

function refuseHeaders({ req, operation }: Admitted): void {
  for (const [name, error_class] of operation.refused_headers) {
    if (req.headers[name] !== undefined) throw new InvalidInput(`header ${name} is not allowed here`, error_class);
  }
}

function pathOf({ originalUrl }: Request): string {
  return originalUrl.split('?', 1)[0] ?? '';
}

function isDocument(id: OperationId): id is DocumentOperationId {
  return id === 'getOpenapiJson' || id === 'getOpenapiYaml' || id === 'getDocs';
}
