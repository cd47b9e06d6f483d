import { findOwnerKind, parseOwner } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, InvalidInput } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { learnOwners } from './learning-store.ts';
import * as store from './store.ts';
import type { KnownOwner, OwnerFilter, OwnerInput, OwnerUpdate } from './types.ts';

/** Maximum number of owners up to which analyses suggest more. */
const MOST_LISTED = 500;

export interface KnownOwnersDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom'>;
  audit: Pick<AuditWriter, 'record'>;
}

/** The accounts, domains and repositories that are an organization's own, and suggestions from its plans. */
export function createKnownOwners({ db, orgs, audit, now }: KnownOwnersDeps) {
  /** One page, newest first. */
  async function list(
    orgId: string,
    filter: OwnerFilter,
    page: { limit: number; offset: number },
  ): Promise<{ owners: KnownOwner[]; total: number }> {
    return db.inOrg(orgId, (trx) => store.listOwners(trx, orgId, filter, page));
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<KnownOwner> {
    return assertFound(await db.readInOrg(orgId, (read) => store.findOwner(read, orgId, { id })));
  }

  /** The confirmed owners, which count in an analysis that begins now. */
  async function listConfirmed(orgId: string): Promise<string[]> {
    return db.readInOrg(orgId, (read) => store.listConfirmed(read, orgId));
  }

  /**
   * Adds a confirmed owner.
   *
   * @throws InvalidInput `invalid_owner`; Conflict `known_owner_exists`; PaymentRequired if the organization has as many
   *   confirmed owners as its plan allows
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: OwnerInput,
    keep?: Keep<KnownOwner>,
  ): Promise<KnownOwner> {
    const { id: decided_by, email } = principal.user;
    const at = now();
    const row = {
      ...parse(input.owner),
      note: cleanNote(input.note),
      status: 'confirmed' as const,
      source: 'added' as const,
      first_seen_at: null,
      last_seen_at: null,
      plans_seen: 0,
      decided_by,
      created_at: at,
      updated_at: at,
    };
    const owner = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await assertUnlisted(trx, orgId, row.owner);
      await orgs.assertRoom(trx, orgId, 'known_owners');
      const id = await store.insertOwner(trx, orgId, row);
      if (id === undefined) throw listed(row.owner, 'suggested');
      const created = { ...row, id, decided_by: email };
      await keep?.(trx, created);
      return created;
    });
    const detail = { known_owner_id: owner.id, owner: owner.owner };
    await audit.record({ action: 'known_owner.created', org_id: orgId, actor_email: email, detail });
    return owner;
  }

  /**
   * Confirms or dismisses an owner, or changes its note; does nothing if it already has these values.
   *
   * @param assertKnown throws if the caller knows another state than the current one
   * @throws NotFound; PaymentRequired if it would be confirmed and the plan allows no more
   */
  async function update(
    principal: Principal,
    orgId: string,
    id: string,
    { status, note }: OwnerUpdate,
    assertKnown: (owner: KnownOwner) => void,
  ): Promise<KnownOwner> {
    const { id: decided_by, email } = principal.user;
    const { owner, changed } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const owner = assertFound(await store.findOwner(trx, orgId, { id }));
      assertKnown(owner);
      const next = { status: status ?? owner.status, note: note === undefined ? owner.note : cleanNote(note) };
      if (next.status === owner.status && next.note === owner.note) return { owner, changed: false };
      if (next.status === 'confirmed' && owner.status !== 'confirmed')
        await orgs.assertRoom(trx, orgId, 'known_owners');
      const is_decision = next.status !== owner.status;
      const changes = { ...next, updated_at: now() };
      await store.updateOwner(trx, orgId, id, { ...changes, ...(is_decision && { decided_by }) });
      return { owner: { ...owner, ...changes, ...(is_decision && { decided_by: email }) }, changed: true };
    });
    if (changed) {
      const detail = { known_owner_id: id, owner: owner.owner, status: owner.status };
      await audit.record({ action: 'known_owner.updated', org_id: orgId, actor_email: email, detail });
    }
    return owner;
  }

  /** @throws NotFound */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    const removed = assertFound(await db.inOrg(orgId, (trx) => store.deleteOwner(trx, orgId, id)));
    await audit.record({
      action: 'known_owner.deleted',
      org_id: orgId,
      actor_email: principal.user.email,
      detail: { known_owner_id: id, ...removed },
    });
  }

  /**
   * Suggests the owners that an analysis saw, within the transaction that ends it.
   *
   * @param owners in canonical form, at most 200
   */
  async function learn(trx: Db, orgId: string, owners: readonly string[], seen_at: Date): Promise<void> {
    if (owners.length === 0) return;
    const seen = owners.map((owner) => ({ owner, kind: findOwnerKind(owner) }));
    await learnOwners(trx, orgId, seen, { now: seen_at, max: MOST_LISTED });
  }

  return { list, get, listConfirmed, create, update, remove, learn };
}

export type KnownOwners = ReturnType<typeof createKnownOwners>;

function parse(text: string): Pick<KnownOwner, 'owner' | 'kind'> {
  const parsed = parseOwner(text);
  if ('owner' in parsed) return parsed;
  const message = `"${text}" ${parsed.problem}`;
  const details = [{ path: '/body/owner', message: parsed.problem, code: 'invalid_owner' }];
  throw new InvalidInput(message, 'invalid_owner', { details });
}

function cleanNote(note: string | null | undefined): string | null {
  return note?.trim() || null;
}

async function assertUnlisted(trx: Db, orgId: string, owner: string): Promise<void> {
  const present = await store.findOwner(trx, orgId, { owner });
  if (present !== undefined) throw listed(owner, present.status);
}

const INSTEAD: Record<KnownOwner['status'], string> = {
  suggested: 'already suggested; confirm the suggestion',
  confirmed: 'already confirmed',
  dismissed: 'already listed as dismissed; confirm it to make it count',
};

function listed(owner: string, status: KnownOwner['status']): Conflict {
  return new Conflict(`"${owner}" is ${INSTEAD[status]}`, 'known_owner_exists');
}
