import type { ProbotOctokit } from 'probot';
import { dropTrailing } from '../../../../engine/index.ts';
import type { GithubAppSettings } from '../../../lib/github-app.ts';
import type { Logger } from '../../../log.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import { octokitFetch } from './fetch.ts';

/** What the App needs to speak for its installations. */
export type AppIdentity = Pick<GithubAppSettings, 'app_id' | 'slug' | 'private_key' | 'api_url'>;

/** Lines of Probot and of its clients quote payloads and requests: none is written. */
export function silenceLogger(log: Logger): Logger {
  return log.child({}, { level: 'silent' });
}

/** The App, which has the clients of its installations; each gets a token of its own and keeps it for an hour. */
export async function openApp({ app_id, private_key, api_url }: AppIdentity, send: GuardedFetch, log: Logger) {
  const { Probot, ProbotOctokit } = await import('probot');
  // As a function: Probot lays its own throttling over whatever stands in an object.
  const Octokit = ProbotOctokit.defaults(({ auth, ...options }: { auth?: { request?: unknown } }) => {
    // Probot's own way to ask for tokens knows github.com alone; without it the client's is taken.
    const { request, ...credentials } = auth ?? {};
    return { ...options, ...buildOptions(api_url, send, log), auth: credentials };
  });
  const probot = new Probot({
    appId: app_id,
    privateKey: private_key,
    Octokit,
    log: silenceLogger(log),
  });
  return {
    installation: (installation_id: number): Promise<ProbotOctokit> => probot.auth(installation_id),
  };
}

/** A client that shows a personal access token. */
export async function openTokenClient(
  base_url: string,
  token: string,
  send: GuardedFetch,
  log: Logger,
): Promise<ProbotOctokit> {
  const { ProbotOctokit } = await import('probot');
  return new ProbotOctokit({ ...buildOptions(toApiUrl(base_url), send, log), auth: { token } });
}

/** GitHub Enterprise Server has its API below the address that people visit. */
function toApiUrl(base_url: string): string {
  const base = dropTrailing(base_url, '/');
  return base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`;
}

/** Its own throttling would wait three seconds between comments, and its own retries would repeat what may be done already. */
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
