import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ScriptedResponse {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a text is sent unchanged. */
  body?: unknown;
}

/** The reaction to one request: respond, close the connection, or never respond. */
export type Step = ScriptedResponse | 'hang up' | 'silence';

export interface ScriptedServer {
  url: string;
  received: ReceivedRequest[];
  /** The next reactions; the last one repeats. */
  play(...steps: Step[]): void;
  close(): void;
}

/** A server on loopback that follows a script and records its requests. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  let script: Step[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const raw = Buffer.concat(chunks);
      const body = (req.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString();
      received.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      const step = script.length > 1 ? script.shift() : script[0];
      if (step === 'hang up') req.socket.destroy();
      else if (step !== undefined && step !== 'silence') answer(res, step);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    play(...steps) {
      received.length = 0;
      script = steps;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(res: ServerResponse, { status = 200, headers = {}, body }: ScriptedResponse): void {
  const is_text = typeof body === 'string';
  const type: Record<string, string> = body === undefined || is_text ? {} : { 'content-type': 'application/json' };
  res.writeHead(status, { ...type, ...headers });
  res.end(is_text ? body : body === undefined ? undefined : JSON.stringify(body));
}

/** An error response in the format of the service. */
export function failure(status: number, error_class: string, headers: Record<string, string> = {}): ScriptedResponse {
  const body = { error: `It is ${error_class}.`, error_class, request_id: 'req-0001' };
  return { status, headers: { 'x-request-id': 'req-0001', ...headers }, body };
}
