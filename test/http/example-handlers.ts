import { Readable } from 'node:stream';
import { ByteStream } from '../../server/contract/byte-stream.ts';
import type { DomainOperationId, Handlers, Once } from '../../server/contract/operation.ts';
import type { Db } from '../../server/db/index.ts';
import type { OpenapiDocument, OperationObject, Response } from '../../server/http/contract/openapi-types.ts';
import type { AnyReply } from '../../server/http/reply/reply.ts';

/** Runs a unit of work. */
export type Transact = (work: (trx: Db) => Promise<void>) => Promise<void>;

/** For handlers without a database. */
export const inNoDatabase: Transact = (work) => work({ isTransaction: true } as Db);

/** A handler for every operation, which returns the example of the contract. */
export function exampleHandlers(api: OpenapiDocument, transact: Transact): Handlers {
  const objects = Object.values(api.paths).flatMap(({ parameters: _shared, ...methods }) => Object.values(methods));
  const handlers = objects.map((object) => [object.operationId, createHandler(object, transact)]);
  return Object.fromEntries(handlers) as Record<DomainOperationId, unknown> as Handlers;
}

function createHandler(object: OperationObject, transact: Transact) {
  return async (request: { query: Query; once?: Once<'createOrg'> }) => {
    const reply = buildReply(object, request.query);
    if (request.once === undefined) return reply;
    return request.once(
      () => reply as never,
      (keep) => transact((trx) => keep(trx, undefined)),
    );
  };
}

interface Query {
  limit?: number;
  offset?: number;
}

function buildReply(object: OperationObject, query: Query): AnyReply {
  const [status, response] = Object.entries(object.responses).find(([code]) => /^(2|30[23])/.test(code)) as [
    string,
    Response,
  ];
  const headers = Object.entries(response.headers ?? {}).flatMap(([name, header]) =>
    'example' in header ? [[name, header.example as string]] : [],
  );
  const file = response.content?.['application/zip']?.example;
  if (file !== undefined) return buildFile(Buffer.from(String(file)), Object.fromEntries(headers));
  const body = response.content?.['application/json']?.example;
  const page = Array.isArray(body) && { page: { total: 120, limit: query.limit ?? 0, offset: query.offset ?? 0 } };
  return { status: Number(status), headers: Object.fromEntries(headers), body, ...page };
}

function buildFile(bytes: Buffer, headers: Record<string, string>): AnyReply {
  const body = new ByteStream({
    stream: Readable.from([bytes]),
    content_type: 'application/zip',
    onSent: async () => {},
  });
  return { status: 200, headers: { ...headers, 'Content-Length': bytes.length }, body };
}
