import type { Db } from '../../db/index.ts';
import { NotFound, ServiceError } from '../../lib/errors.ts';
import type { Deliveries } from './deliveries-service.ts';
import * as store from './deliveries-store.ts';
import { announcedBy } from './events.ts';
import type { SecretsOf } from './secret-service.ts';
import { isSentByGitlab, isSignedByGithub, type ReceivedHeaders } from './signature.ts';
import type { Received, ScmProvider } from './types.ts';

export interface ReceiverDeps {
  /** Knows whose configuration an id is, and reads no secret. */
  platform_db: Db;
  secretsOf: SecretsOf;
  deliveries: Pick<Deliveries, 'accept'>;
  now: () => Date;
}

/** A request of a provider as it came; nothing of it is read before its signature was checked. */
export interface RawDelivery {
  raw: Buffer;
  headers: ReceivedHeaders;
}

export function createReceiver({ platform_db, secretsOf, deliveries, now }: ReceiverDeps) {
  /**
   * Takes what a repository sends: checks who sent it, and keeps it sealed, once however often it comes.
   *
   * @throws NotFound for a configuration that is switched off, gone or of another provider; ServiceError 401
   * `signature_invalid`; InvalidInput when the headers do not name the delivery
   */
  async function receive(provider: ScmProvider, config_id: string, { raw, headers }: RawDelivery): Promise<Received> {
    const found = await store.findReceiver(platform_db, config_id);
    if (found?.provider !== provider) throw new NotFound();
    const { org_id } = found;
    const secrets = await secretsOf(org_id, config_id);
    const is_genuine =
      provider === 'github' ? isSignedByGithub(secrets, raw, headers) : isSentByGitlab(secrets, raw, headers, now());
    if (!is_genuine) {
      throw new ServiceError(401, 'signature_invalid', 'the delivery is not signed with the secret of this webhook');
    }

    const source = { config_id, installation_row_id: null };
    return deliveries.accept(org_id, source, announcedBy(provider, headers), raw);
  }

  return { receive };
}
