import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedMessage {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A customer's server: records requests and sends scripted responses. */
export async function startReceivingServer() {
  const received: ReceivedMessage[] = [];
  const next: { status: number; headers: Record<string, string>; after: Promise<void> | null } = {
    status: 204,
    headers: {},
    after: null,
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    const { status, headers, after } = next;
    await after;
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, headers).end();
  });
  server.listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => server.once('listening', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/hook`,
    received,
    /** The status of its next responses, after a promise; 0 = it closes the connection. */
    answer(status: number, headers: Record<string, string> = {}, after: Promise<void> | null = null) {
      Object.assign(next, { status, headers, after });
    },
  };
}
