import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import { findSecrets } from './deliveries-store.ts';
import { configSeals } from './seals.ts';

export type SecretsDeps = Pick<ServiceDeps, 'db' | 'sealer' | 'now'>;

/** The secret of a configuration, and for a day after a rotation the previous one. */
export type GetSecrets = (orgId: string, id: string) => Promise<string[]>;

export function createGetSecrets({ db, sealer, now }: SecretsDeps): GetSecrets {
  /** @throws NotFound */
  return async (orgId, id) => {
    const sealed = assertFound(await db.readInOrg(orgId, (read) => findSecrets(read, orgId, id)));
    const { secret_ct, prev_secret_ct, prev_secret_until } = sealed;
    const { open } = configSeals(sealer, orgId, id);
    const secrets = [open('secret_ct', secret_ct)];
    if (prev_secret_ct !== null && prev_secret_until !== null && prev_secret_until > now()) {
      secrets.push(open('prev_secret_ct', prev_secret_ct));
    }
    return secrets;
  };
}
