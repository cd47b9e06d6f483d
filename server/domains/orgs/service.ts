import { randomBytes } from 'node:crypto';
import type { Declarations } from '../../contract/domain-parts.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg, type SealedColumn } from '../../db/index.ts';
import { assertFound, Conflict } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { ResolveChannel } from '../../lib/resolve-channel.ts';
import type { Logger } from '../../log.ts';
import type { AuditWriter } from '../audit/index.ts';
import { createOrgAdmin } from './admin-service.ts';
import { createOrgContexts } from './context-service.ts';
import { createInvitations } from './invitations-service.ts';
import { createLimits } from './limits-service.ts';
import { createMembers } from './members-service.ts';
import { insertMember } from './members-store.ts';
import { cleanName } from './name.ts';
import { assertSettings, changedKeys, withDefaults } from './settings.ts';
import * as store from './store.ts';
import type { InvitedPerson, MaySignIn, Org, OrgInput, OrgSettings, OrgWithRole, Page } from './types.ts';

const NOISE_KEY_BYTES = 32;

export interface OrgsDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'sealer' | 'authz' | 'now'> {
  /** The declarations of all domains; complete before the first request. */
  declared: Pick<Declarations, 'settings' | 'usage'>;
  /** Default number of analyses that an organization can submit in an hour. */
  analyses_hourly?: number | undefined;
  /** Works across organizations: a caller's organizations, invitation tokens, and platform administration. */
  platform_db: Db;
  audit: AuditWriter;
  maySignIn: MaySignIn;
  /** Is called in the transaction that changes what an organization can have, under its lock. */
  onLimitsChanged: (trx: Db, org_id: string) => Promise<void>;
  /** Called in the transaction that writes an invitation. */
  onInvited: (trx: Db, invited: InvitedPerson) => Promise<void>;
  /** A channel as it is stored: an ID for a name. @throws InvalidInput */
  resolveChannel: ResolveChannel;
  log: Logger;
}

