import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A language model on loopback that speaks the chat completions API of OpenAI. */
export interface ModelServer {
  url: string;
  /** Number of calls by the name of their response. */
  calls: Map<string, number>;
  close(): Promise<void>;
}

export type Respond = (response: ServerResponse) => void;

/** @param choose returns the response of the next call, and a name to count it under */
export async function startModelServer(choose: () => [name: string, respond: Respond]): Promise<ModelServer> {
  const calls = new Map<string, number>();
  const server = createServer((request, response) => {
    request.on('error', () => {}); // the caller was killed
    request.resume().on('end', () => {
      const [name, respond] = choose();
      calls.set(name, (calls.get(name) ?? 0) + 1);
      respond(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Settings that make this model the platform model of the service. */
export function buildModelSettings({ url }: ModelServer): Record<string, string> {
  return { LLM_PLATFORM_PROVIDER: 'openai', LLM_PLATFORM_API_KEY: 'sk-bench', LLM_ENDPOINT_OPENAI: url };
}

/** A response that fits the schema and is valid for any plan. */
const USABLE = JSON.stringify({
  what_will_happen: 'Settings of several resources are changed.',
  why_it_matters: '',
  what_to_check: [],
  notes: [],
  proposals: [],
  overall: null,
});

/** Responds with a chat completion. By default, its text is a usable answer. */
export function respondText({
  content = USABLE,
  refusal = null,
}: {
  content?: string;
  refusal?: string | null;
} = {}): Respond {
  const message = { role: 'assistant', content: refusal === null ? content : null, refusal };
  return respondWith(200, {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: 120, completion_tokens: 34, total_tokens: 154 },
  });
}

/** Responds with this status and JSON body. */
export function respondWith(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  const text = JSON.stringify(body);
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };
}

/** Closes the connection without a response. */
export function dropConnection(response: ServerResponse): void {
  response.socket?.destroy();
}

/** Responds after `ms` milliseconds. */
export function respondLater(ms: number, respond: Respond): Respond {
  return (response) => {
    const timer = setTimeout(() => respond(response), ms);
    response.once('close', () => clearTimeout(timer));
  };
}
