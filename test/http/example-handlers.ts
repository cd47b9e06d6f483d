import type { DomainOperationId, Handlers } from '../../server/contract/operation.ts';
import type { OpenapiDocument, OperationObject, Response } from '../../server/http/openapi-types.ts';
import type { AnyReply } from '../../server/http/reply.ts';

/** A handler for every operation, which answers the example of the contract. */
export function exampleHandlers(api: OpenapiDocument): Handlers {
  const objects = Object.values(api.paths).flatMap(({ parameters: _shared, ...methods }) => Object.values(methods));
  const handlers = objects.map((object) => [object.operationId, async (request: unknown) => replyOf(object, request)]);
  return Object.fromEntries(handlers) as Record<DomainOperationId, unknown> as Handlers;
}

function replyOf(object: OperationObject, request: unknown): AnyReply {
  const { query } = request as { query: { limit?: number; offset?: number } };
  const [status, response] = Object.entries(object.responses).find(([code]) => /^(2|30[23])/.test(code)) as [
    string,
    Response,
  ];
  const headers = Object.entries(response.headers ?? {}).flatMap(([name, header]) =>
    'example' in header ? [[name, header.example as string]] : [],
  );
  const body = response.content?.['application/json']?.example;
  const page = Array.isArray(body) && { page: { total: 120, limit: query.limit ?? 0, offset: query.offset ?? 0 } };
  return { status: Number(status), headers: Object.fromEntries(headers), body, ...page };
}
