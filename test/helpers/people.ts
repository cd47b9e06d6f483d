import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { newId } from '../../server/lib/ids.ts';
import type { Principal, Role } from '../../server/lib/principal.ts';

/** A stored user with this email; the caller of a service under test. */
export async function makeUser(admin_db: Knex, email = `${newId()}@example.com`): Promise<Principal> {
  const id = newId();
  await admin_db('users').insert({ id, issuer: 'urn:test', subject: id, email, display_name: email });
  return {
    user: { id, email, display_name: email, is_platform_admin: false },
    credential: 'oidc',
    credential_id: id,
    key: null,
  };
}

/** Does not encrypt, but stores the record's binding, so that mixed-up records are detected. */
export const labelSealer = {
  seal: (plain: Uint8Array, aad: string) => Buffer.concat([label(aad), plain]),
  open(sealed: Uint8Array, aad: string) {
    const bytes = Buffer.from(sealed);
    if (!bytes.subarray(0, 32).equals(label(aad))) throw new Error('encrypted under another name');
    return bytes.subarray(32);
  },
};

function label(aad: string): Buffer {
  return createHash('sha256').update(aad).digest();
}

/** A stored organization on the given plan, with an owner if one is given. */
export async function makeOrg(
  admin_db: Knex,
  { owner, plan = 'free' }: { owner?: Principal; plan?: 'free' | 'team' | 'enterprise' } = {},
): Promise<string> {
  const id = newId();
  const slug = `org-${id.slice(-12)}`;
  await admin_db('orgs').insert({ id, slug, display_name: slug, plan, noise_key_ct: Buffer.alloc(1) });
  if (owner !== undefined) await addMember(admin_db, id, owner, 'owner');
  return id;
}

/** @returns the id of the membership */
export async function addMember(admin_db: Knex, org_id: string, { user }: Principal, role: Role): Promise<string> {
  const id = newId();
  await admin_db('memberships').insert({ id, org_id, user_id: user.id, role, accepted_at: new Date() });
  return id;
}
