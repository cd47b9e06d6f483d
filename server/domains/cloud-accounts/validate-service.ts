import type { CloudIdentity, PermissionCheck } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import { SealError } from '../../lib/seal.ts';
import { findMismatch } from './faults.ts';
import type { Identities } from './identity-service.ts';
import type { Opening } from './open-service.ts';
import type { Sessions } from './session-service.ts';
import * as store from './store.ts';
import type { AccountCheck, OpenedAccount } from './types.ts';

const MOST_NAMED = 5;
const UNREADABLE = 'this deployment cannot decrypt the stored credentials; enter them again';

export interface ValidationDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  sessions: Sessions;
  identities: Identities;
  openSealed: Opening['openSealed'];
}

export function createValidation({ db, sessions, identities, openSealed, now }: ValidationDeps) {
  /**
   * Asks the cloud about the stored credentials, and stores the result.
   *
   * @throws NotFound; ServiceError 422 `cloud_identity_mismatch`, which is audited; 503 if the cloud cannot be asked,
   *   which says nothing about the credentials
   */
  async function validate(principal: Principal, orgId: string, id: string): Promise<AccountCheck> {
    const sealed = assertFound(await db.readInOrg(orgId, (read) => store.findSealed(read, orgId, id)));
    const target = openIfReadable(orgId, sealed);
    if (target === undefined) return reject(UNREADABLE);
    const asked = await sessions.ask(target, async (session, signal) => {
      const identity = await session.identify(signal);
      // The permissions of credentials of another account are not of interest.
      const is_claimed = findMismatch(target, identity) === undefined;
      return { identity, permissions: is_claimed ? await session.checkPermissions(signal) : [] };
    });
    if ('rejection' in asked) {
      await note(orgId, sealed, { status: 'invalid', status_reason: asked.rejection });
      return reject(asked.rejection);
    }
    const { identity, permissions } = asked.answer;
    const mismatch = findMismatch(target, identity);
    if (mismatch !== undefined) {
      await note(orgId, sealed, { status: 'invalid', status_reason: mismatch });
      throw await identities.recordMismatch(principal.user.email, orgId, target, mismatch);
    }
    const status_reason = describeMissing(permissions);
    await note(orgId, sealed, { status: 'active', status_reason, identity: identity.identity });
    return accept(identity, permissions);
  }

  function openIfReadable(orgId: string, sealed: store.SealedAccount): OpenedAccount | undefined {
    try {
      return openSealed(orgId, sealed);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  async function note(
    orgId: string,
    sealed: store.SealedAccount,
    found: { status: 'active' | 'invalid'; status_reason: string | null; identity?: string },
  ): Promise<void> {
    await db.inOrg(orgId, (trx) => store.noteValidation(trx, orgId, sealed, { ...found, last_validated_at: now() }));
  }

  function accept(identity: CloudIdentity, permissions: readonly PermissionCheck[]): AccountCheck {
    return { valid: true, ...identity, permissions, checked_at: now(), error: null };
  }

  function reject(error: string): AccountCheck {
    return { valid: false, identity: null, external_account_id: null, permissions: [], checked_at: now(), error };
  }

  return validate;
}

/** Names the first missing permissions; null if none is missing. */
function describeMissing(permissions: readonly PermissionCheck[]): string | null {
  const missing = permissions.filter(({ granted }) => !granted).map(({ name }) => name);
  if (missing.length === 0) return null;
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  const named = missing.slice(0, MOST_NAMED).join(', ');
  return `${missing.length} of ${permissions.length} permissions are missing: ${named}${more}; scans cannot see what needs them`;
}
