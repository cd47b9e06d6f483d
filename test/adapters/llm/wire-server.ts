import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RecordedRequest } from './providers.ts';

export type Reply = (response: ServerResponse, request: RecordedRequest) => void;

export interface WireServer {
  url: string;
  /** All requests as received. */
  requests: RecordedRequest[];
  /** Sets the next responses. */
  reply(with_: Reply): void;
  close(): Promise<void>;
}

/** A local provider with scripted responses. */
export async function startWireServer(): Promise<WireServer> {
  let reply: Reply = json(500, {});
  const requests: RecordedRequest[] = [];
  const server: Server = createServer(async (request, response) => {
    const one = await read(request);
    requests.push(one);
    reply(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply(with_) {
      requests.length = 0;
      reply = with_;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = '', url = '', headers } = request;
  return { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** A completed OpenAI chat: a text, or an object as JSON. */
export function completeWith(content: unknown): Reply {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return json(200, {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5.4-mini',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text, refusal: null } }],
    usage: { prompt_tokens: 120, completion_tokens: 34, total_tokens: 154 },
  });
}
