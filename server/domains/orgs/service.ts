import { randomBytes } from 'node:crypto';
import type { Db, OrgDatabase } from '../../db/index.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { OrgContext, Principal } from '../../lib/principal.ts';
import { cleanName } from './name.ts';
import * as store from './store.ts';
import type { Org, OrgInput, OrgWithRole, Sealer } from './types.ts';

const NOISE_KEY_BYTES = 32;

export interface OrgsDeps {
  db: OrgDatabase;
  /** For what spans orgs: which of them are the caller's. */
  platform_db: Db;
  sealer: Sealer;
  now: () => Date;
}

export function createOrgs({ db, platform_db, sealer, now }: OrgsDeps) {
  /**
   * Makes an org on the free plan with the caller as its sole owner.
   *
   * @throws InvalidInput for an empty or unprintable name; Conflict `slug_taken`
   */
  async function create(principal: Principal, input: OrgInput): Promise<Org> {
    const display_name = cleanName(input.display_name, 'display_name');
    const id = newId();
    const noise_key_ct = sealer.seal(randomBytes(NOISE_KEY_BYTES), noiseKeyAad(id));
    return db.inOrg(id, async (trx) => {
      const org = await store.insertOrg(trx, id, { slug: input.slug, display_name, noise_key_ct });
      if (org === undefined) {
        throw new Conflict(`the slug "${input.slug}" is taken; choose another`, 'slug_taken');
      }
      await store.insertOwner(trx, org.id, principal.user.id, now());
      return org;
    });
  }

  /** The org of a path as this caller sees it; undefined when it does not exist or is not theirs. */
  async function findContext(principal: Principal, orgId: string): Promise<OrgContext | undefined> {
    const role = await db.inOrg(orgId, (trx) => store.findRole(trx, orgId, principal.user.id, now()));
    return role === undefined ? undefined : { id: orgId, role };
  }

  /** @throws NotFound */
  async function get(orgId: string): Promise<Org> {
    const org = await db.inOrg(orgId, (trx) => store.findOrg(trx, orgId));
    if (org === undefined) throw new NotFound();
    return org;
  }

  async function list(
    principal: Principal,
    page: { limit: number; offset: number },
  ): Promise<{ orgs: OrgWithRole[]; total: number }> {
    return store.listOrgs(platform_db, principal.user.id, { ...page, now: now() });
  }

  /** The key that makes this org's noise fingerprints its own. */
  async function noiseKey(orgId: string): Promise<Buffer> {
    return sealer.open(await db.inOrg(orgId, (trx) => store.getSealedNoiseKey(trx, orgId)), noiseKeyAad(orgId));
  }

  return { create, findContext, get, list, noiseKey };
}

export type Orgs = ReturnType<typeof createOrgs>;

/** Binds the sealed key to its row: copied to another org it does not open. */
function noiseKeyAad(orgId: string): string {
  return `orgs.noise_key_ct|${orgId}`;
}
