/**
 * The bot's dependencies on the service: hosts by their sources, the API on behalf of an organization, and threads for
 * plans.
 */

import { type Connect, type ConnectedSource, createBot, createFindPlans, type Delivery } from '../bot/index.ts';
import { createClient } from '../sdk/src/index.ts';
import type { GuardedFetch } from './adapters/egress/index.ts';
import { createPlanReader, type PlanPool } from './adapters/plan-pool/index.ts';
import { createGithub } from './adapters/scm/github/index.ts';
import { createGitlab } from './adapters/scm/gitlab/index.ts';
import type { BotEvent } from './adapters/scm/types.ts';
import type { App } from './app.ts';
import type { GithubAppSettings } from './lib/github-app.ts';
import type { BaseUrls } from './lib/web-links.ts';
import type { Logger } from './log.ts';
import type { JobDefinition } from './queue/index.ts';

export interface BotParts {
  app: App;
  pool: PlanPool;
  /** Where the bot reaches the API. */
  api_url: string;
  /** Base address of links for people. */
  base_urls: BaseUrls;
  github_app: GithubAppSettings | null;
  /** For hosts that a customer entered. */
  guardedFetch: GuardedFetch;
  now: () => Date;
  log: Logger;
}

/** The bot's jobs, connected to this service. */
export function createBotJobs(parts: BotParts): JobDefinition[] {
  const { app, pool, log } = parts;
  const { webhooks } = app.bot;
  const reader = createPlanReader(pool);
  return createBot({
    ...parts,
    ...app.bot,
    deliveries: webhooks.deliveries,
    connect: createConnect(parts, reader.readPayload),
    // Installation tokens are renewed automatically, so there is no pasted token to fix.
    onForbidden: async (org_id, { config_id }) => {
      if (config_id !== null) await webhooks.tokens.recheck(org_id, config_id);
    },
    findPlans: createFindPlans({ reader, log }),
    judgeLocally: reader.judge,
  });
}

const SWITCHED_OFF = 'The webhook configuration is disabled or deleted.';
const NO_TOKEN = 'The webhook configuration has no API token to read artifacts and write comments. Set one.';
const NO_APP = 'This deployment no longer has a GitHub App.';
const NO_INSTALLATION = 'The installation of the GitHub App is suspended, removed or no longer linked.';

type ReadEvents = (delivery: Delivery) => BotEvent[] | Promise<BotEvent[]>;
type ReadPayload = ReturnType<typeof createPlanReader>['readPayload'];

function createConnect(
  { app, api_url, github_app, guardedFetch, now, log }: BotParts,
  readPayload: ReadPayload,
): Connect {
  const { webhooks, installations } = app.bot;
  const github = createGithub({ app: github_app, fetch: guardedFetch, now, log });
  const gitlab = createGitlab({ fetch: guardedFetch, now, log });
  /** Anyone with the secret of a webhook can send up to 25 MiB of arbitrary bytes. */
  const withTrimmedPayload =
    (org_id: string, readEvents: ReadEvents): ConnectedSource['events'] =>
    async (delivery) =>
      readEvents({ ...delivery, raw: await readPayload(org_id, delivery.raw) });
  const openClient = (token: string) => createClient({ base_url: api_url, token, user_agent: 'dpa-bot' });

  async function connectConfig(org_id: string, id: string): ReturnType<Connect> {
    const access = await webhooks.configs.access(org_id, id);
    if (access === undefined || access.dpa_token === null) return { missing: SWITCHED_OFF };
    const { provider, provider_base_url, repo_path, dpa_token, api_token, api_user_id } = access;
    if (api_token === null) return { missing: NO_TOKEN };
    const connection =
      provider === 'github'
        ? { platform: github.open({ provider_base_url, api_token }), events: github.events }
        : { platform: gitlab.open({ id, provider_base_url, api_token, api_user_id }), events: gitlab.events };
    return {
      org_id,
      source: { config_id: id, installation_row_id: null },
      repo_path,
      dpa: openClient(dpa_token),
      platform: connection.platform,
      events: withTrimmedPayload(org_id, connection.events),
    };
  }

  async function connectInstallation(org_id: string, id: string): ReturnType<Connect> {
    if (github_app === null) return { missing: NO_APP };
    const access = await installations.access(org_id, id);
    if (access === undefined) return { missing: NO_INSTALLATION };
    const { installation_id, dpa_token } = access;
    return {
      org_id,
      source: { config_id: null, installation_row_id: id },
      repo_path: null,
      dpa: openClient(dpa_token),
      platform: github.open({ installation_id }),
      events: withTrimmedPayload(org_id, github.events),
    };
  }

  return (org_id, { config_id, installation_row_id }) =>
    config_id === null ? connectInstallation(org_id, installation_row_id) : connectConfig(org_id, config_id);
}
