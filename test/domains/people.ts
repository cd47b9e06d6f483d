import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { newId } from '../../server/lib/ids.ts';
import type { Principal } from '../../server/lib/principal.ts';

/** A user of the given address, stored; the caller of a service under test. */
export async function makeUser(db: Knex, email = `${newId()}@example.com`): Promise<Principal> {
  const id = newId();
  await db('users').insert({ id, issuer: 'urn:test', subject: id, email, display_name: email });
  return { user: { id, email, display_name: email, is_platform_admin: false }, credential: 'oidc', credential_id: id, key: null };
}

/** Seals nothing, but keeps what it is told about the record, so that a mix-up of records shows. */
export const labelSealer = {
  seal: (plain: Uint8Array, aad: string) => Buffer.concat([label(aad), plain]),
  open(sealed: Uint8Array, aad: string) {
    const bytes = Buffer.from(sealed);
    if (!bytes.subarray(0, 32).equals(label(aad))) throw new Error('sealed under another name');
    return bytes.subarray(32);
  },
};

function label(aad: string): Buffer {
  return createHash('sha256').update(aad).digest();
}
