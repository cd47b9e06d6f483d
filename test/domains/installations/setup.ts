import { createHmac, randomUUID } from 'node:crypto';
import { createGithubApp } from '../../../server/adapters/scm/github-app/index.ts';
import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer } from '../../../server/db/index.ts';
import { createApiKeys } from '../../../server/domains/api-keys/index.ts';
import { createInstallations } from '../../../server/domains/installations/index.ts';
import type { CallbackQuery, ConfirmationPrompt } from '../../../server/domains/installations/types.ts';
import { createScans } from '../../../server/domains/scans/index.ts';
import { createDeliveries } from '../../../server/domains/webhooks/deliveries-service.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { createStateSigner } from '../../../server/lib/state-signer.ts';
import { startGithubServer } from '../../fakes/github-server.ts';
import { deliver } from '../../helpers/deliver.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { setUpOrgs } from '../orgs/setup.ts';

export const APP_URL = 'https://dpa.example.com';
const KEY = Buffer.alloc(32, 7);
export const signer = createStateSigner([KEY]);

/** Installations with their own database and a local GitHub; the clock moves only when a test sets it. */
export async function setUpInstallations() {
  const [under, github] = await Promise.all([setUpOrgs(), startGithubServer()]);
  const { database, clock, orgs, audit, authz } = under;
  const now = () => clock.now;
  const failures: unknown[] = [];
  const log = { warn: () => {}, error: (fields: unknown) => void failures.push(fields) };
  const sealer = createColumnSealer(createSealer([KEY]), SEALED_COLUMNS);
  const shared = { ...database, sweep_db: database.sweeper_db, orgs, audit, authz, sealer, now };
  const apiKeys = createApiKeys({ ...shared, log });
  const scans = createScans({ ...shared, getOrgPlan: async () => 'team' });
  const enqueued: { org_id: string; id: string }[] = [];
  const enqueueReceived = async (_trx: unknown, payload: { org_id: string; id: string }) => void enqueued.push(payload);
  const deliveries = createDeliveries({ ...shared, enqueueReceived });
  const deps = { ...shared, apiKeys, scans, states: signer, log, base_urls: { app_url: APP_URL, api_url: null } };
  const installations = createInstallations({
    ...deps,
    github: createGithubApp(github.app),
    acceptDelivery: deliveries.accept,
    webhook_secret: github.app.webhook_secret,
  });

  return {
    ...under,
    github,
    apiKeys,
    deliveries,
    installations,
    enqueued,
    /** Logged errors. */
    failures,
    /** The same on a deployment without an App. */
    without: createInstallations({ ...deps, github: null, acceptDelivery: deliveries.accept, webhook_secret: null }),
    async makeOwner(): Promise<{ owner: Principal; org: string }> {
      const owner = await makeUser(database.admin_db);
      return { owner, org: await makeOrg(database.admin_db, { owner, plan: 'team' }) };
    },
    /** Returns from GitHub and decides in the same browser. @returns the final location of the person */
    async comeAndDecide(query: CallbackQuery, decision: 'link' | 'cancel' = 'link'): Promise<string> {
      const end = await installations.complete(query);
      if ('location' in end) return end.location;
      const { token, browser } = end.prompt;
      return installations.decide({ token, browser, decision });
    },
    /** The confirmation shown to the returning person. */
    async getPrompt(query: CallbackQuery): Promise<ConfirmationPrompt> {
      const end = await installations.complete(query);
      if ('location' in end) throw new Error(`there is no question: ${end.location}`);
      return end.prompt;
    },
    rows: (org_id: string) => database.admin_db('scm_installations').where({ org_id }).orderBy('created_at'),
    /** The state that a person takes to GitHub. */
    async createState(owner: Principal, org: string): Promise<string> {
      const { install_url } = await installations.installUrl(owner, org);
      return new URL(install_url).searchParams.get('state') ?? '';
    },
    /** A delivery signed by GitHub; a text is sent unchanged. */
    deliver(
      event: string,
      body: object | string,
      { secret = github.app.webhook_secret, id = randomUUID() as string } = {},
    ) {
      const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;
      const headers = { 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': signature };
      return deliver(installations.receiver.open(headers), raw);
    },
    async close() {
      await Promise.all([database.close(), github.stop()]);
    },
  };
}

export type InstallationsUnderTest = Awaited<ReturnType<typeof setUpInstallations>>;

/** The outcome of a visit from its redirect; `asked` if it has not ended. */
export function describeEnd(end: string | { location: string } | object): string {
  if (typeof end !== 'string' && !('location' in end)) return 'asked';
  const location = typeof end === 'string' ? end : end.location;
  const { scm, reason } = Object.fromEntries(new URL(location, APP_URL).searchParams);
  return reason === undefined ? String(scm) : `${scm} ${reason}`;
}
