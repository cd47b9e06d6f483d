import type { Db } from '../../db/index.ts';
import { NotFound, ServiceError } from '../../lib/errors.ts';
import type { Deliveries } from './deliveries-service.ts';
import * as store from './deliveries-store.ts';
import { readDeliveryHeaders } from './events.ts';
import type { GetSecrets } from './secret-service.ts';
import { checkGithubSender, checkGitlabSender, type ReceivedHeaders } from './signature.ts';
import type { IncomingDelivery, Received, ScmProvider } from './types.ts';

export interface ReceiverDeps {
  /** Can find the configuration of an id, and reads no secret. */
  platform_db: Db;
  getSecrets: GetSecrets;
  deliveries: Pick<Deliveries, 'accept'>;
  now: () => Date;
}

export function createReceiver({ platform_db, getSecrets, deliveries, now }: ReceiverDeps) {
  /**
   * Opens a delivery before its body is read: finds its configuration, and rejects it if its headers alone show that
   * the sender does not know the secret.
   *
   * @throws NotFound for a configuration that is disabled, deleted or of another provider; ServiceError 401
   *   `signature_invalid`
   */
  async function open(provider: ScmProvider, config_id: string, headers: ReceivedHeaders): Promise<IncomingDelivery> {
    const found = await store.findReceiver(platform_db, config_id);
    if (found?.provider !== provider) throw new NotFound();
    const { org_id } = found;
    const secrets = await getSecrets(org_id, config_id);
    const check =
      provider === 'github' ? checkGithubSender(secrets, headers) : checkGitlabSender(secrets, headers, now());
    if (check === undefined) throw invalidSignature();
    return {
      key: org_id,
      update: check.update,
      end(raw) {
        if (!check.isGenuine()) throw invalidSignature();
        return () => accept(org_id, config_id, provider, { raw, headers });
      },
    };
  }

  /**
   * Stores a delivery encrypted, once however often it arrives. @throws InvalidInput if the headers do not contain its
   * id
   */
  async function accept(
    org_id: string,
    config_id: string,
    provider: ScmProvider,
    { raw, headers }: { raw: Buffer; headers: ReceivedHeaders },
  ): Promise<Received> {
    const source = { config_id, installation_row_id: null };
    return deliveries.accept(org_id, source, readDeliveryHeaders(provider, headers), raw);
  }

  return { open };
}

function invalidSignature(): ServiceError {
  return new ServiceError(401, 'signature_invalid', 'the delivery is not signed with the secret of this webhook');
}
