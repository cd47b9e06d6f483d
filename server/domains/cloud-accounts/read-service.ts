import { CloudError, type CloudFaultCode } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound, ServiceError } from '../../lib/errors.ts';
import { SealError } from '../../lib/seal.ts';
import type { Opening } from './open-service.ts';
import type { Sessions } from './session-service.ts';
import * as store from './store.ts';

/** Faults of one resource; all others are about the account, or temporary. */
const OF_RESOURCE: readonly CloudFaultCode[] = ['unsupported_type', 'parse_error', 'truncated'];
const CONSEQUENCE = 'The properties of the resource could not be read.';

/** An operator has to act. */
const RETRY_AFTER_S = 3_600;
const GONE = 'The resource no longer exists in the cloud. The next scan removes it from the inventory.';
const DISABLED = 'The cloud account is disabled. Enable it to read its resources.';
const UNREADABLE = 'This deployment cannot decrypt the credentials of the cloud account. Enter them again.';

export interface ResourceToRead {
  provider_type: string;
  provider_resource_id: string;
  region: string | null;
}

/** All properties without secrets, or why they cannot be read and what to do, in whole sentences. */
export type ReadProperties = { properties: Readonly<Record<string, unknown>> } | { failure: string };

export interface ReadingDeps extends Pick<ServiceDeps, 'db'> {
  sessions: Sessions;
  openSealed: Opening['openSealed'];
}

export function createReading({ db, sessions, openSealed }: ReadingDeps) {
  /**
   * Asks the cloud about one resource of an account.
   *
   * @throws NotFound if the account does not exist; ServiceError 503 `cloud_unreachable` if the cloud gives no usable
   *   response, `cloud_registry_not_configured` if this deployment cannot use the credentials
   */
  async function readResource(org_id: string, account_id: string, resource: ResourceToRead): Promise<ReadProperties> {
    const sealed = assertFound(await db.readInOrg(org_id, (read) => store.findSealed(read, org_id, account_id)));
    if (!sealed.enabled) return { failure: DISABLED };
    try {
      const asked = await sessions.ask(
        openSealed(org_id, sealed),
        async (session, signal) => {
          if (session.readResource === undefined) throw notConfigured('this deployment cannot read single resources');
          return session.readResource(resource, signal);
        },
        CONSEQUENCE,
      );
      if ('rejection' in asked) return { failure: asked.rejection };
      return asked.answer === null ? { failure: GONE } : { properties: asked.answer };
    } catch (error) {
      return toFailure(error);
    }
  }

  return readResource;
}

/** @throws any error that is not about the resource or the stored credentials */
function toFailure(error: unknown): { failure: string } {
  if (error instanceof SealError) return { failure: UNREADABLE };
  if (!(error instanceof ServiceError)) throw error;
  if (error.error_class === 'federation_not_configured') throw notConfigured(error.message, error);
  const { cause } = error;
  if (cause instanceof CloudError && OF_RESOURCE.includes(cause.fault.code)) return { failure: cause.fault.message };
  throw error;
}

function notConfigured(message: string, cause?: unknown): ServiceError {
  return new ServiceError(503, 'cloud_registry_not_configured', message, { retry_after: RETRY_AFTER_S }, { cause });
}
