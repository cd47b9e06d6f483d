import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import type { HostedInstallation } from '../../lib/github-installation.ts';
import { newId } from '../../lib/ids.ts';
import type { ApiKeys } from '../api-keys/index.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { toInstallationFields } from './fields.ts';
import { keySeals } from './seals.ts';
import * as store from './store.ts';
import type { LinkRequester, ManagedInstallation } from './types.ts';

export interface LinksDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'authz' | 'now'> {
  orgs: Pick<Orgs, 'findRole'>;
  apiKeys: Pick<ApiKeys, 'mintIntegration' | 'revokeIn'>;
  audit: AuditWriter;
}

export type LinkOutcome = 'linked' | 'role_lost' | 'already_linked' | 'confirmation_invalid';

export function createLinks({ db, sealer, orgs, apiKeys, audit, authz, now }: LinksDeps) {
  /**
   * Links a confirmed installation to the organization for which it was requested, if the requester is still its owner
   * or admin, with an API key for analyzing its plans. An installation that the organization already has is refreshed:
   * its key is replaced.
   *
   * @param takeConfirmed uses up the confirmation, in the transaction that links the installation
   */
  async function link(
    { org_id, user_id }: LinkRequester,
    takeConfirmed: (trx: Db) => Promise<ManagedInstallation | undefined>,
  ): Promise<LinkOutcome> {
    const done = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const confirmed = await takeConfirmed(trx);
      if (confirmed === undefined) return 'confirmation_invalid';
      const { login: confirmed_by, installation: hosted } = confirmed;
      const role = await orgs.findRole(trx, org_id, user_id);
      if (role !== 'owner' && role !== 'admin') return 'role_lost';
      const row = await upsert(trx, org_id, user_id, hosted);
      return row === undefined ? 'already_linked' : withNewKey(trx, org_id, user_id, { hosted, confirmed_by, ...row });
    });
    if (typeof done === 'string') return done;

    const { id, is_new, hosted, confirmed_by, email, key, replaced } = done;
    if (replaced !== null) authz.announce({ what: 'key', id: replaced });
    const event = { org_id, actor_email: email };
    const { installation_id, account_login } = hosted;
    const detail = { id, installation_id, account_login, confirmed_by };
    if (is_new) await audit.record({ ...event, action: 'scm_installation.created', detail });
    await audit.record({ ...event, action: 'api_key.created', detail: key.detail });
    return 'linked';
  }

  /** @returns undefined if another organization has it */
  async function upsert(trx: Db, org_id: string, linked_by: string, hosted: HostedInstallation) {
    const fields = toInstallationFields(hosted);
    const at = now();
    const id = newId();
    const row = { id, ...fields, linked_by, created_at: at, updated_at: at };
    if (await store.insertInstallation(trx, org_id, row)) return { id, is_new: true, replaced: null };
    const known = await store.lockInstallation(trx, org_id, { installation_id: hosted.installation_id });
    if (known === undefined) return undefined;
    await store.updateInstallation(trx, org_id, known.id, { ...fields, linked_by, updated_at: at });
    return { id: known.id, is_new: false, replaced: known.api_key_id };
  }

  async function withNewKey(
    trx: Db,
    org_id: string,
    user_id: string,
    row: { id: string; is_new: boolean; replaced: string | null; hosted: HostedInstallation; confirmed_by: string },
  ) {
    const { id, replaced, hosted } = row;
    const key = await apiKeys.mintIntegration(trx, org_id, { name: hosted.account_login, user_id });
    const api_key_ct = keySeals(sealer, org_id, id).seal(key.token);
    await store.updateInstallation(trx, org_id, id, { api_key_id: key.id, api_key_ct, updated_at: now() });
    const email = await store.findEmail(trx, user_id);
    if (replaced !== null) await apiKeys.revokeIn(trx, org_id, replaced, { id: user_id, email });
    return { ...row, key, email };
  }

  return { link };
}

export type Links = ReturnType<typeof createLinks>;
