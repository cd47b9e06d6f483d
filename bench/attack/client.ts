import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';

const TIMEOUT_MS = 60_000;

export interface RawRequest {
  method: string;
  /** Including the query, as sent. */
  path: string;
  /** An array sends the header several times. */
  headers: Record<string, string | string[]>;
  body?: Buffer | undefined;
  /** How the body is delimited: by its length by default. `both` is invalid HTTP. */
  framing?: 'length' | 'chunked' | 'both' | undefined;
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  ms: number;
}

/** A client that sends requests over at most `sockets` keep-alive connections. */
export function createClient(url: string, sockets: number) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  const known = new WeakSet<Socket>();

  /**
   * @throws Error if no complete response arrives within a minute. A kept-alive connection that the server closed is
   * retried once.
   */
  async function send(message: RawRequest): Promise<RawResponse> {
    try {
      return await sendOnce(message);
    } catch (error) {
      if (!(error instanceof StaleSocket)) throw error;
      return sendOnce(message);
    }
  }

  function sendOnce({ method, path, headers: own, body, framing = 'length' }: RawRequest): Promise<RawResponse> {
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const length = body === undefined || framing === 'chunked' ? {} : { 'content-length': String(body.length) };
      const chunked = framing === 'length' ? {} : { 'transfer-encoding': 'chunked' };
      const headers = { ...length, ...chunked, ...own };
      const options = { hostname, port, agent, method, path, headers, timeout: TIMEOUT_MS };
      const req = request(options, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text, ms: performance.now() - begun });
        });
      });
      req.on('socket', (socket) => {
        // A server may respond before it has read the body, and reset the connection while the rest is sent.
        if (!known.has(socket)) socket.on('error', () => undefined);
        known.add(socket);
      });
      req.on('timeout', () => req.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
      req.on('error', (error) => reject(req.reusedSocket && isReset(error) ? new StaleSocket(error) : error));
      req.end(body);
    });
  }

  return { send, close: () => agent.destroy() };
}

export type Client = ReturnType<typeof createClient>;

class StaleSocket extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

/** A JSON call with the given headers. @throws Error unless it succeeds */
export async function call(
  client: Client,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the shape of the response
): Promise<any> {
  const typed = body === undefined ? {} : { 'content-type': 'application/json' };
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const { status, text } = await client.send({ method, path, headers: { ...headers, ...typed }, body: bytes });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
  return text === '' ? undefined : JSON.parse(text);
}
