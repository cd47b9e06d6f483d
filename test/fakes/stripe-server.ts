/**
 * A small Stripe: customers, checkout and portal sessions, subscriptions and their items, with paging, idempotency keys,
 * errors and signed events. It delivers nothing by itself; a test sends the events that it collects, in any order. All that
 * it sends is checked against Stripe's contract.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStripeRoutes, type Form, type Reply } from './stripe-server/routes.ts';
import { createStripeState, PRICES } from './stripe-server/state.ts';

export { PRICES };
export const WEBHOOK_SECRET = 'whsec_test';

/** @param now decides when checkout pages expire */
export async function startStripeServer(now: () => Date = () => new Date()) {
  const state = createStripeState(now);
  const kept = new Map<string, { body: string; reply: Reply }>();
  const requests: { method: string; path: string; form: Form; key: string | undefined; version: unknown }[] = [];
  const settings = {
    fail_next: 0,
    /** Requests whose path, query or body contains one of these are rejected. */
    failing: new Set<string>(),
    page_size: 100,
    beforeReply: async (_path: string): Promise<void> => {},
  };

  const answerRoute = createStripeRoutes(state, settings);

  async function answer(req: IncomingMessage): Promise<Reply> {
    let body = '';
    for await (const chunk of req) body += chunk;
    const url = new URL(req.url ?? '/', 'http://stripe');
    const form = Object.fromEntries(new URLSearchParams(body));
    const key = req.headers['idempotency-key'] as string | undefined;
    const method = req.method ?? '';
    requests.push({ method, path: url.pathname, form, key, version: req.headers['stripe-version'] });
    if ([...settings.failing].some((part) => `${req.url} ${body}`.includes(part))) {
      return [400, { error: { type: 'invalid_request_error', message: 'rejected' } }];
    }
    if (settings.fail_next > 0) {
      settings.fail_next -= 1;
      return [500, { error: { type: 'api_error', message: 'broken' } }];
    }
    const before = key === undefined ? undefined : kept.get(key);
    if (before !== undefined && before.body !== body) {
      return [400, { error: { type: 'idempotency_error', message: 'the key was used with other parameters' } }];
    }
    const reply = before?.reply ?? answerRoute(method, url, form);
    if (key !== undefined) kept.set(key, { body, reply });
    // What was read can be outdated when it arrives.
    const text = structuredClone(reply);
    await settings.beforeReply(url.pathname);
    return text;
  }

  const server = createServer((req, res) => {
    const send = ([status, body]: Reply) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    answer(req).then(send, (error) =>
      send([400, { error: { type: 'invalid_request_error', message: String(error) } }]),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    ...state,
    url,
    requests,
    settings,
    /** The environment of a service that uses this server. */
    env: {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: url,
      STRIPE_PRICE_TEAM: PRICES.team,
      STRIPE_PRICE_ENTERPRISE: PRICES.enterprise,
      STRIPE_PRICE_SEAT: PRICES.seat,
      APP_URL: 'https://app.example.com',
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>;

/** The header of a delivery, as Stripe signs it. */
export function signEvent(body: string, at: Date = new Date(), secret: string = WEBHOOK_SECRET): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
