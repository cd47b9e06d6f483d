import type { Client } from 'pg';
import { newId } from '../../server/lib/ids.ts';

/** Adds an active AWS account without credentials. @returns its ID */
export async function addAccount(owner: Client, org_id: string, user_id: string): Promise<string> {
  const id = newId();
  await owner.query(
    `insert into cloud_accounts (id, org_id, provider, display_name, external_account_id, credential_type,
       credentials_ct, identity, status, enabled, regions, created_by, created_at, updated_at, last_validated_at)
     values ($1, $2, 'aws', 'Bench', '123456789012', 'aws_access_key', '\\x00', 'bench', 'active', true, '{}', $3,
       now(), now(), now())`,
    [id, org_id, user_id],
  );
  return id;
}
