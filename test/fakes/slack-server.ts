import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A person of the fake workspaces. */
interface Person {
  email?: string;
  team_id: string;
  is_bot?: boolean;
  is_email_confirmed?: boolean;
}

interface Approval {
  team: { id: string; name: string } | null;
  enterprise: { id: string } | null;
  is_enterprise_install: boolean;
  /** Seconds; undefined = tokens do not expire. */
  expires_in: number | undefined;
}

type Answer = Record<string, unknown>;

interface StoredMessage {
  channel: string;
  ts: string;
  thread_ts: string | undefined;
  texts: string[];
  metadata: object | undefined;
}

const CHANNEL_PAGE = 2;
const HISTORY_PAGE = 2;

/** Slack's OAuth and the Web API methods that the service calls, over HTTP; tokens work until they are revoked. */
export async function startSlackServer({ now = () => new Date() }: { now?: () => Date } = {}) {
  const messages: StoredMessage[] = [];
  /** What tokens may read. */
  const scopes = new Set(['channels:history']);
  const codes = new Map<string, Approval>();
  const tokens = new Set<string>();
  const people = new Map<string, Person>();
  const calls: { method: string; token: string; form: Record<string, string> }[] = [];
  const answers: { text: string; blocks: object[]; response_type: string }[] = [];
  const methodFailures = new Map<string, { status?: number; retry_after?: number; error?: string }>();
  const failures: { status?: number; retry_after?: number; error?: string }[] = [];
  const channels = ['general', 'infrastructure', 'random'].map((name, place) => ({
    ...{ id: `C000000${place}`, name, is_private: false, is_member: false },
  }));

  function grant({ team, enterprise, is_enterprise_install, expires_in }: Approval): Answer {
    const access_token = `xoxb-${randomUUID()}`;
    tokens.add(access_token);
    const rotation = expires_in === undefined ? {} : { expires_in, refresh_token: `xoxe-${randomUUID()}` };
    const scope = 'chat:write,commands';
    return { ok: true, access_token, scope, bot_user_id: 'UBOT', team, enterprise, is_enterprise_install, ...rotation };
  }

  function exchange(form: Record<string, string>): Answer {
    if (form['client_secret'] !== APP.client_secret) return { ok: false, error: 'bad_client_secret' };
    if (form['grant_type'] === 'refresh_token') {
      return grant({ team: null, enterprise: null, is_enterprise_install: false, expires_in: 43_200 });
    }
    const approval = codes.get(form['code'] ?? '');
    codes.delete(form['code'] ?? '');
    return approval === undefined ? { ok: false, error: 'invalid_code' } : grant(approval);
  }

  function answer(method: string, token: string, form: Record<string, string>): Answer {
    if (method === 'oauth.v2.access') return exchange(form);
    if (!tokens.has(token)) return { ok: false, error: 'token_revoked' };
    switch (method) {
      case 'auth.revoke':
        tokens.delete(token);
        return { ok: true, revoked: true };
      case 'users.info': {
        const person = people.get(form['user'] ?? '');
        if (person === undefined) return { ok: false, error: 'user_not_found' };
        const { email, ...rest } = person;
        return { ok: true, user: { ...rest, profile: { email } } };
      }
      case 'conversations.list': {
        const from = Number(form['cursor'] ?? 0);
        const next = from + CHANNEL_PAGE < channels.length ? String(from + CHANNEL_PAGE) : '';
        const page = channels.slice(from, from + CHANNEL_PAGE);
        return { ok: true, channels: page, response_metadata: { next_cursor: next } };
      }
      case 'chat.postMessage':
        return postMessage(form);
      case 'chat.update':
        return updateMessage(form);
      case 'conversations.history':
        return readMessages(form, ({ thread_ts }) => thread_ts === undefined);
      case 'conversations.replies':
        return readMessages(form, ({ ts, thread_ts }) => [ts, thread_ts].includes(form['ts']));
      default:
        return { ok: true };
    }
  }

  /** Like Slack, it posts a repeated message again. */
  function postMessage(form: Record<string, string>): Answer {
    const { channel = '', text = '', thread_ts, metadata } = form;
    const ts = `${(now().getTime() / 1_000).toFixed(3)}${String(messages.length).padStart(3, '0')}`;
    messages.push({ channel, ts, thread_ts, texts: [text], metadata: metadata && JSON.parse(metadata) });
    return { ok: true, channel, ts };
  }

  function updateMessage({ channel, ts, text = '' }: Record<string, string>): Answer {
    const found = messages.find((one) => one.channel === channel && one.ts === ts);
    if (found === undefined) return { ok: false, error: 'message_not_found' };
    found.texts.push(text);
    return { ok: true, channel, ts };
  }

  /** Newest first. */
  function readMessages(form: Record<string, string>, isListed: (message: StoredMessage) => boolean): Answer {
    if (!scopes.has('channels:history')) return { ok: false, error: 'missing_scope' };
    const [oldest, latest, from] = [form['oldest'] ?? 0, form['latest'] ?? Infinity, form['cursor'] ?? 0].map(Number);
    const listed = messages
      .filter((one) => one.channel === form['channel'] && isListed(one))
      .filter(({ ts }) => Number(ts) >= (oldest as number) && Number(ts) <= (latest as number))
      .reverse();
    const page = listed.slice(from, (from as number) + HISTORY_PAGE).map(({ texts, metadata, ...rest }) => ({
      ...{ ...rest, text: texts.at(-1) },
      ...(form['include_all_metadata'] === 'true' && { metadata }),
    }));
    const next = (from as number) + HISTORY_PAGE < listed.length ? String((from as number) + HISTORY_PAGE) : '';
    return { ok: true, messages: page, response_metadata: { next_cursor: next } };
  }

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const path = request.url ?? '';
    if (path.startsWith('/respond')) {
      answers.push(JSON.parse(body));
      response.end('ok');
      return;
    }
    const method = path.replace('/api/', '');
    const form = Object.fromEntries(new URLSearchParams(body));
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    calls.push({ method, token, form });
    const named = methodFailures.get(method);
    methodFailures.delete(method);
    const failure = named ?? failures.shift();
    if (failure?.retry_after !== undefined) response.setHeader('retry-after', String(failure.retry_after));
    response.statusCode = failure?.status ?? 200;
    response.setHeader('content-type', 'application/json');
    const error = failure && { ok: false, error: failure.error ?? 'ratelimited' };
    response.end(JSON.stringify(error ?? answer(method, token, form)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A test that does not stop it can still end.
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    api_url: `${url}/api/`,
    /** Where people get answers. */
    response_url: `${url}/respond`,
    /** Settings of a deployment that uses this server. */
    environment: {
      SLACK_CLIENT_ID: APP.client_id,
      SLACK_CLIENT_SECRET: APP.client_secret,
      SLACK_SIGNING_SECRET: APP.signing_secret,
      SLACK_API_URL: `${url}/api`,
    },
    people,
    channels,
    messages,
    scopes,
    calls,
    answers,
    tokens,
    /** The code of a person who approved the app. */
    approve(team_id: string, more: Partial<Omit<Approval, 'team'>> & { team?: null } = {}): string {
      const code = randomUUID();
      const team = { id: team_id, name: `Team ${team_id}` };
      codes.set(code, { team, enterprise: null, is_enterprise_install: false, expires_in: undefined, ...more });
      return code;
    },
    /** The next calls fail in this way. */
    failNext: (...next: typeof failures) => void failures.push(...next),
    /** The next call of a method fails with an error of Slack. */
    failMethod: (method: string, error: string) => void methodFailures.set(method, { error }),
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

export const APP = {
  client_id: '1234567890.1234567890',
  client_secret: 'a-client-secret-of-slack',
  signing_secret: 'a-signing-secret-of-slack',
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export type SlackServer = Awaited<ReturnType<typeof startSlackServer>>;
