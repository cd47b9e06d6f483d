import type { ChatApp, WorkspaceGrant } from '../../adapters/slack/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, lockOrg } from '../../db/index.ts';
import { ChatError } from '../../lib/chat-error.ts';
import { PaymentRequired } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { sealTokens } from './seals.ts';
import * as store from './store.ts';
import type { Denial } from './types.ts';

export interface InstallsDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sealer' | 'log' | 'now'> {
  app: ChatApp | null;
  orgs: Pick<Orgs, 'findRole' | 'assertFeature'>;
  audit: AuditWriter;
}

interface Requester {
  org_id: string;
  user_id: string;
}

type Stored = { outcome: 'installed'; is_new: boolean } | { outcome: Denial };

export function createInstalls({ db, platform_db, sealer, app, orgs, audit, log, now }: InstallsDeps) {
  /**
   * Exchanges the code of a confirmed approval, and gives the workspace to the organization. Whoever requested the link
   * must still be its owner or admin, which is checked before the code is used and again when the workspace is stored.
   */
  async function install({ org_id, user_id }: Requester, code: string): Promise<'installed' | Denial> {
    const barred = await db.inOrg(org_id, (trx) => findBarrier(trx, { org_id, user_id }));
    if (barred !== null) return barred;
    const grant = await exchange(org_id, code);
    if (grant === null) return 'exchange_failed';
    if (grant.is_enterprise_install) return refuse(grant, 'enterprise_install');
    const stored = await db.inOrg(org_id, (trx) => storeGrant(trx, { org_id, user_id }, grant));
    if (stored.outcome !== 'installed') return refuse(grant, stored.outcome);
    const actor_email = await db.readInOrg(org_id, (read) => store.findEmail(read, user_id));
    const { team_id, team_name } = grant;
    if (stored.is_new) {
      await audit.record({ action: 'chat.installed', org_id, actor_email, detail: { team_id, team_name } });
    }
    return 'installed';
  }

  /** Why the requester can no longer install anything; null if they can. */
  async function findBarrier(trx: Db, { org_id, user_id }: Requester): Promise<Denial | null> {
    const role = await orgs.findRole(trx, org_id, user_id);
    if (role !== 'owner' && role !== 'admin') return 'role_lost';
    try {
      await orgs.assertFeature(trx, org_id, 'chat');
      return null;
    } catch (error) {
      if (error instanceof PaymentRequired) return 'plan_limit';
      throw error;
    }
  }

  async function exchange(org_id: string, code: string): Promise<WorkspaceGrant | null> {
    try {
      return app === null ? null : await app.exchange(code);
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      log.warn({ err: error, org_id }, 'a Slack workspace was not connected');
      return null;
    }
  }

  async function storeGrant(trx: Db, requester: Requester, grant: WorkspaceGrant): Promise<Stored> {
    const { org_id, user_id } = requester;
    await lockOrg(trx, org_id);
    const barred = await findBarrier(trx, requester);
    if (barred !== null) return { outcome: barred };
    const known = await store.findInstallation(trx, org_id);
    if (known !== undefined && known.team_id !== grant.team_id) return { outcome: 'other_team' };
    const id = known?.id ?? newId();
    const { team_id, team_name, enterprise_id, bot_user_id, scopes, tokens } = grant;
    const at = now();
    const fields = {
      ...{ team_name, enterprise_id, bot_user_id, scopes, installed_by: user_id, updated_at: at },
      token_ct: sealTokens(sealer, { org_id, id }, tokens),
      token_expires_at: expiry(tokens, at),
    };
    if (known !== undefined) {
      await store.updateInstallation(trx, org_id, id, fields);
      return { outcome: 'installed', is_new: false };
    }
    const inserted = await store.insertInstallation(trx, org_id, { id, team_id, created_at: at, ...fields });
    return inserted ? { outcome: 'installed', is_new: true } : { outcome: 'team_linked' };
  }

  /**
   * Gives up a token that no organization gets. A workspace has one token for all installations of the app, so it stays
   * valid while another organization uses it.
   */
  async function refuse(grant: WorkspaceGrant, reason: Denial): Promise<Denial> {
    const is_used = (await store.findOrgOfTeam(platform_db, grant.team_id)) !== undefined;
    if (is_used || app === null) return reason;
    try {
      await app.open(grant.tokens.access_token).revoke();
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      log.warn({ err: error, team_id: grant.team_id }, 'an unused token of Slack was not revoked');
    }
    return reason;
  }

  return { install };
}

export type Installs = ReturnType<typeof createInstalls>;

/** When a token ends; null = when it is revoked. */
export function expiry({ expires_in_s }: { expires_in_s: number | null }, at: Date): Date | null {
  return expires_in_s === null ? null : new Date(at.getTime() + expires_in_s * 1_000);
}
