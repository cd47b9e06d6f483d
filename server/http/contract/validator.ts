import type { NextFunction, Request, Response } from 'express';
import * as openapiValidator from 'express-openapi-validator';
import { type ErrorDetail, InvalidInput } from '../../lib/errors.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ContractDocument } from './document.ts';
import type { OpenapiDocument, Schema } from './openapi-types.ts';
import { BASE_PATH, type Operation } from './operations.ts';
import { relaxCheckedTypes, requestSide, splitContract } from './request-side.ts';
import { schemasAt } from './schema-at.ts';
import { describeKeyword } from './schema-messages.ts';

/** A middleware of express-openapi-validator. */
type Middleware = (req: Request, res: Response, next: NextFunction) => unknown;

/** The result of the validator's own router. */
type Matched = Record<string, unknown>;

type Stage = (name: 'pathParamsMiddleware' | 'metadataMiddleware' | 'requestMiddleware') => Middleware;

interface CompiledOperation {
  matched: Matched;
  stage: Stage;
}

/** Small enough to avoid repeated walks of large parts, large enough to amortize the cost of each part. */
const PATHS_AT_ONCE = 16;

export interface Validator {
  /** Validates `req.query`, the declared headers and `req.body`; converts the query and fills in its defaults. */
  checkRequest(exchange: Exchange): Promise<void>;
}

/**
 * Runs express-openapi-validator behind the service's own routing: authentication and access need the operation before
 * the body is read, and its router would compile every path again for each request. Its lookup therefore runs once per
 * operation here, which also compiles the schemas before the first request.
 */
export async function createValidator(document: ContractDocument, operations: Operation[]): Promise<Validator> {
  const api = relaxCheckedTypes(requestSide(document.api));
  const compiled = new Map<string, CompiledOperation>();
  for (const part of splitContract(api, PATHS_AT_ONCE)) {
    const stages = createStages(part);
    for (const operation of operations.filter(({ template }) => Object.hasOwn(part.paths, template))) {
      compiled.set(operation.id, await compileOperation(operation, stages));
    }
  }
  const getCompiled = ({ id }: Operation): CompiledOperation =>
    compiled.get(id) ?? fail(`openapi.yaml has no operation ${id}`);

  function prepare({ req, operation, params }: Exchange): void {
    // A validator is compiled and cached for each content type; the transport check normalizes them to one.
    if (operation.body_shape === undefined) delete req.headers['content-type'];
    else req.headers['content-type'] = 'application/json';
    Object.assign(req, { openapi: { ...getCompiled(operation).matched, pathParams: params } });
  }

  return {
    async checkRequest(exchange) {
      if (!exchange.operation.has_input) return;
      prepare(exchange);
      try {
        await run(getCompiled(exchange.operation).stage('requestMiddleware'), exchange.req, exchange.res);
      } catch (error) {
        throw toInvalidInput(error, (path) =>
          schemasAt(document.api, exchange.operation.input, path, exchange.req.body),
        );
      }
    },
  };
}

function createStages(part: OpenapiDocument): Stage {
  const stages = openapiValidator.middleware({
    apiSpec: part as never,
    validateApiSpec: false, // `npm run check:contract` rejects an invalid contract
    validateRequests: { allowUnknownQueryParameters: true, allErrors: true, removeAdditional: false },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as unknown as Middleware[];
  return (name) =>
    stages.find((middleware) => middleware.name === name) ?? fail(`express-openapi-validator has no stage ${name}`);
}

/** Runs the validator's lookup once to compile its schemas, so that no request waits for it. */
async function compileOperation(operation: Operation, stage: Stage): Promise<CompiledOperation> {
  const probe = probeFor(operation);
  await run(stage('pathParamsMiddleware'), probe);
  await run(stage('metadataMiddleware'), probe);
  const matched = { ...(probe as unknown as { openapi: Matched }).openapi };
  // The empty request may be rejected; its purpose is the compilation.
  if (operation.has_input) await run(stage('requestMiddleware'), probe).catch(() => undefined);
  return { matched, stage };
}

function fail(message: string): never {
  throw new Error(message);
}

function probeFor({ method, template, body_shape }: Operation): Request {
  const path = `${BASE_PATH}${template.replaceAll(/\{[^{}]+\}/g, 'x')}`;
  const app = { enabled: () => true, param: () => undefined };
  const headers = body_shape === undefined ? {} : { 'content-type': 'application/json' };
  return { method, path, originalUrl: path, baseUrl: '', headers, query: {}, params: {}, app } as unknown as Request;
}

function run(middleware: Middleware, req: Request, res: Response = {} as Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined || error === null ? resolve() : reject(error));
    Promise.resolve(middleware(req, res, next)).catch(reject);
  });
}

interface Fault {
  path: string;
  errorCode?: string;
}

interface ValidatorError {
  errors: Fault[];
}

function toInvalidInput(error: unknown, findSchemas: (path: string) => Schema[]): unknown {
  if (!(error instanceof openapiValidator.error.BadRequest)) return error;
  const details = (error as ValidatorError).errors.slice(0, 20).map((one) => toDetail(one, findSchemas));
  const [first] = details;
  if (first === undefined) return new InvalidInput('invalid request');
  const [, place = 'body', ...rest] = first.path.split('/');
  const name = rest.length === 0 ? '' : `${rest.join('/')} `;
  return new InvalidInput(`invalid request ${place}: ${name}${first.message}`, 'invalid_request', { details });
}

/** If a member selects one of several forms, the validator omits the location. */
const PLACED = /^\/(body|query|headers|params|path)(\/|$)/;

function toDetail({ path: found, errorCode }: Fault, findSchemas: (path: string) => Schema[]): ErrorDetail {
  const path = PLACED.test(found) ? found : `/body${found}`;
  const code = (errorCode ?? 'invalid').replace('.openapi.validation', '');
  return { path, message: describeKeyword(code, findSchemas(path)), code };
}
