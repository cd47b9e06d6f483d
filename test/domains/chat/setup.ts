import { createHmac } from 'node:crypto';
import { createSlackApp } from '../../../server/adapters/slack/app.ts';
import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer } from '../../../server/db/index.ts';
import { createChat } from '../../../server/domains/chat/index.ts';
import type { NoisyResult } from '../../../server/domains/chat/noise-choice.ts';
import type { AccountPosture, ExplainedDrift } from '../../../server/domains/chat/posture-blocks.ts';
import type { ScanRun } from '../../../server/domains/scans/index.ts';
import { createButtonSigner } from '../../../server/lib/button-signer.ts';
import { NotFound } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import type { RequestKind } from '../../../server/lib/slack-request.ts';
import { createStateSigner } from '../../../server/lib/state-signer.ts';
import { createFakeChat } from '../../fakes/chat.ts';
import { createFakeDrift } from '../../fakes/drift.ts';
import { APP, startSlackServer } from '../../fakes/slack-server.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { noiseSetup } from '../noise/setup.ts';
import { setUpOrgs } from '../orgs/setup.ts';

export const APP_URL = 'https://dpa.example.com';
const KEY = Buffer.alloc(32, 7);

/** The chat domain with its own database and a local Slack; the clock moves only when a test sets it. */
export async function setUpChat() {
  const [under, slack] = await Promise.all([setUpOrgs(), startSlackServer()]);
  const { database, clock, orgs, audit } = under;
  const now = () => clock.now;
  const log = { warn: () => {} };
  const sealer = createColumnSealer(createSealer([KEY]), SEALED_COLUMNS);
  const queued: { org_id: string; id: string }[] = [];
  const scans: { email: string; org_id: string; cloud_account_id: string }[] = [];
  const accounts: AccountPosture[] = [];
  const snapshots = new Map<string, ExplainedDrift>();
  /** Accounts with a scan that waits or runs. */
  const running = new Set<string>();
  const deployment = createFakeChat();
  const states = createStateSigner([KEY]);
  const buttons = createButtonSigner(states, now);
  const drift = createFakeDrift(now);
  const noise = noiseSetup(database);
  /** Results of analyses. */
  const results = new Map<string, { run: Pick<ScanRun, 'repo_owner' | 'repo_name'>; result: NoisyResult }>();
  const deps = {
    ...database,
    sweep_db: database.sweeper_db,
    ...{ orgs, audit, sealer, log, now },
    states,
    base_urls: { app_url: APP_URL, api_url: null },
    deployment_chat: deployment.sender,
    maySignIn: async ({ issuer }: { issuer: string }) => issuer === 'urn:test',
    getPosture: async () => accounts,
    findSnapshot: async (_org_id: string, id: string) => snapshots.get(id),
    resultUrl: (slug: string, scan_run_id: string) => `${APP_URL}/orgs/${slug}/scans/${scan_run_id}`,
    async createScan({ user }: Principal, org_id: string, cloud_account_id: string) {
      if (running.has(cloud_account_id)) return null;
      scans.push({ email: user.email, org_id, cloud_account_id });
      return { id: newId() };
    },
    buttons,
    drift: drift.handling,
    ignoreRules: drift.rules,
    noise: noise.noise,
    scans: {
      async get(_org_id: string, id: string) {
        const found = results.get(id);
        if (found === undefined) throw new NotFound();
        return { run: found.run as ScanRun, result_text: JSON.stringify(found.result) };
      },
    },
    enqueueRequests: async (_trx: unknown, org_id: string, ids: readonly string[]) =>
      void queued.push(...ids.map((id) => ({ org_id, id }))),
  };
  const app = createSlackApp({ ...APP, api_url: slack.api_url, redirect_uri: null });
  const chat = createChat({ ...deps, app, signing_secret: APP.signing_secret });

  /** Runs the queued jobs, as a worker does. */
  async function work(): Promise<void> {
    for (const payload of queued.splice(0)) await chat.handling.handle(payload);
  }

  return {
    ...under,
    slack,
    chat,
    /** The same on a deployment without an app. */
    without: createChat({ ...deps, app: null, signing_secret: null }),
    deployment,
    queued,
    scans,
    running,
    buttons,
    drift,
    noise,
    results,
    accounts,
    snapshots,
    work,
    async makeOwner(): Promise<{ owner: Principal; org: string }> {
      const owner = await makeUser(database.admin_db);
      return { owner, org: await makeOrg(database.admin_db, { owner, plan: 'team' }) };
    },
    /** The state that a person takes to Slack. */
    async createState(owner: Principal, org: string): Promise<string> {
      const { authorize_url } = await chat.callback.installUrl(owner, org);
      return new URL(authorize_url).searchParams.get('state') ?? '';
    },
    /** Returns from Slack and decides in the same browser. @returns the outcome */
    async comeAndDecide(state: string, code: string, decision: 'install' | 'cancel' = 'install'): Promise<string> {
      const end = await chat.callback.complete({ state, code });
      if ('location' in end) return describeEnd(end.location);
      const { token, browser } = end.prompt;
      return describeEnd(await chat.callback.decide({ token, browser, decision }));
    },
    async connect(owner: Principal, org: string, team_id: string, more = {}): Promise<string> {
      return this.comeAndDecide(await this.createState(owner, org), slack.approve(team_id, more));
    },
    installation: (org_id: string) => database.admin_db('chat_installations').where({ org_id }).first(),
    /** A request that Slack has signed. */
    async receive(kind: RequestKind, body: string, { secret = APP.signing_secret, at = clock.now } = {}) {
      const raw = Buffer.from(body);
      const timestamp = String(Math.floor(at.getTime() / 1_000));
      const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(raw).digest('hex')}`;
      const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
      const reception = chat.receiver.open(kind, headers);
      for (let from = 0; from < raw.length; from += 7) reception.update(raw.subarray(from, from + 7));
      return reception.end(raw)();
    },
    async close() {
      await Promise.all([database.close(), slack.stop()]);
    },
  };
}

export type ChatUnderTest = Awaited<ReturnType<typeof setUpChat>>;

/** The outcome of a visit from its redirect. */
export function describeEnd(location: string): string {
  const { chat, reason } = Object.fromEntries(new URL(location, APP_URL).searchParams);
  return reason === undefined ? String(chat) : `${chat} ${reason}`;
}
