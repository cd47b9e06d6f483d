import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import type { GithubAppSettings } from '../../server/lib/github-app.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

interface Installation {
  id: number;
  account: { login: string; type: 'User' | 'Organization'; avatar_url: string };
  repository_selection: 'all' | 'selected';
  permissions: Record<string, string>;
  suspended_at: string | null;
  html_url: string;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/**
 * The part of GitHub to which people log in and where they install an App: codes work once, users see their own
 * installations, tokens of installations are given to the App alone.
 *
 * @see GitHub's documentation, "Generating a user access token" and "REST API endpoints for GitHub Apps"
 */
export async function startGithubAppServer() {
  const installations = new Map<number, Installation>();
  const seen_by = new Map<string, Set<number>>();
  const repositories = new Map<number, string[]>();
  const codes = new Map<string, string>();
  const user_tokens = new Map<string, string>();
  const installation_tokens = new Map<string, number>();
  const requests: string[] = [];
  /** Answers given in place of the right ones, first in first out; null = none at all. */
  const troubles: (Answer | null)[] = [];
  let last_id = 1_000;

  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const trouble = troubles.shift();
    if (trouble === null) return void request.socket.destroy();
    send(response, trouble ?? (await answer(request)));
  });
  await new Promise<void>((resolve) => server.unref().listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings: GithubAppSettings = {
    app_id: 42,
    slug: 'acme-plans',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    client_id: 'Iv1.example',
    client_secret: 'client-secret',
    webhook_secret: 'webhook-secret-of-the-app',
    web_url: url,
    api_url: `${url}/api/v3`,
  };

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (pathname === '/login/oauth/access_token') return exchange(JSON.parse(await textOf(request)));
    const minted = /^\/api\/v3\/app\/installations\/(\d+)\/access_tokens$/.exec(pathname);
    if (minted !== null) return mint(token, Number(minted[1]));
    const login = user_tokens.get(token);
    const installation = installation_tokens.get(token);
    if (pathname === '/api/v3/installation/repositories' && installation !== undefined) {
      const all = (repositories.get(installation) ?? []).map(repository);
      return paged('repositories', all, searchParams);
    }
    if (login === undefined) return { status: 401, body: { message: 'Bad credentials' } };
    if (pathname === '/api/v3/user') return { status: 200, body: { login, id: 7 } };
    const visible = [...installations.values()].filter(({ id }) => seen_by.get(login)?.has(id));
    return paged('installations', visible, searchParams);
  }

  /** What does not hold is told with status 200. */
  function exchange({ client_id, client_secret, code }: Record<string, string>): Answer {
    const login = codes.get(code ?? '');
    const is_app = client_id === settings.client_id && client_secret === settings.client_secret;
    if (!is_app || login === undefined) return { status: 200, body: { error: 'bad_verification_code' } };
    codes.delete(code ?? '');
    const access_token = `ghu_${randomBytes(18).toString('hex')}`;
    user_tokens.set(access_token, login);
    return { status: 200, body: { access_token, token_type: 'bearer', scope: '' } };
  }

  async function mint(jwt: string, id: number): Promise<Answer> {
    const verified = await jwtVerify(jwt, publicKey, { issuer: '42', maxTokenAge: 600 }).catch(() => undefined);
    if (verified === undefined) return { status: 401, body: { message: 'A JSON web token could not be decoded' } };
    if (!installations.has(id)) return { status: 404, body: { message: 'Not Found' } };
    const token = `ghs_${randomBytes(18).toString('hex')}`;
    installation_tokens.set(token, id);
    return { status: 201, body: { token, expires_at: new Date(Date.now() + 3_600_000).toISOString() } };
  }

  return {
    url,
    settings,
    /** The same as a deployment is told them. */
    environment: {
      GITHUB_APP_ID: '42',
      GITHUB_APP_SLUG: settings.slug,
      GITHUB_APP_PRIVATE_KEY: settings.private_key,
      GITHUB_APP_CLIENT_ID: settings.client_id,
      GITHUB_APP_CLIENT_SECRET: settings.client_secret,
      GITHUB_APP_WEBHOOK_SECRET: settings.webhook_secret,
      GITHUB_URL: url,
    },
    requests,
    troubles,
    /** Installs the App, visible to these users. */
    install(login: string, { visible_to = [login], repos = [] as string[] } = {}): Installation {
      last_id += 1;
      const account = { login, type: 'Organization' as const, avatar_url: `https://avatars.example/${login}` };
      const html_url = `${url}/organizations/${login}/settings/installations/${last_id}`;
      const permissions = { checks: 'write', contents: 'read' };
      const rest = { repository_selection: 'selected' as const, permissions, suspended_at: null, html_url };
      const installation = { id: last_id, account, ...rest };
      installations.set(last_id, installation);
      repositories.set(last_id, repos);
      for (const user of visible_to) seen_by.set(user, (seen_by.get(user) ?? new Set()).add(last_id));
      return installation;
    },
    uninstall: (id: number) => void installations.delete(id),
    /** The code with which this user is sent back. */
    code(login: string): string {
      const code = randomBytes(10).toString('hex');
      codes.set(code, login);
      return code;
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

export type GithubAppServer = Awaited<ReturnType<typeof startGithubAppServer>>;

function repository(full_name: string, index: number) {
  return { id: index + 1, full_name, private: true, default_branch: 'main', owner: { login: 'x' } };
}

function paged(name: string, all: unknown[], query: URLSearchParams): Answer {
  const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)];
  const items = all.slice((page - 1) * size, page * size);
  return { status: 200, body: { total_count: all.length, [name]: items } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}
