import { randomBytes } from 'node:crypto';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { lockOrg } from '../../db/index.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import * as store from './store.ts';
import type { CheckpointSettings } from './types.ts';

/** Nobody can guess a handle. */
const HANDLE_BYTES = 24;

export interface SettingsDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  audit: Pick<AuditWriter, 'record'>;
  /** Whether a webhook configuration is a server, in contrast to a repository. @throws NotFound */
  isServer: (org_id: string, webhook_config_id: string) => Promise<boolean>;
}

export function createCheckpointSettings({ db, audit, isServer, now }: SettingsDeps) {
  async function get(org_id: string): Promise<CheckpointSettings> {
    return db.readInOrg(org_id, (read) => store.findSettings(read, org_id));
  }

  /**
   * Sets where checkpoints go. A public address stays the same while it is on; one that was turned off never returns.
   *
   * @throws NotFound if the webhook configuration does not exist; InvalidInput if it is that of a repository
   */
  async function put(
    { user: { email: actor_email } }: Principal,
    org_id: string,
    { is_public, webhook_config_id }: { is_public: boolean; webhook_config_id: string | null },
  ): Promise<CheckpointSettings> {
    if (webhook_config_id !== null) await assertServer(org_id, webhook_config_id);
    const { before, settings } = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const before = await store.findSettings(trx, org_id);
      const public_handle = is_public ? (before.public_handle ?? newHandle()) : null;
      const settings = { public_handle, webhook_config_id };
      await store.saveSettings(trx, org_id, settings, now());
      return { before, settings };
    });
    const is_same = isEqual(before, settings);
    const detail = { public: is_public, webhook_config_id };
    if (!is_same) await audit.record({ action: 'checkpoint_settings.updated', org_id, actor_email, detail });
    return settings;
  }

  async function assertServer(org_id: string, id: string): Promise<void> {
    if (await isServer(org_id, id)) return;
    throw new InvalidInput('webhook_config_id must be that of a server (generic), not of a repository');
  }

  return { get, put };
}

function newHandle(): string {
  return randomBytes(HANDLE_BYTES).toString('hex');
}

function isEqual(a: CheckpointSettings, b: CheckpointSettings): boolean {
  return a.public_handle === b.public_handle && a.webhook_config_id === b.webhook_config_id;
}
