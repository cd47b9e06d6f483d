import type { Probot, ProbotOctokit } from 'probot';
import type { GithubAppSettings } from '../../../lib/github-app.ts';
import type { Logger } from '../../../log.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import { toApiUrl } from './api-url.ts';
import { octokitFetch } from './fetch.ts';

/** What the App needs to authenticate as its installations. */
export type AppIdentity = Pick<GithubAppSettings, 'app_id' | 'slug' | 'private_key' | 'api_url'>;

/** Discards log lines of Probot and its clients, because they quote payloads and requests. */
export function silenceLogger(log: Logger): Logger {
  return log.child({}, { level: 'silent' });
}

/** The App: its `auth` creates the client of an installation, which has its own token, valid for an hour. */
export async function openApp(
  { app_id, private_key, api_url }: AppIdentity,
  send: GuardedFetch,
  log: Logger,
): Promise<Probot> {
  const { Probot, ProbotOctokit } = await import('probot');
  // A function, because Probot overrides throttling settings in an object.
  const Octokit = ProbotOctokit.defaults(({ auth, ...options }: { auth?: { request?: unknown } }) => {
    // Probot's own authentication supports only github.com, so the one of the client is used.
    const { request, ...credentials } = auth ?? {};
    return { ...options, ...buildOptions(api_url, send, log), auth: credentials };
  });
  return new Probot({ appId: app_id, privateKey: private_key, Octokit, log: silenceLogger(log) });
}

/** A client that authenticates with a personal access token. */
export async function openTokenClient(
  base_url: string,
  token: string,
  send: GuardedFetch,
  log: Logger,
): Promise<ProbotOctokit> {
  const { ProbotOctokit } = await import('probot');
  return new ProbotOctokit({ ...buildOptions(toApiUrl(base_url), send, log), auth: { token } });
}

/** Turned off: the throttling of the client waits three seconds between comments, and its retries repeat unsafe requests. */
function buildOptions(baseUrl: string, send: GuardedFetch, log: Logger) {
  return {
    baseUrl,
    userAgent: 'dpa',
    log: silenceLogger(log),
    throttle: { enabled: false },
    retry: { enabled: false },
    request: { fetch: octokitFetch(send) },
  };
}
