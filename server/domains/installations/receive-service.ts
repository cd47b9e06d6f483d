import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { HostedInstallation } from '../../lib/github-installation.ts';
import type { ApiKeys } from '../api-keys/index.ts';
import {
  checkGithubSender,
  type IncomingDelivery,
  type Received,
  type ReceivedHeaders,
  readDeliveryHeaders,
  type Webhooks,
} from '../webhooks/index.ts';
import { readAppDelivery } from './app-delivery.ts';
import { toInstallationFields } from './fields.ts';
import { appNotConfigured } from './no-app.ts';
import * as store from './store.ts';

const IGNORED = { accepted: false, reason: 'ignored' } as const;

export interface AppReceiverDeps extends Pick<ServiceDeps, 'db' | 'authz' | 'now'> {
  /** Can find the organization of any installation. */
  platform_db: Db;
  /** Webhook secret of the App; null if the deployment has none. */
  webhook_secret: string | null;
  apiKeys: Pick<ApiKeys, 'revokeIn'>;
  acceptDelivery: Webhooks['deliveries']['accept'];
}

export function createAppReceiver(deps: AppReceiverDeps) {
  const { db, platform_db, webhook_secret, apiKeys, acceptDelivery, authz, now } = deps;

  /**
   * Opens a delivery of the App before its body is read.
   *
   * @throws ServiceError 503 `scm_not_configured`, 401 `signature_invalid`
   */
  function open(headers: ReceivedHeaders): IncomingDelivery {
    if (webhook_secret === null) throw appNotConfigured();
    const check = checkGithubSender([webhook_secret], headers);
    if (check === undefined) throw invalidSignature();
    return {
      update: check.update,
      end(raw) {
        if (!check.isGenuine()) throw invalidSignature();
        return () => acceptVerified(raw, headers);
      },
    };
  }

  /**
   * Stores what a bot needs, and immediately records changes of the installation itself. Deliveries of installations
   * that are not linked are dropped: creating or approving an installation at GitHub links it to no organization.
   *
   * @throws InvalidInput if the delivery has no event or id, or is not JSON
   */
  async function acceptVerified(raw: Buffer, headers: ReceivedHeaders): Promise<Received> {
    const delivery_headers = readDeliveryHeaders('github', headers);
    const { action, installation_id, installation } = readAppDelivery(raw, delivery_headers.event);
    if (installation_id === null) return IGNORED;
    const owner = await store.findOwner(platform_db, installation_id);
    if (owner === undefined) return IGNORED;
    if (installation !== undefined) await syncInstallation(owner, action, installation);
    else if (owner.status !== 'active') return IGNORED;
    const source = { config_id: null, installation_row_id: owner.id };
    return acceptDelivery(owner.org_id, source, delivery_headers, raw);
  }

  /** Records GitHub's data about an installation. An uninstalled one is never reactivated, and its key is revoked. */
  async function syncInstallation(
    { id, org_id }: { id: string; org_id: string },
    action: string,
    hosted: HostedInstallation,
  ): Promise<void> {
    const fields =
      action === 'deleted'
        ? { ...toInstallationFields(hosted), status: 'removed' as const }
        : toInstallationFields(hosted);
    const revoked = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const known = await store.lockInstallation(trx, org_id, { id });
      if (known === undefined || known.status === 'removed') return null;
      const ends = fields.status === 'removed';
      const key = ends ? { api_key_id: null, api_key_ct: null } : {};
      await store.updateInstallation(trx, org_id, id, { ...fields, ...key, updated_at: now() });
      if (!ends || known.api_key_id === null) return null;
      await apiKeys.revokeIn(trx, org_id, known.api_key_id, null);
      return known.api_key_id;
    });
    if (revoked !== null) authz.announce({ what: 'key', id: revoked });
  }

  return { open };
}

function invalidSignature(): ServiceError {
  return new ServiceError(401, 'signature_invalid', 'the delivery is not signed with the secret of the GitHub App');
}
