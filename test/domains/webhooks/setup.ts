import { createEgress, createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import type { TokenProbe } from '../../../server/adapters/scm/token/types.ts';
import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer } from '../../../server/db/index.ts';
import { createApiKeys } from '../../../server/domains/api-keys/index.ts';
import { createWebhooks } from '../../../server/domains/webhooks/index.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { enqueue } from '../../../server/queue/index.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { setUpOrgs } from '../orgs/setup.ts';
import { startReceivingServer } from './receiving-server.ts';

export const sealer = createSealer([Buffer.alloc(32, 7)]);

/**
 * Webhooks with their own database; the clock is fixed until it is moved.
 *
 * @param hosts more servers on loopback that may be called
 */
export async function setUpWebhooks(...hosts: string[]) {
  const under = await setUpOrgs();
  const { database, clock, orgs, audit, authz } = under;
  const now = () => clock.now;
  const log = { warn() {} };
  const server = await startReceivingServer();
  /** The scripted response of every host about every token, and the recorded calls. */
  const host: { token_probe: TokenProbe } = { token_probe: { status: 'active', user_id: '4711', expires_at: null } };
  const probed: unknown[] = [];
  const shared = { ...database, sweep_db: database.sweeper_db, orgs, audit, authz, now };
  const apiKeys = createApiKeys({ ...shared, log });
  const webhooks = createWebhooks({
    ...shared,
    sealer: createColumnSealer(sealer, SEALED_COLUMNS),
    apiKeys,
    probeToken: async (target, token) => {
      probed.push({ ...target, token });
      return host.token_probe;
    },
    guardedFetch: createGuardedFetch({ allowed_hosts: [server.host, ...hosts] }),
    random: () => 0.5,
    send_timeout_ms: 5_000,
    enqueueReceived: (trx, payload) => enqueue(trx, 'scm', payload),
    enqueueSending: (trx, payload, at) => enqueue(trx, 'webhook', payload, { at }),
    assertPublicUrl: createEgress({ allowed_hosts: [server.host, ...hosts] }).assertPublicUrl,
  });

  return {
    ...under,
    apiKeys,
    webhooks,
    host,
    probed,
    server,
    async makeOwner(plan: 'free' | 'team' = 'team'): Promise<{ owner: Principal; org: string }> {
      const owner = await makeUser(database.admin_db);
      return { owner, org: await makeOrg(database.admin_db, { owner, plan }) };
    },
    /** Stores a URL in clear text, like releases without URL encryption. */
    storeClear: (id: string, provider_base_url: string) =>
      database.admin_db('webhook_configs').where({ id }).update({ provider_base_url, target_ct: null }),
    row: (id: string) => database.admin_db('webhook_configs').where({ id }).first(),
  };
}

export type WebhooksUnderTest = Awaited<ReturnType<typeof setUpWebhooks>>;
