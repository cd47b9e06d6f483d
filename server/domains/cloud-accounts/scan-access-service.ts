import { CloudError, type CloudFault, type CloudProvider, type CloudSession } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { assertFound, Conflict, InvalidInput, ServiceError } from '../../lib/errors.ts';
import { SealError } from '../../lib/seal.ts';
import { findMismatch, findRejection } from './faults.ts';
import type { Identities } from './identity-service.ts';
import type { Opening } from './open-service.ts';
import type { Sessions } from './session-service.ts';
import * as store from './store.ts';
import type { Clouds, OpenedAccount } from './types.ts';

/**
 * An account that is open for a scan. If the cloud rejects the credentials, the account becomes invalid, unless they were
 * replaced in the meantime.
 */
export interface ScanSession extends Pick<CloudSession, 'outline' | 'readPage' | 'close'> {
  provider: CloudProvider;
  /** Regions to read; empty for all that are enabled in the account. */
  regions: readonly string[];
  /**
   * Asks the cloud who the credentials belong to. If they belong to another account, this is audited, and the account
   * becomes invalid.
   *
   * @throws CloudError
   */
  confirmIdentity(signal: AbortSignal): Promise<void>;
}

export interface ScanAccessDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  clouds: Clouds;
  sessions: Sessions;
  identities: Identities;
  openSealed: Opening['openSealed'];
}

/** What scans need of accounts. */
export function createScanAccess({ db, clouds, sessions, identities, openSealed, now }: ScanAccessDeps) {
  /**
   * These accounts, in this order; every enabled account if none is given.
   *
   * @throws NotFound if one does not exist
   */
  async function list(trx: Db, orgId: string, ids: readonly string[]): Promise<store.ScannableAccount[]> {
    const found = await listExisting(trx, orgId, ids);
    if (ids.length === 0) return found;
    return ids.map((id) => assertFound(found.find((one) => one.id === id)));
  }

  /** Those of these accounts that exist; every enabled account if none is given. */
  async function listExisting(trx: Db, orgId: string, ids: readonly string[]): Promise<store.ScannableAccount[]> {
    return store.listScannable(trx, orgId, ids);
  }

  /** @throws InvalidInput if the account reads only other regions */
  function assertRegions({ regions, display_name }: store.ScannableAccount, filter: readonly string[]): void {
    const unknown = filter.find((region) => regions.length > 0 && !regions.includes(region));
    if (unknown === undefined) return;
    const problem = `the account "${display_name}" does not read the region "${unknown}"; it reads ${regions.join(', ')}`;
    const details = [{ path: '/body/filter_regions', message: problem, code: 'unknown_region' }];
    throw new InvalidInput(problem, 'invalid_request', { details });
  }

  /** @throws Conflict; ServiceError 503 `federation_not_configured` if this deployment cannot use the credentials */
  function assertScannable({ display_name, enabled, status, status_reason, credential_type }: store.ScannableAccount) {
    if (!enabled) {
      throw new Conflict(`the account "${display_name}" is disabled; enable it to scan it`, 'cloud_account_disabled');
    }
    if (status === 'invalid') {
      const message = `the cloud rejects the credentials of the account "${display_name}"; validate it or replace them`;
      throw new Conflict(message, 'cloud_account_invalid', status_reason === null ? {} : { reason: status_reason });
    }
    sessions.assertSupported(credential_type);
  }

  /**
   * Opens an account for a scan.
   *
   * @param filter regions to read instead of those of the account; empty for those
   * @throws CloudError if the account was deleted, or its credentials cannot be used
   */
  async function open(org_id: string, id: string, filter: readonly string[]): Promise<ScanSession> {
    const sealed = await db.readInOrg(org_id, (read) => store.findSealed(read, org_id, id));
    if (sealed === undefined) throw createCredentialError('The account was deleted. Nothing more was read.');
    return openSession(org_id, sealed, filter);
  }

  function openSession(org_id: string, sealed: store.SealedAccount, filter: readonly string[]): ScanSession {
    const target = openTarget(org_id, sealed);
    const regions = filter.length > 0 ? filter : target.regions;
    const session = clouds[target.provider].adapter.open({ ...target, regions });

    async function reject(reason: string): Promise<void> {
      const found = { status: 'invalid' as const, status_reason: reason, last_validated_at: now() };
      await db.inOrg(org_id, (trx) => store.noteValidation(trx, org_id, sealed, found));
    }

    /** @throws the error of `question` */
    async function ask<Answer>(
      question: Promise<Answer>,
      signal: AbortSignal,
      findReason: (error: unknown) => string | undefined,
    ): Promise<Answer> {
      try {
        return await question;
      } catch (error) {
        const reason = signal.aborted ? undefined : findReason(error);
        if (reason !== undefined) await reject(reason);
        throw error;
      }
    }

    return {
      provider: target.provider,
      regions,
      async confirmIdentity(signal) {
        const mismatch = findMismatch(target, await ask(session.identify(signal), signal, findRejection));
        if (mismatch === undefined) return;
        await reject(mismatch);
        const cause = await identities.recordMismatch('', org_id, target, mismatch);
        throw createCredentialError(`Nothing was read: ${mismatch}. Replace the credentials of the account.`, cause);
      },
      outline: (signal) => ask(session.outline(signal), signal, findCredentialError),
      readPage: (part, cursor, signal) => ask(session.readPage(part, cursor, signal), signal, findCredentialError),
      close: () => session.close(),
    };
  }

  /** @throws CloudError */
  function openTarget(org_id: string, sealed: store.SealedAccount): OpenedAccount {
    try {
      sessions.assertSupported(sealed.credential_type);
      return openSealed(org_id, sealed);
    } catch (error) {
      if (error instanceof ServiceError) throw createCredentialError(error.message, error);
      if (!(error instanceof SealError)) throw error;
      throw createCredentialError('This deployment cannot decrypt the stored credentials. Enter them again.', error);
    }
  }

  return { list, listExisting, assertRegions, assertScannable, open };
}

export type ScanAccess = ReturnType<typeof createScanAccess>;

/** In the middle of a scan, a denial concerns only a part of the account. */
function findCredentialError(error: unknown): string | undefined {
  return error instanceof CloudError && error.fault.code === 'credential_error' ? error.fault.message : undefined;
}

function createCredentialError(message: string, cause?: unknown): CloudError {
  const nowhere = { service: null, region: null, provider_type: null, permission: null };
  const fault: CloudFault = { code: 'credential_error', message, ...nowhere, retryable: false };
  return new CloudError(fault, cause === undefined ? {} : { cause });
}