/** Organizations, with their members, invitations, limits and platform administration in services of their own. */
export function createOrgs(deps: OrgsDeps) {
  const { db, platform_db, sealer, audit, declared, resolveChannel, now } = deps;
  const limits = createLimits(deps);
  const members = createMembers({ ...deps, limits });
  const invitations = createInvitations({ ...deps, members, limits });
  const admin = createOrgAdmin({ ...deps, members });
  const { findContext } = createOrgContexts(deps);

  /**
   * Creates an organization on the free plan with the caller as its only owner.
   *
   * @throws InvalidInput for an invalid name; Conflict `slug_taken`
   */
  async function create(principal: Principal, input: OrgInput, keep?: Keep<Org>): Promise<Org> {
    return make(principal, input, principal.user.id, keep);
  }

  /** Like `create`, but without members; for platform admins. */
  async function createWithoutOwner(principal: Principal, input: OrgInput, keep?: Keep<Org>): Promise<Org> {
    return make(principal, input, null, keep);
  }

  async function make(principal: Principal, input: OrgInput, owner_id: string | null, keep?: Keep<Org>): Promise<Org> {
    const display_name = cleanName(input.display_name, 'display_name');
    const id = newId();
    const noise_key_ct = sealer.seal(SEALED_NOISE_KEYS, { id }, randomBytes(NOISE_KEY_BYTES));
    return db.inOrg(id, async (trx) => {
      const created_at = now();
      const org = await store.insertOrg(trx, id, { slug: input.slug, display_name, noise_key_ct, created_at });
      if (org === undefined) {
        throw new Conflict(`the slug "${input.slug}" is taken; choose another`, 'slug_taken');
      }
      if (owner_id !== null) {
        await insertMember(trx, id, { user_id: owner_id, role: 'owner', invited_by: null, now: created_at });
      }
      await keep?.(trx, org);
      const detail = { slug: org.slug };
      await audit.recordIn(trx, { action: 'org.created', org_id: id, actor_email: principal.user.email, detail });
      return org;
    });
  }

  /** @throws NotFound */
  async function get(orgId: string): Promise<Org> {
    return db.readInOrg(orgId, (read) => getIn(read, orgId));
  }

  /** One page of the caller's organizations, newest first; a key lists only its own, while its owner is a member. */
  async function list(principal: Principal, page: Page): Promise<{ orgs: OrgWithRole[]; total: number }> {
    const { user, key } = principal;
    return store.listOrgs(platform_db, { user_id: user.id, org_id: key?.org_id }, { ...page, now: now() });
  }

  /** @throws NotFound; InvalidInput for an invalid name */
  async function update(
    principal: Principal,
    orgId: string,
    input: { display_name?: string | undefined },
  ): Promise<Org> {
    const new_name = input.display_name === undefined ? undefined : cleanName(input.display_name, 'display_name');
    const { org, changed } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const old = await getIn(trx, orgId);
      if (new_name === undefined || new_name === old.display_name) return { org: old, changed: false };
      await store.setDisplayName(trx, orgId, new_name);
      return { org: { ...old, display_name: new_name }, changed: true };
    });
    if (changed) {
      const detail = { display_name: org.display_name };
      await audit.record({ action: 'org.updated', org_id: orgId, actor_email: principal.user.email, detail });
    }
    return org;
  }

  /** All settings, with defaults for those that were never changed. */
  async function getSettings(orgId: string): Promise<OrgSettings> {
    return withDefaults(declared.settings, await db.readInOrg(orgId, (read) => store.getChosenSettings(read, orgId)));
  }

  /** Changes the given settings and keeps the others. @returns all settings @throws InvalidInput */
  async function updateSettings(
    principal: Principal,
    orgId: string,
    chosen_changes: Partial<OrgSettings>,
  ): Promise<OrgSettings> {
    assertSettings(chosen_changes);
    const changes = await withChannelId(orgId, chosen_changes);
    const { settings, keys } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const chosen = await store.getChosenSettings(trx, orgId);
      const merged = { ...chosen, ...changes };
      const altered = changedKeys(withDefaults(declared.settings, chosen), changes);
      if (altered.length > 0) await store.setChosenSettings(trx, orgId, merged);
      return { settings: withDefaults(declared.settings, merged), keys: altered };
    });
    if (keys.length > 0) {
      const actor_email = principal.user.email;
      await audit.record({ action: 'org.settings_updated', org_id: orgId, actor_email, detail: { keys } });
    }
    return settings;
  }

  async function withChannelId(orgId: string, changes: Partial<OrgSettings>): Promise<Partial<OrgSettings>> {
    const { default_notify_channel: channel } = changes;
    if (channel === undefined) return changes;
    return { ...changes, default_notify_channel: await resolveChannel(orgId, channel, 'default_notify_channel') };
  }

  /** The key that makes noise fingerprints specific to this organization. */
  async function noiseKey(orgId: string): Promise<Buffer> {
    const sealed = await db.readInOrg(orgId, (read) => store.getSealedNoiseKey(read, orgId));
    return sealer.open(SEALED_NOISE_KEYS, { id: orgId }, sealed);
  }

  return {
    create,
    createWithoutOwner,
    get,
    list,
    update,
    getSettings,
    updateSettings,
    noiseKey,
    findContext,
    findRole: members.findRole,
    assertRoom: limits.assertRoom,
    getRoom: limits.getRoom,
    assertFeature: limits.assertFeature,
    limits: limits.list,
    getContract: limits.getContract,
    getLimit: limits.getLimit,
    members,
    invitations,
    admin,
  };
}

export type Orgs = ReturnType<typeof createOrgs>;

async function getIn(trx: Db, orgId: string): Promise<Org> {
  const org = assertFound(await store.findOrg(trx, orgId));
  return org;
}

/** Bound to its row: it cannot be decrypted in another organization. */
export const SEALED_NOISE_KEYS: SealedColumn = {
  table: 'orgs',
  column: 'noise_key_ct',
  org_column: 'id',
  key: 'id',
  reads: [],
  aad: ({ id = '' }) => `orgs.noise_key_ct|${id}`,
};
