import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, InvalidInput, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { ResolveChannel } from '../../lib/resolve-channel.ts';
import type { AuditWriter } from '../audit/index.ts';
import { maskAddress, type Webhooks } from '../webhooks/index.ts';
import { sealUrl } from './seals.ts';
import { assertPlace, parseAddresses } from './target-input.ts';
import * as store from './targets-store.ts';
import type { NotificationTarget, TargetChanges, TargetInput } from './types.ts';

const MOST_TARGETS = 50;

export interface TargetsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  audit: AuditWriter;
  webhook_configs: Pick<Webhooks['configs'], 'get'>;
  assertPublicUrl: (url: string, field: string) => void;
  /** A channel as it is stored: an ID for a name. @throws InvalidInput */
  resolveChannel: ResolveChannel;
  /** Whether the deployment sends email. */
  has_mail: boolean;
}

/** The targets of an organization. */
export function createTargets(deps: TargetsDeps) {
  const { db, sealer, audit, webhook_configs, assertPublicUrl, resolveChannel, has_mail, now } = deps;

  /**
   * @throws InvalidInput, `url_not_allowed`, `address_not_allowed`; NotFound for an unknown webhook configuration;
   *   Conflict `mail_not_configured`, `too_many_targets`
   */
  async function create(
    principal: Principal,
    org_id: string,
    input: TargetInput,
    keep?: Keep<NotificationTarget>,
  ): Promise<NotificationTarget> {
    const { id: created_by, email } = principal.user;
    const place = await checkPlace(org_id, input, email);
    const [id, at] = [newId(), now()];
    const { kind, label = null, enabled = true, min_level = kind === 'webhook' ? 'none' : 'low' } = input;
    const url = input.url ?? null;
    const secret = url === null ? null : sealUrl(sealer, { org_id, id }, url);
    const shown = { ...place, url: url === null ? null : maskAddress(url), url_ct: secret };
    const target = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      await assertRoom(trx, org_id);
      const rest = { created_by, created_at: at, updated_at: at };
      await store.insertTarget(trx, org_id, { id, kind, label, enabled, min_level, ...shown, ...rest });
      const created = assertFound(await store.findTarget(trx, org_id, id));
      await keep?.(trx, created);
      return created;
    });
    const detail = { target_id: id, kind };
    await audit.record({ action: 'notification_target.created', org_id, actor_email: email, detail });
    return target;
  }

  async function checkPlace(org_id: string, input: TargetInput, email: string) {
    assertPlace(input);
    const { kind, addresses = [], url, webhook_config_id = null } = input;
    if (kind === 'email' && !has_mail) {
      throw new Conflict('this deployment sends no email; its operator can set SMTP_URL', 'mail_not_configured');
    }
    if (url !== undefined) assertPublicUrl(url, 'url');
    if (webhook_config_id !== null) await assertServer(org_id, webhook_config_id);
    const channel = (await resolveChannel(org_id, input.channel, 'channel')) ?? null;
    return { channel, webhook_config_id, addresses: parseAddresses(addresses, email) };
  }

  async function assertServer(org_id: string, webhook_config_id: string): Promise<void> {
    const { provider } = await webhook_configs.get(org_id, webhook_config_id);
    if (provider === 'generic') return;
    throw new InvalidInput('webhook_config_id must be that of a server (generic), not of a repository');
  }

  async function assertRoom(trx: Db, org_id: string): Promise<void> {
    if ((await store.countTargets(trx, org_id)) < MOST_TARGETS) return;
    throw new Conflict(`an organization can have ${MOST_TARGETS} targets; delete one first`, 'too_many_targets');
  }

  /** One page, newest first. */
  async function list(org_id: string, page: { limit: number; offset: number }) {
    return db.inOrg(org_id, (trx) => store.listTargets(trx, org_id, page));
  }

  /** @throws NotFound */
  async function get(org_id: string, id: string): Promise<NotificationTarget> {
    return assertFound(await db.readInOrg(org_id, (read) => store.findTarget(read, org_id, id)));
  }

  /** Enables, disables, renames, or changes the level; an empty change writes nothing. @throws NotFound */
  async function update(
    principal: Principal,
    org_id: string,
    id: string,
    changes: TargetChanges,
  ): Promise<NotificationTarget> {
    const { target, changed } = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const before = assertFound(await store.findTarget(trx, org_id, id));
      const { enabled = before.enabled, label = before.label, min_level = before.min_level } = changes;
      const same = enabled === before.enabled && label === before.label && min_level === before.min_level;
      if (same) return { target: before, changed: false };
      const fresh = { enabled, label, min_level, updated_at: now() };
      await store.updateTarget(trx, org_id, id, fresh);
      return { target: { ...before, ...fresh }, changed: true };
    });
    if (changed) {
      const detail = { target_id: id, enabled: target.enabled };
      const actor_email = principal.user.email;
      await audit.record({ action: 'notification_target.updated', org_id, actor_email, detail });
    }
    return target;
  }

  /** @throws NotFound */
  async function remove(principal: Principal, org_id: string, id: string): Promise<void> {
    const existed = await db.inOrg(org_id, (trx) => store.deleteTarget(trx, org_id, id, now()));
    if (!existed) throw new NotFound();
    const actor_email = principal.user.email;
    await audit.record({ action: 'notification_target.deleted', org_id, actor_email, detail: { target_id: id } });
  }

  return { create, list, get, update, remove };
}
