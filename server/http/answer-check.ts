import type { NextFunction, Request, Response } from 'express';
import { assertBodyShape, bodyShape } from './body-shape.ts';
import type { ContractDocument } from './document.ts';
import type { Answer, Exchange } from './exchange.ts';
import type { Response as DeclaredResponse, OperationObject } from './openapi-types.ts';
import type { Operation } from './operations.ts';

/** A stage of express-openapi-validator. */
export type Middleware = (req: Request, res: Response, next: NextFunction) => unknown;

/**
 * Holds an answer against the contract, for tests: its status and required headers are declared, its body keeps to the
 * schema, and shows nothing that the schema does not name (a column that leaked).
 *
 * @throws Error
 */
export async function checkAnswer(
  document: ContractDocument,
  responseStage: Middleware,
  { req, res, operation }: Exchange,
  answer: Answer,
): Promise<void> {
  const declared = declaredResponse(document, operation, answer.status);
  for (const [name, header] of Object.entries(declared.headers ?? {})) {
    const required = '$ref' in header ? document.api.components.headers[name]?.required : header.required;
    const sent = Object.keys(answer.headers).some((key) => key.toLowerCase() === name.toLowerCase());
    if (required === true && !sent && !res.hasHeader(name)) {
      throw new Error(`${operation.id} ${answer.status}: header ${name} is missing`);
    }
  }
  const json = declared.content?.['application/json'];
  if (json === undefined) return;
  const body: unknown = JSON.parse(answer.body ?? 'null');
  await checkSchema(responseStage, req, answer, body);
  assertBodyShape(bodyShape(document.api, json.schema), body);
}

function declaredResponse({ api }: ContractDocument, operation: Operation, status: number): DeclaredResponse {
  const method = operation.method.toLowerCase() as 'get';
  const object = api.paths[operation.template]?.[method] as OperationObject;
  const entry = object.responses[String(status)];
  if (entry === undefined) throw new Error(`openapi.yaml: ${operation.id} does not declare ${status}`);
  return '$ref' in entry ? api.components.responses[entry.$ref.replace('#/components/responses/', '')]! : entry;
}

/** The validator's stage wraps `res.json`; here that of a stand-in, whose only task is to be told the body. */
async function checkSchema(responseStage: Middleware, req: Request, { status, headers }: Answer, body: unknown) {
  let failure: unknown;
  const standIn = {
    statusCode: status,
    headersSent: false,
    getHeaders: () => ({ 'content-type': headers['Content-Type'] }),
    json: (_value: unknown) => undefined,
  };
  await new Promise<void>((resolve) => {
    const next = (error?: unknown) => {
      failure ??= error;
      resolve();
    };
    void responseStage(req, standIn as unknown as Response, next);
  });
  standIn.json(body);
  if (failure !== undefined) throw failure;
}
