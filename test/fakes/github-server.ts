import { generateKeyPairSync } from 'node:crypto';
import { type Delivery, deliver, type GithubActivity } from './github-server/deliveries.ts';
import { close, createApiServer, createStorageServer, listen, type StorageRequest } from './github-server/listen.ts';
import {
  createAccessMethods,
  createContentMethods,
  createDiscussionMethods,
  createFaultMethods,
} from './github-server/setup.ts';
import type { GithubAppState, GithubState } from './github-server/state.ts';

export { examples } from './github-server/deliveries.ts';

const HOUR_MS = 3_600_000;
export type GithubServer = Awaited<ReturnType<typeof startGithubServer>>;

/**
 * A fake GitHub on loopback. It keeps repositories, pull requests, runs, artifacts, comments, checks and statuses like
 * the REST API, with its permissions, paging, limits, errors and redirects. The methods and the requests change its
 * state; `requests` lists every request.
 *
 * @param options.now milliseconds since the epoch
 */
export async function startGithubServer(options: { now?: () => number; app_id?: number; slug?: string } = {}) {
  const { now = Date.now, app_id = 4_242, slug = 'drift-plan' } = options;
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const credentials = { client_id: 'Iv1.0123456789abcdef', client_secret: 'a'.repeat(40) };
  const state = createState(now, { app_id, slug, ...credentials, public_key: keys.publicKey });
  const downloads: StorageRequest[] = [];
  const [api, storage] = [createApiServer(state), createStorageServer(state, downloads)];
  state.url = await listen(api);
  state.storage_url = await listen(storage);

  /** The settings of the App as an operator would configure them. */
  const app = {
    app_id,
    slug,
    private_key: keys.privateKey,
    ...credentials,
    webhook_secret: 'github-app-webhook-secret-of-tests',
    web_url: state.url,
    api_url: state.url,
  };

  return {
    url: state.url,
    storage_url: state.storage_url,
    app,
    /** The environment of a service that uses the App. */
    environment: {
      GITHUB_APP_ID: String(app_id),
      GITHUB_APP_SLUG: slug,
      GITHUB_APP_PRIVATE_KEY: app.private_key,
      GITHUB_APP_CLIENT_ID: app.client_id,
      GITHUB_APP_CLIENT_SECRET: app.client_secret,
      GITHUB_APP_WEBHOOK_SECRET: app.webhook_secret,
      GITHUB_URL: state.url,
    },
    state,
    requests: state.requests,
    downloads,
    ...createAccessMethods(state),
    ...createContentMethods(state),
    ...createDiscussionMethods(state),
    ...createFaultMethods(state),
    /** A signed delivery of an event, from the App's hook unless `hook` names the repository's. */
    deliver(
      happening: GithubActivity,
      { secret = app.webhook_secret, hook = 'app' as 'app' | 'repository' } = {},
    ): Delivery {
      return deliver(state, happening, { secret, installation: hook === 'app' });
    },
    async stop(): Promise<void> {
      await Promise.all([close(api), close(storage)]);
    },
  };
}

function createState(now: () => number, app: Omit<GithubAppState, 'account'>): GithubState {
  let last = 1_000;
  const nextId = () => (last += 1);
  const account = { id: nextId(), login: `${app.slug}[bot]`, type: 'Bot' as const };
  return {
    url: '',
    storage_url: '',
    now,
    app: { ...app, account },
    installations: new Map(),
    tokens: new Map(),
    codes: new Map(),
    accounts: new Map([[account.login, account]]),
    repos: new Map(),
    requests: [],
    faults: [],
    write_limit: null,
    rate: { limit: 15_000, remaining: 15_000, reset: Math.floor(now() / 1000) + 3_600 },
    token_ttl_ms: HOUR_MS,
    link_ttl_ms: 60_000,
    nextId,
  };
}
