import type { CloudTarget } from '../../adapters/cloud/types.ts';
import type { ServiceError } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { credentialsRejected, findMismatch, identityMismatch } from './faults.ts';
import type { Sessions } from './session-service.ts';

export interface IdentitiesDeps {
  sessions: Sessions;
  audit: Pick<AuditWriter, 'record'>;
}

/** The identity behind credentials, and what happens if it is not the claimed one. */
export function createIdentities({ sessions, audit }: IdentitiesDeps) {
  /**
   * Asks the cloud who the credentials belong to, before they are stored.
   *
   * @returns the identity, which belongs to the claimed account
   * @throws ServiceError 422 `cloud_identity_mismatch`, which is audited, or `cloud_credentials_rejected`; 503 if the
   *   cloud cannot be asked
   */
  async function prove(principal: Principal, org_id: string, target: CloudTarget): Promise<string> {
    const asked = await sessions.ask(target, (session, signal) => session.identify(signal));
    if ('rejection' in asked) throw credentialsRejected(asked.rejection);
    const mismatch = findMismatch(target, asked.answer);
    if (mismatch !== undefined) throw await recordMismatch(principal.user.email, org_id, target, mismatch);
    return asked.answer.identity;
  }

  /**
   * Audits credentials of another account.
   *
   * @param actor_email empty for the service itself
   * @returns the error to throw
   */
  async function recordMismatch(
    actor_email: string,
    org_id: string,
    { provider, external_account_id, credentials }: CloudTarget,
    reason: string,
  ): Promise<ServiceError> {
    await audit.record({
      action: 'cloud_account.identity_mismatch_rejected',
      org_id,
      actor_email,
      detail: {
        provider,
        credential_type: credentials.credential_type,
        claimed_external_account: external_account_id,
        reason,
      },
    });
    return identityMismatch(reason);
  }

  return { prove, recordMismatch };
}

export type Identities = ReturnType<typeof createIdentities>;
