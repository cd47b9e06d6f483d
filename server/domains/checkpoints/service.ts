import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import type { Logger } from '../../log.ts';
import { type CopyDeps, createCopies } from './copy-service.ts';
import { type CreationDeps, createCheckpointCreation } from './create-service.ts';
import { createDelivery } from './deliver-service.ts';
import { createDestinations, type DestinationsDeps } from './destinations-service.ts';
import { createSending, type SendingDeps } from './send-service.ts';
import { createCheckpointSettings, type SettingsDeps } from './settings-service.ts';
import { createSigner, type SigningSettings } from './signer.ts';
import * as store from './store.ts';
import type { Checkpoint } from './types.ts';

export interface CheckpointsDeps
  extends Pick<ServiceDeps, 'platform_db'>,
    Omit<CreationDeps, 'signer' | 'log'>,
    Omit<CopyDeps, 'db'>,
    Omit<SettingsDeps, 'db'>,
    Omit<DestinationsDeps, 'db' | 'sending' | 'buckets'>,
    Omit<SendingDeps, 'sealer'> {
  log: Pick<Logger, 'warn' | 'error'>;
  /** null: the operator has set no key, and nothing is signed. */
  signing: SigningSettings | null;
}

/** Signed checkpoints of the audit logs of organizations, which outsiders can keep. */
export function createCheckpoints(deps: CheckpointsDeps) {
  const { db, platform_db } = deps;
  const signer = deps.signing === null ? null : createSigner(deps.signing);
  const sending = createSending(deps);

  async function list(org_id: string, page: { limit: number; offset: number }) {
    return db.inOrg(org_id, (trx) => store.listCheckpoints(trx, org_id, page));
  }

  /**
   * The checkpoint of an organization that publishes them.
   *
   * @param size number of entries; undefined for the newest checkpoint
   * @throws NotFound
   */
  async function getPublic(handle: string, size: number | undefined): Promise<Checkpoint> {
    const org_id = await findPublisher(handle);
    return assertFound(await db.readInOrg(org_id, (read) => store.findCheckpoint(read, org_id, size)));
  }

  /** The keys that verify those checkpoints, one line each. @throws NotFound */
  async function getPublicKeys(handle: string): Promise<string[]> {
    const org_id = await findPublisher(handle);
    return assertFound(signer?.verifierKeys(org_id));
  }

  async function findPublisher(handle: string): Promise<string> {
    return assertFound(await store.findOrgByHandle(platform_db, handle));
  }

  return {
    signer,
    list,
    getPublic,
    getPublicKeys,
    settings: createCheckpointSettings(deps),
    creation: createCheckpointCreation({ ...deps, signer }),
    copies: createCopies(deps),
    destinations: createDestinations({ ...deps, sending }),
    delivery: createDelivery({ ...deps, sending }),
  };
}

export type Checkpoints = ReturnType<typeof createCheckpoints>;
