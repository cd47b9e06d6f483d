import { createServer as createHttpServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCode } from '../lib/error-code.ts';
import { ServiceError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { errorAnswer } from './reply/errors.ts';
import { deferContinue } from './request/read-body.ts';

/** Enough for a token of 16 KiB and ordinary headers. */
const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
/** A body of 5 MiB over a slow connection; a slower sender is disconnected. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than load balancers keep an idle connection, so that they close it first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How long a rejected sender can continue to send: a reset would lose the response. */
const LINGER_MS = 2_000;

/** A server with timeouts for everything, which answers invalid HTTP in the form of every other error. */
export function createServer(app: RequestListener): Server {
  /** Pending responses of a connection, in the order of their requests. */
  const owed = new WeakMap<Socket, ServerResponse[]>();
  const handle: RequestListener = (req, res) => {
    const open = (owed.get(req.socket) ?? []).filter((one) => !one.writableFinished);
    owed.set(req.socket, [...open, res]);
    app(req, res);
  };
  const server = createHttpServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    handle,
  );
  server.on('checkContinue', (req, res) => {
    deferContinue(req);
    handle(req, res);
  });
  server.on('clientError', (error, socket) => refuseInTurn(error, socket as Socket, owed.get(socket as Socket) ?? []));
  return server;
}

/**
 * Rejects the last input on a connection after the previous requests are answered, because responses are matched by
 * order.
 */
function refuseInTurn(error: Error, socket: Socket, owed: readonly ServerResponse[]): void {
  // Each further chunk causes another error.
  if (socket.writableEnded) return;
  const open = owed.filter((one) => !one.writableFinished);
  const [begun] = open.slice(-1).filter(({ req }) => !req.complete);
  if (begun?.headersSent) {
    socket.destroy();
    return;
  }
  const before = open.filter((one) => one !== begun).at(-1);
  if (before === undefined) refuse(error, socket);
  else before.once('close', () => refuse(error, socket));
}

function refuse(error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const request_id = newId();
  const { status, headers, body } = errorAnswer(transportError(error), request_id);
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': request_id,
    'Content-Length': String(Buffer.byteLength(body ?? '')),
    Connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} Refused\r\n${head}\r\n${body ?? ''}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

function transportError(error: Error): ServiceError {
  const code = errorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW') return new ServiceError(431, 'invalid_request', 'the headers are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError(408, 'invalid_request', 'the request arrived too slowly');
  return new ServiceError(400, 'invalid_request', 'this is not a valid HTTP request');
}
