import type { Db } from '../../db/index.ts';
import type { ScmProvider, TokenStatus } from './types.ts';

/** The stored data of a token; all null if there is none. */
export interface TokenRow {
  api_token_ct: Buffer | null;
  api_token_prefix: string | null;
  api_token_status: TokenStatus | null;
  api_token_expires_at: Date | null;
  api_token_checked_at: Date | null;
  api_user_id: string | null;
}

export const NO_TOKEN: TokenRow = {
  api_token_ct: null,
  api_token_prefix: null,
  api_token_status: null,
  api_token_expires_at: null,
  api_token_checked_at: null,
  api_user_id: null,
};

/** A token with its repository. */
export interface SealedToken {
  provider: ScmProvider;
  provider_base_url: string;
  repo_path: string;
  api_token_ct: Buffer;
  api_token_expires_at: Date | null;
}

const SEALED = ['provider', 'provider_base_url', 'repo_path', 'api_token_ct', 'api_token_expires_at'] as const;

export async function findToken(db: Db, orgId: string, id: string): Promise<SealedToken | undefined> {
  return withToken(db, orgId, id).first(...SEALED);
}

/** @returns whether there was a token before; undefined if the configuration was deleted */
export async function setToken(
  db: Db,
  orgId: string,
  id: string,
  { token, updated_at }: { token: TokenRow; updated_at: Date },
): Promise<boolean | undefined> {
  const live = db('webhook_configs').where({ org_id: orgId, id }).whereNull('deleted_at');
  const before = await live.clone().forUpdate().first('api_token_prefix');
  if (before === undefined) return undefined;
  await live.update({ ...token, updated_at });
  return before.api_token_prefix !== null;
}

/** Claims the validation of a token that was last started before then, so that no other process starts one. */
export async function claimCheck(
  db: Db,
  orgId: string,
  id: string,
  { before, at }: { before: Date; at: Date },
): Promise<SealedToken | undefined> {
  const [row]: SealedToken[] = await withToken(db, orgId, id)
    .where('api_token_checked_at', '<=', before)
    .update({ api_token_checked_at: at })
    .returning([...SEALED]);
  return row;
}

/** Stores the result of a validation, unless the token was replaced in the meantime. */
export async function noteCheck(
  db: Db,
  orgId: string,
  id: string,
  { api_token_ct, ...found }: Pick<TokenRow, 'api_token_ct' | 'api_token_status'> & { api_user_id?: string },
): Promise<void> {
  await withToken(db, orgId, id)
    .where({ api_token_ct })
    .update({ ...found });
}

/** Tokens of all organizations that were not validated since then, oldest first. */
export async function listUnchecked(db: Db, before: Date, limit: number): Promise<{ id: string; org_id: string }[]> {
  return db('webhook_configs')
    .whereNull('deleted_at')
    .whereNotNull('api_token_ct')
    .where('api_token_checked_at', '<=', before)
    .orderBy('api_token_checked_at')
    .limit(limit)
    .select('id', 'org_id');
}

function withToken(db: Db, orgId: string, id: string) {
  return db('webhook_configs').where({ org_id: orgId, id }).whereNull('deleted_at').whereNotNull('api_token_ct');
}
