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

const CHANNEL_PAGE = 2;

/** Slack's OAuth and the Web API methods that the service calls, over HTTP; tokens work until they are revoked. */
export async function startSlackServer() {
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
        return { ok: true, channel: form['channel'], ts: `${calls.length}.0` };
      default:
        return { ok: true };
    }
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
